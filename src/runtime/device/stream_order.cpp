// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/stream_order.h"

#include "cuda/error.h"

namespace clcuda {
namespace {

// If it is the stream's own device that is lost, the next work in the stream says so.
template <class Step>
void unless_lost(const Step& step) {
  try {
    step();
  } catch (const cuda::DriverError& error) {
    if (!cuda::is_fatal(error.result())) throw;
  }
}

}  // namespace

void wait_for(cuda::Stream& stream, std::span<cuda::Stream* const> others) {
  for (cuda::Stream* other : others) unless_lost([&] { stream.wait(other->mark()); });
}

void wait_for(cuda::Stream& stream, std::span<const cuda::Event> events) {
  for (const cuda::Event& event : events) unless_lost([&] { stream.wait(event); });
}

}  // namespace clcuda
