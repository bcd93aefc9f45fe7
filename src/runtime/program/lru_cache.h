// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <optional>
#include <utility>

#include "base/digest.h"
#include "base/mutex.h"

namespace clcuda {

// A cache of the most recently used values, up to a total size in bytes. Thread-safe.
//
//   LruCache<std::string> texts(1 << 20);
//   texts.keep(key, text, text.size());
template <class Value>
class LruCache {
 public:
  explicit LruCache(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  // A copy of the value, which becomes the most recently used one.
  std::optional<Value> find(const Digest& key) {
    MutexLock lock(mutex_);
    const auto found = places_.find(key);
    if (found == places_.end()) return std::nullopt;
    entries_.splice(entries_.begin(), entries_, found->second);
    return found->second->value;
  }

  // Adds or replaces a value of this size, and removes the least recently used ones.
  void keep(const Digest& key, Value value, std::size_t bytes) {
    std::list<Entry> leaving;  // destroyed after the lock is released
    MutexLock lock(mutex_);
    if (const auto known = places_.find(key); known != places_.end()) leave(known->second, leaving);
    entries_.push_front({key, std::move(value), bytes});
    places_[key] = entries_.begin();
    bytes_ += bytes;
    while (bytes_ > most_bytes_) leave(std::prev(entries_.end()), leaving);
  }

 private:
  struct Entry {
    Digest key;
    Value value;
    std::size_t bytes;
  };

  void leave(typename std::list<Entry>::iterator entry, std::list<Entry>& leaving) REQUIRES(mutex_) {
    bytes_ -= entry->bytes;
    places_.erase(entry->key);
    leaving.splice(leaving.begin(), entries_, entry);
  }

  const std::size_t most_bytes_;
  Mutex mutex_ LOCK_RANK(lru_cache);
  std::list<Entry> entries_ GUARDED_BY(mutex_);  // the most recently used first
  std::map<Digest, typename std::list<Entry>::iterator> places_ GUARDED_BY(mutex_);
  std::size_t bytes_ GUARDED_BY(mutex_) = 0;
};

}  // namespace clcuda
