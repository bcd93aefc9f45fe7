// SPDX-License-Identifier: Apache-2.0
#include <malloc.h>

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "soak/episodes.h"
#include "soak/link.h"
#include "soak/pending.h"
#include "soak/printed.h"
#include "soak/random.h"
#include "soak/role.h"
#include "support/process_memory.h"

namespace soak {
namespace {

// A barrier at which threads pause between episodes.
class Stops {
 public:
  // Returns false if there is to be no further episode.
  bool pass() {
    std::unique_lock lock(mutex_);
    ++stopped_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return open_ || ended_; });
    --stopped_;
    return !ended_;
  }
  // Returns when this number of threads has paused.
  void close(unsigned threads) {
    std::unique_lock lock(mutex_);
    open_ = false;
    changed_.wait(lock, [&] { return stopped_ == threads; });
  }
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  void end() {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  unsigned stopped_ = 0;
  bool open_ = true, ended_ = false;
};

void run_episodes(Stops& stops, std::uint64_t seed) {
  const test::RandomEngineOfThread own(seed);
  for (std::uint64_t i = 0; stops.pass(); ++i) run_episode(any_episode(), mixed(seed, i));
}

// No command is in flight any more, and all callbacks have been called.
void expect_rest() {
  for (int i = 0; i < 60'000 && callbacks_due() > 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(0, callbacks_due()) << "callbacks have not come";
  EXPECT_EQ("", difference_of_printed());
}

void lose_memory() {
  if (role().leak == 0) return;
  const auto size = static_cast<std::size_t>(role().leak) << 10;
  static std::vector<void*>& lost = *new std::vector<void*>;
  lost.push_back(std::memset(std::malloc(size), 1, size));
}

void measure() {
  lose_memory();
  malloc_trim(0);
  tell(kMeasured, test::allocated_kib());
}

}  // namespace

int work() {
  test::make_malloc_give_back();
  catch_printed();
  Stops stops;
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < role().threads; ++i)
    threads.emplace_back([&stops, i] { run_episodes(stops, mixed(role().seed, i)); });
  for (bool ended = false, rested = false; !ended;) {
    switch (next_order(std::chrono::milliseconds(300)).value_or(Order{})) {
      case Order::rest:
        stops.close(role().threads);
        expect_rest();
        if (!std::exchange(rested, true)) use_most_private_memory();
        tell(kRested);
        break;
      case Order::measure:
        measure();
        break;
      case Order::go_on:
        stops.open();
        break;
      case Order::end:
        ended = true;
        break;
      default:
        break;
    }
    tell_counts();
    if (has_failed()) tell(kFailed);
  }
  stops.end();
  for (std::thread& thread : threads) thread.join();
  expect_rest();
  tell_counts();
  return has_failed() ? 1 : 0;
}

int repeat() {
  catch_printed();
  run_episode(any_episode(), role().seed);
  expect_rest();
  return has_failed() ? 1 : 0;
}

}  // namespace soak
