// SPDX-License-Identifier: Apache-2.0
// A buffer and an image that two devices use in turn.
#include "scenarios.h"

namespace faults {
namespace {

constexpr char kSource[] = "kernel void add(global uint* a, uint v) { a[get_global_id(0)] += v; }\n";
constexpr std::size_t kCount = 3000, kHalf = kCount / 2;

}  // namespace

void several_devices(World& world) {
  const test::Program program = world.program(kSource);
  const test::Kernel add = world.kernel(program, "add");
  const test::Queue queues[] = {world.queue(0, 0), world.queue(0, 1)};
  std::vector<cl_uint> values(kCount, 10);
  const test::Buffer buffer = world.buffer(kCount * sizeof(cl_uint), 0, values.data());
  world.argument(add, 0, buffer.get());
  world.argument(add, 1, cl_uint{1});
  std::vector<test::Event> events(5);
  for (std::size_t i = 0; i < 4; ++i) {
    // First all of it, then half, so that each device has a valid part.
    const std::size_t count = i < 2 ? kCount : kHalf;
    world.call("clEnqueueNDRangeKernel",
               clEnqueueNDRangeKernel(queues[i % 2], add, 1, nullptr, &count, nullptr, i ? 1 : 0,
                                      i ? events[i - 1].list() : nullptr, events[i].out()));
  }
  const cl_mem migrated = buffer;
  world.call("clEnqueueMigrateMemObjects",
             clEnqueueMigrateMemObjects(queues[0], 1, &migrated, 0, 1, events[3].list(), events[4].out()));
  world.call("clEnqueueReadBuffer",
             clEnqueueReadBuffer(queues[0], buffer, CL_TRUE, 0, kCount * sizeof(cl_uint), values.data(), 1,
                                 events[4].list(), nullptr));
  std::vector<cl_uint> wanted(kCount, 12);
  std::fill_n(wanted.begin(), kHalf, 14);
  world.expect("what two devices have added", wanted, values);
  for (const test::Queue& queue : queues) world.call("clFinish", clFinish(queue));
}

}  // namespace faults
