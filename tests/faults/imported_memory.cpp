// SPDX-License-Identifier: Apache-2.0
// Buffers in host memory of the application, which share a page. Kernels of both devices use them, they are filled and copied, and the
// memory is imported again after both have been released.
#include <CL/cl_ext.h>

#include <vector>

#include "scenarios.h"

namespace faults {
namespace {

constexpr char kSource[] = "kernel void add(global uint* a, uint v) { a[get_global_id(0)] += v; }\n";
constexpr std::size_t kCount = 3000, kSize = kCount * sizeof(cl_uint);

}  // namespace

void imported_memory(World& world) {
  const test::Program program = world.program(kSource);
  const test::Kernel add = world.kernel(program, "add");
  const test::Queue queues[] = {world.queue(0, 0), world.queue(0, 1)};
  std::vector<cl_uint>& memory = world.keep(std::vector<cl_uint>(2 * kCount, 10));
  for (cl_uint turn = 0; turn < 2; ++turn) {
    const auto import = [&](std::size_t begin) {
      return test::Buffer(world.make("clImportMemoryARM", clImportMemoryARM, world.context(),
                                     CL_MEM_READ_WRITE, nullptr, &memory[begin], kSize));
    };
    const test::Buffer first = import(0), second = import(kCount);
    world.argument(add, 0, first.get());
    world.argument(add, 1, cl_uint{1});
    test::Event added, copied;
    world.call("clEnqueueNDRangeKernel", clEnqueueNDRangeKernel(queues[turn], add, 1, nullptr, &kCount,
                                                                nullptr, 0, nullptr, added.out()));
    world.call("clEnqueueCopyBuffer", clEnqueueCopyBuffer(queues[1 - turn], first, second, 0, 0, kSize, 1,
                                                          added.list(), copied.out()));
    const cl_uint pattern = 7;
    world.call("clEnqueueFillBuffer", clEnqueueFillBuffer(queues[turn], first, &pattern, sizeof pattern, 0,
                                                          kSize / 2, 1, copied.list(), nullptr));
    world.call("clFinish", clFinish(queues[turn]));
    world.expect("what was copied", std::vector<cl_uint>(10, 11),
                 std::vector<cl_uint>(memory.end() - 10, memory.end()));
    std::fill(memory.begin(), memory.end(), 10);
  }
}

}  // namespace faults
