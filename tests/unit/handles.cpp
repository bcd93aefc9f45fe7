// SPDX-License-Identifier: Apache-2.0
// The table of all handles: threads do not block each other in it, and a released handle is not reused soon.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <iostream>
#include <latch>
#include <thread>
#include <utility>
#include <vector>

#include "runtime/object.h"

namespace {

thread_local bool stops_for_memory = false;
std::atomic<int> stopped = 0, go_on = 0;

class Thing final : public clcuda::Object {
 public:
  static constexpr clcuda::ObjectType kType = clcuda::ObjectType::event;
  Thing() : Object(kType, nullptr) {}
};

// The handle of a destroyed object.
void* used_handle() {
  auto* thing = new Thing;
  void* handle = thing->raw_handle();
  EXPECT_EQ(clcuda::find_object(handle, Thing::kType), thing);
  thing->release_api();
  EXPECT_EQ(clcuda::find_object(handle, Thing::kType), nullptr);
  return handle;
}

}  // namespace

// Called by the table for more memory, instead of the C library's function.
extern "C" int mprotect(void* address, std::size_t size, int protection) noexcept {
  if (std::exchange(stops_for_memory, false)) {
    stopped = 1;
    stopped.notify_all();
    go_on.wait(0);
  }
  return static_cast<int>(syscall(SYS_mprotect, address, size, protection));
}

namespace {

TEST(Handles, AThreadThatWaitsForMemoryHoldsUpNoOther) {
  constexpr int kThreads = 6;
  std::latch begun(kThreads + 1);
  std::atomic<int> ended = 0;
  std::vector<std::thread> threads;
  threads.emplace_back([&] {
    std::vector<Thing*> things;
    begun.arrive_and_wait();
    for (stops_for_memory = true; stops_for_memory;) things.push_back(new Thing);
    for (Thing* thing : things) thing->release_api();
  });
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&] {
      used_handle();
      begun.arrive_and_wait();
      stopped.wait(0);
      for (int round = 0; round < 1000; ++round) used_handle();
      ++ended;
      ended.notify_all();
    });
  const auto watch = std::async(std::launch::async, [&] {
    for (int seen = 0; (seen = ended) < kThreads;) ended.wait(seen);
  });
  // If the threads hang, this process cannot continue.
  if (watch.wait_for(std::chrono::seconds(60)) != std::future_status::ready) {
    std::cout << "threads wait for another's memory" << std::endl;
    _exit(1);
  }
  go_on = 1;
  go_on.notify_all();
  for (std::thread& thread : threads) thread.join();
}

TEST(Handles, AReleasedHandleIsNotSoonUsedAgain) {
  constexpr int kOthers = 4000;
  for (int round = 0; round < 4; ++round) {
    // Handles released by the thread that created them, and by another one.
    std::vector<void*> released{used_handle()};
    auto* thing = new Thing;
    released.push_back(thing->raw_handle());
    std::thread([thing] { thing->release_api(); }).join();
    for (int i = 0; i < kOthers; ++i) {
      auto* other = new Thing;
      EXPECT_EQ(std::ranges::find(released, other->raw_handle()), released.end()) << i << " others later";
      other->release_api();
    }
  }
}

TEST(Handles, HandlesOfThreadsThatEndAreUsedAgain) {
  const auto use = [] {
    for (int i = 0; i < 2000; ++i) used_handle();
  };
  for (int i = 0; i < 64; ++i) std::thread(use).join();
  const std::size_t before = clcuda::handles::size;
  for (int i = 0; i < 64; ++i) std::thread(use).join();
  EXPECT_EQ(clcuda::handles::size, before);
}

}  // namespace
