// SPDX-License-Identifier: Apache-2.0
// A device whose clock is a little faster than the host's, and whose driver takes time to record an event, so that measured times of events
// are some microseconds off in either direction.
#include "runtime/device/device_clock.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <random>
#include <thread>
#include <vector>

#include "base/host_time.h"
#include "cuda/host_registrations.h"

namespace {

using namespace clcuda;

constexpr double kDrift = 30e-6;
constexpr double kError = 200'000;  // of host times, at most

std::mt19937_64& random_engine() {
  static std::mt19937_64 engine(std::random_device{}());
  return engine;
}

struct FakeEvent {
  cl_ulong host_ns = 0;  // when it actually happened
  bool delayed = false;  // by work of other processes
};

bool delays_events = false;
FakeEvent& fake(CUevent event) { return *reinterpret_cast<FakeEvent*>(event); }

CUresult record(CUevent event, CUstream) {
  const cl_ulong begin = host_time(), end = begin + 1'000 + random_engine()() % 70'000;
  while (host_time() < end) {
  }
  fake(event) = {begin + random_engine()() % (end - begin), delays_events};
  return CUDA_SUCCESS;
}

// As CUDA reports it.
CUresult elapsed(float* milliseconds, CUevent from, CUevent to) {
  const auto host = static_cast<double>(fake(to).host_ns) - static_cast<double>(fake(from).host_ns);
  *milliseconds = static_cast<float>(host * (1 + kDrift)) * 1e-6f;
  return CUDA_SUCCESS;
}

const cuda::DriverTable& driver_table() {
  static const cuda::DriverTable table = [] {
    cuda::DriverTable made{};
    made.cuDevicePrimaryCtxRetain = [](CUcontext*, CUdevice) { return CUDA_SUCCESS; };
    made.cuDevicePrimaryCtxRelease = [](CUdevice) { return CUDA_SUCCESS; };
    made.cuCtxGetCurrent = [](CUcontext*) { return CUDA_SUCCESS; };
    made.cuCtxGetStreamPriorityRange = [](int*, int*) { return CUDA_SUCCESS; };
    made.cuStreamCreateWithPriority = [](CUstream*, unsigned, int) { return CUDA_SUCCESS; };
    made.cuStreamDestroy = [](CUstream) { return CUDA_SUCCESS; };
    made.cuEventCreate = [](CUevent* event, unsigned) {
      static std::deque<FakeEvent> events;  // as many as a pool has, to the end
      *event = reinterpret_cast<CUevent>(&events.emplace_back());
      return CUDA_SUCCESS;
    };
    made.cuEventQuery = [](CUevent event) {
      return fake(event).delayed ? CUDA_ERROR_NOT_READY : CUDA_SUCCESS;
    };
    made.cuEventRecord = record;
    made.cuEventElapsedTime = elapsed;
    return made;
  }();
  return table;
}

struct Asked {
  cuda::Event event;
  cl_ulong happened = 0, placed = 0;
};

class Clock : public testing::Test {
 protected:
  // Events in the last milliseconds, as with a dense sequence of commands.
  void add_events(cl_ulong since) {
    const cl_ulong now = host_time();
    for (int i = 0; i < 400; ++i) {
      Asked asked{events_.take(), since + random_engine()() % (now - since), 0};
      fake(asked.event.handle()).host_ns = asked.happened;
      all_.push_back(std::move(asked));
    }
  }
  // Queries some or all of the events that have not been queried yet.
  void ask(bool all) {
    std::vector<Asked*> open;
    for (Asked& asked : all_)
      if (!asked.placed && (all || random_engine()() % 2)) open.push_back(&asked);
    std::ranges::shuffle(open, random_engine());
    for (Asked* asked : open) {
      const auto placed = clock_.host_time_of(asked->event);
      ASSERT_TRUE(placed);
      asked->placed = *placed;
    }
  }
  void work_for(std::chrono::milliseconds time) {
    const cl_ulong begin = host_time();
    cl_ulong last = begin;
    while (host_time() < begin + static_cast<cl_ulong>(std::chrono::nanoseconds(time).count())) {
      clock_.renew();
      std::this_thread::sleep_for(std::chrono::milliseconds(15));
      add_events(last);
      last = host_time();
      ask(false);
    }
    ask(true);
  }

  cuda::HostRegistrations registrations_;
  const cuda::DeviceContext context_{driver_table(), 0, cuda::Waiting::by_asking, registrations_};
  cuda::EventPool events_{context_, true};
  DeviceClock clock_{context_, events_};
  std::vector<Asked> all_;
};

// The first anchors are taken in quick succession, later ones every quarter of a second.
TEST_F(Clock, PlacesNoEventAheadOfAnEarlierOne) {
  work_for(std::chrono::milliseconds(1500));
  std::ranges::sort(all_, {}, &Asked::happened);
  std::size_t wrong = 0;
  for (std::size_t i = 1; i < all_.size(); ++i)
    wrong += all_[i].happened > all_[i - 1].happened && all_[i].placed < all_[i - 1].placed;
  EXPECT_EQ(wrong, 0u) << "of " << all_.size();
}

TEST_F(Clock, AnswersTheSameWheneverItIsAsked) {
  work_for(std::chrono::milliseconds(700));
  std::size_t others = 0;
  for (const Asked& asked : all_) others += clock_.host_time_of(asked.event) != asked.placed;
  EXPECT_EQ(others, 0u) << "of " << all_.size();
}

TEST_F(Clock, IsNotFarOff) {
  work_for(std::chrono::milliseconds(1500));
  double worst = 0;
  for (const Asked& asked : all_)
    worst =
        std::max(worst, std::abs(static_cast<double>(asked.placed) - static_cast<double>(asked.happened)));
  EXPECT_LT(worst, kError) << "nanoseconds";
}

// The work of a command that is complete took as long as its events say, even on a device that is too busy for an anchor.
TEST_F(Clock, HasTheDurationOfACommandOfABusyDevice) {
  constexpr cl_ulong kDuration = 3'000'000;
  delays_events = true;
  clock_.renew();
  const cuda::Event start = events_.take(), end = events_.take();
  const cl_ulong submitted = host_time();
  fake(start.handle()).host_ns = submitted + 1'000'000;
  fake(end.handle()).host_ns = submitted + 1'000'000 + kDuration;
  const cl_ulong seen = submitted + 10'000'000;
  const auto busy = clock_.host_span_of(start, end, submitted, seen);
  EXPECT_FALSE(clock_.host_time_of(start));
  const auto short_of_time = clock_.host_span_of(start, end, submitted, submitted + kDuration / 2);
  delays_events = false;
  EXPECT_GE(busy.began, submitted);
  EXPECT_LE(busy.ended, seen);
  EXPECT_NEAR(static_cast<double>(busy.ended - busy.began), kDuration, kDuration * 0.01);
  EXPECT_GE(short_of_time.began, submitted);
  EXPECT_EQ(short_of_time.ended, submitted + kDuration / 2);
}

}  // namespace
