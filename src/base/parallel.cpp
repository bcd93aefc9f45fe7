// SPDX-License-Identifier: Apache-2.0
#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

#include "base/mutex.h"

namespace clcuda {
namespace {

class Calls {
 public:
  Calls(std::size_t count, const std::function<void(std::size_t)>& body) : count_(count), body_(body) {}

  void make() noexcept {
    for (std::size_t i = next_++; i < count_; i = next_++) {
      try {
        body_(i);
      } catch (...) {
        MutexLock lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
        next_ = count_;
      }
    }
  }

  void rethrow() {
    MutexLock lock(mutex_);
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  const std::size_t count_;
  const std::function<void(std::size_t)>& body_;
  std::atomic<std::size_t> next_ = 0;
  Mutex mutex_;
  std::exception_ptr failure_ GUARDED_BY(mutex_);
};

}  // namespace

void in_parallel(std::size_t count, const std::function<void(std::size_t)>& body) {
  const std::size_t most = std::clamp(std::thread::hardware_concurrency(), 1u, 16u);
  Calls calls(count, body);
  {
    std::vector<std::jthread> threads;
    try {
      for (std::size_t i = 1; i < std::min(count, most); ++i) threads.emplace_back([&] { calls.make(); });
    } catch (const std::system_error&) {
      // Those that there are do all of it.
    }
    calls.make();
  }
  calls.rethrow();
}

}  // namespace clcuda
