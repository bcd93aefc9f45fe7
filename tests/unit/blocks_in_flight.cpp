// SPDX-License-Identifier: Apache-2.0
// Page-locked memory is kept until the stream that reads it has passed that point, whatever other streams have done.
#include "runtime/device/blocks_in_flight.h"

#include <atomic>
#include <memory>
#include <thread>

#include "cuda/context.h"
#include "runtime/queue/command_queue.h"
#include "support/opencl.h"

namespace {

using Kept = std::weak_ptr<clcuda::cuda::PinnedBlock>;

// Two streams of a device, one of which can be blocked.
class Streams {
 public:
  explicit Streams(const clcuda::cuda::DeviceContext& context)
      : context_(context), current_(context), events_(context, false), held(events_), other(events_) {}
  ~Streams() { open(); }

  Kept keep(clcuda::cuda::Stream& stream) {
    auto block = std::make_shared<clcuda::cuda::PinnedBlock>();
    const Kept kept = block;
    blocks.keep(stream, std::move(block));
    return kept;
  }
  void hold() {
    const auto wait = [](void* open) {
      while (!static_cast<std::atomic<bool>*>(open)->load()) std::this_thread::yield();
    };
    EXPECT_EQ(context_.driver().cuLaunchHostFunc(held.handle(), wait, &open_), CUDA_SUCCESS);
  }
  void open() {
    open_ = true;
    held.synchronize();
  }

 private:
  std::atomic<bool> open_ = false;
  const clcuda::cuda::DeviceContext& context_;
  const clcuda::cuda::Current current_;
  clcuda::cuda::EventPool events_;

 public:
  clcuda::cuda::Stream held, other;
  clcuda::BlocksInFlight blocks;
};

class BlocksInFlight : public test::OpenCL {
 protected:
  const clcuda::cuda::DeviceContext& device_context() const {
    return clcuda::object_of<clcuda::CommandQueue>(queue.get()).resources().context();
  }
};

TEST_F(BlocksInFlight, AnotherStreamSaysNothing) {
  Streams streams(device_context());
  streams.hold();
  const Kept before = streams.keep(streams.held), done = streams.keep(streams.other),
             behind = streams.keep(streams.held);
  streams.other.synchronize();
  EXPECT_TRUE(streams.blocks.release());
  EXPECT_TRUE(done.expired());
  EXPECT_FALSE(before.expired());
  EXPECT_FALSE(behind.expired());
  streams.open();
  EXPECT_FALSE(streams.blocks.release());
  EXPECT_TRUE(before.expired() && behind.expired());
}

TEST_F(BlocksInFlight, WhatComesLaterInTheStreamStays) {
  Streams streams(device_context());
  const Kept first = streams.keep(streams.held), second = streams.keep(streams.held);
  streams.held.synchronize();
  streams.hold();
  const Kept behind = streams.keep(streams.held);
  EXPECT_TRUE(streams.blocks.release());
  EXPECT_TRUE(first.expired());  // of a stream that has not come so far, not each is asked after
  EXPECT_FALSE(behind.expired());
  streams.open();
  EXPECT_FALSE(streams.blocks.release());
  EXPECT_TRUE(second.expired());
}

}  // namespace
