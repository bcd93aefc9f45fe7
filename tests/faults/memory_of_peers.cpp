// SPDX-License-Identifier: Apache-2.0
// Device memory of two devices (unified shared memory), copied between them and to the host by queues of both devices, and shared memory
// that both use in turn.
#include <numeric>
#include <vector>

#include "scenarios.h"
#include "unified_memory.h"

namespace faults {
namespace {

constexpr char kSource[] = "kernel void add(global uint* a, uint v) { a[get_global_id(0)] += v; }\n";
constexpr std::size_t kCount = 2000, kSize = kCount * sizeof(cl_uint);

void copy(World& world, cl_command_queue queue, void* to, const void* from, const test::Event& behind,
          test::Event& event) {
  world.call("clEnqueueMemcpyINTEL", clEnqueueMemcpyINTEL(queue, CL_FALSE, to, from, kSize, behind ? 1 : 0,
                                                          behind ? behind.list() : nullptr, event.out()));
}

}  // namespace

void memory_of_peers(World& world) {
  const test::Program program = world.program(kSource);
  const test::Kernel add = world.kernel(program, "add");
  world.argument(add, 1, cl_uint{3});
  const test::Queue queues[] = {world.queue(0, 0), world.queue(0, 1)};
  std::vector<cl_uint> values(kCount), seen(kCount), other(kCount);
  std::iota(values.begin(), values.end(), 17u);
  UnifiedMemory<cl_uint> first(world, Unified::device, kCount, world.devices()[0]),
      second(world, Unified::device, kCount, world.devices()[1]), host(world, Unified::host, kCount),
      shared(world, Unified::shared, kCount);
  // Memory that commands use must not be freed before they are complete.
  struct Finish {
    ~Finish() {
      for (const test::Queue& queue : queues) clFinish(queue);
    }
    const test::Queue (&queues)[2];
  } finish{queues};

  // The second device's memory in the first one's queue: copies from and to pageable and page-locked memory, and between devices.
  std::vector<test::Event> events(8);
  copy(world, queues[0], second.data(), values.data(), {}, events[0]);
  copy(world, queues[0], host.data(), second.data(), events[0], events[1]);
  copy(world, queues[0], first.data(), second.data(), events[1], events[2]);
  copy(world, queues[1], shared.data(), first.data(), events[2], events[3]);
  for (std::size_t i = 0; i < 2; ++i) {
    world.call("clSetKernelArgMemPointerINTEL", clSetKernelArgMemPointerINTEL(add, 0, shared.data()));
    world.call("clEnqueueNDRangeKernel",
               clEnqueueNDRangeKernel(queues[i], add, 1, nullptr, &kCount, nullptr, 1, events[3 + i].list(),
                                      events[4 + i].out()));
  }
  copy(world, queues[0], seen.data(), shared.data(), events[5], events[6]);
  copy(world, queues[0], other.data(), second.data(), events[6], events[7]);
  world.wait({events[7]});
  world.expect("memory of the other device", values, other);
  world.expect("host memory", values, std::vector<cl_uint>(host.data(), host.data() + kCount));
  for (cl_uint& value : values) value += 6;
  world.expect("shared memory", values, seen);
  second.free(world, false);
  first.free(world, true);
}

}  // namespace faults
