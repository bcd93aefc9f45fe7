// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>

#include "base/error.h"
#include "base/mutex.h"

namespace clcuda {

// The mapped regions of a memory object, by their address in host memory. A Mapping has the members `host`, `writes` and `number`; the
// number identifies it. Thread-safe.
template <class Mapping>
class Mappings {
 public:
  // Adds a mapping and sets its number.
  void add(Mapping& mapping) {
    MutexLock lock(mutex_);
    insert(mapping);
  }
  // The same; returns false and adds nothing if it is for writing, and `in_the_way` is true for an existing one for writing.
  template <class InTheWay>
  bool add(Mapping& mapping, InTheWay in_the_way) {
    MutexLock lock(mutex_);
    if (mapping.writes)
      for (const auto& [host, entry] : entries_)
        if (entry.mapping.writes && in_the_way(entry.mapping)) return false;
    insert(mapping);
    return true;
  }
  // Removes a mapping whose command could not be enqueued.
  void forget(const Mapping& mapping) noexcept {
    MutexLock lock(mutex_);
    const auto [first, last] = entries_.equal_range(mapping.host);
    const auto found = std::find_if(
        first, last, [&](const auto& entry) { return entry.second.mapping.number == mapping.number; });
    if (found != last) entries_.erase(found);
  }

  // Calls `enqueue` with the mapping that begins at `host`, then removes and returns it. If `enqueue` throws, the mapping remains. Of
  // several mappings at the same address, those for writing are removed last, so that none of their bytes is lost. Throws
  // Error(CL_INVALID_VALUE) if there is none.
  Mapping take(void* host, const std::function<void(const Mapping&)>& enqueue) {
    const Place place = begin_taking(host);
    Mapping taken = place->second.mapping;
    try {
      enqueue(taken);
    } catch (...) {
      MutexLock lock(mutex_);
      place->second.being_taken = false;
      throw;
    }
    MutexLock lock(mutex_);
    entries_.erase(place);
    return taken;
  }

  // For an object that is destroyed while it is mapped.
  template <class End>
  void end_all(End end) noexcept {
    std::multimap<void*, Entry> left;
    {
      MutexLock lock(mutex_);
      left.swap(entries_);
    }
    for (const auto& [host, entry] : left) end(entry.mapping);
  }

  std::size_t size() const {
    MutexLock lock(mutex_);
    return entries_.size();
  }

 private:
  struct Entry {
    Mapping mapping;
    bool being_taken = false;  // by a take() that is calling `enqueue`
  };
  using Place = typename std::multimap<void*, Entry>::iterator;

  void insert(Mapping& mapping) REQUIRES(mutex_) {
    mapping.number = ++last_;
    // Those for reading come first.
    entries_.emplace_hint(
        mapping.writes ? entries_.upper_bound(mapping.host) : entries_.lower_bound(mapping.host),
        mapping.host, Entry{mapping});
  }

  Place begin_taking(void* host) {
    MutexLock lock(mutex_);
    const auto [first, last] = entries_.equal_range(host);
    const Place found =
        std::find_if(first, last, [](const auto& entry) { return !entry.second.being_taken; });
    if (found == last) throw Error(CL_INVALID_VALUE, "not a pointer that a map of this object returned");
    found->second.being_taken = true;
    return found;
  }

  mutable Mutex mutex_ LOCK_RANK(mappings);
  std::uint64_t last_ GUARDED_BY(mutex_) = 0;
  std::multimap<void*, Entry> entries_ GUARDED_BY(mutex_);
};

}  // namespace clcuda
