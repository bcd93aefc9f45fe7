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

// The regions of a memory object that are mapped, by where they begin in host memory. Mapping has `host`,
// `writes` and `number`, by which this tells them apart.
template <class Mapping>
class Mappings {
 public:
  // Gives the new one its number. False, and nothing is added, where one of the others is in its way.
  template <class InTheWay>
  bool add(Mapping& mapping, InTheWay in_the_way) {
    MutexLock lock(mutex_);
    for (const auto& [host, entry] : entries_)
      if (in_the_way(entry.mapping)) return false;
    mapping.number = ++last_;
    entries_.emplace(mapping.host, Entry{mapping});
    return true;
  }
  // Of a map that was not accepted.
  void forget(const Mapping& mapping) noexcept {
    MutexLock lock(mutex_);
    const auto [first, last] = entries_.equal_range(mapping.host);
    const auto found = std::find_if(
        first, last, [&](const auto& entry) { return entry.second.mapping.number == mapping.number; });
    if (found != last) entries_.erase(found);
  }

  // Takes the region that begins at `host` away when `enqueue`, which is given it, returns; where that
  // throws, all is as before. Of several that begin at one byte, one that writes is given up last: none of
  // its bytes may be lost. Returns the region. Throws Error(CL_INVALID_VALUE).
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

  std::size_t size() const {
    MutexLock lock(mutex_);
    return entries_.size();
  }

 private:
  struct Entry {
    Mapping mapping;
    bool being_taken = false;  // by a command that is not accepted yet
  };
  using Place = typename std::multimap<void*, Entry>::iterator;

  Place begin_taking(void* host) {
    MutexLock lock(mutex_);
    const auto [first, last] = entries_.equal_range(host);
    Place found = entries_.end();
    for (auto place = first; place != last; ++place) {
      if (place->second.being_taken) continue;
      if (found == entries_.end() || !place->second.mapping.writes) found = place;
    }
    if (found == entries_.end())
      throw Error(CL_INVALID_VALUE, "not a pointer that a map of this object returned");
    found->second.being_taken = true;
    return found;
  }

  mutable Mutex mutex_ LOCK_RANK(mappings);
  std::uint64_t last_ GUARDED_BY(mutex_) = 0;
  std::multimap<void*, Entry> entries_ GUARDED_BY(mutex_);
};

}  // namespace clcuda
