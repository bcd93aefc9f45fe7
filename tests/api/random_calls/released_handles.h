// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <deque>

namespace test {

// Handles of objects that the application has released. The library destroys an object when its last use has ended, on a thread of its own;
// a call with its handle at that moment is the program's data race, which no library detects. Uses end within milliseconds, and a device's
// monitor keeps queues up to a quarter of a second longer; after that, a handle must be refused. It is given to another object when 4096
// others have been given back after it.
class ReleasedHandles {
 public:
  void add(void* handle) {
    if (all_.size() == kMost) all_.pop_front();
    all_.push_back({handle, Clock::now()});
  }
  // A handle whose object is destroyed; null if there is none. `random` selects it.
  void* any(std::size_t random) const {
    const Clock::time_point latest = Clock::now() - kLife;
    const auto end = std::ranges::upper_bound(all_, latest, {}, &Released::at);
    const auto count = static_cast<std::size_t>(end - all_.begin());
    return count ? all_[random % count].handle : nullptr;
  }

 private:
  using Clock = std::chrono::steady_clock;
  struct Released {
    void* handle;
    Clock::time_point at;
  };
  static constexpr std::size_t kMost = 2000;
  static constexpr std::chrono::milliseconds kLife{600};

  std::deque<Released> all_;  // by time
};

}  // namespace test
