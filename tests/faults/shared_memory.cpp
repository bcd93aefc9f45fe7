// SPDX-License-Identifier: Apache-2.0
// Shared virtual memory: filled, copied, mapped, used by a kernel, freed by a command.
#include "scenarios.h"

namespace faults {
namespace {

constexpr char kSource[] = "kernel void add(global uint* a, uint v) { a[get_global_id(0)] += v; }\n";
constexpr std::size_t kCount = 500, kSize = kCount * sizeof(cl_uint);

// Freed by a command in a queue, or by the destructor after the queue has finished if the scenario ends early.
class Allocation {
 public:
  Allocation(World& world, cl_command_queue queue)
      : context_(world.context()),
        queue_(queue),
        data_(static_cast<cl_uint*>(clSVMAlloc(context_, CL_MEM_READ_WRITE, kSize, 0))) {
    world.call("clSVMAlloc", data_ ? CL_SUCCESS : CL_OUT_OF_RESOURCES);
  }
  ~Allocation() {
    if (!data_) return;
    clFinish(queue_);
    clSVMFree(context_, data_);
  }
  cl_uint* data() const { return data_; }
  void free_in_turn(World& world) {
    void* pointers[] = {data_};
    world.call("clEnqueueSVMFree",
               clEnqueueSVMFree(queue_, 1, pointers, nullptr, nullptr, 0, nullptr, nullptr));
    data_ = nullptr;
  }

 private:
  cl_context context_;
  cl_command_queue queue_;
  cl_uint* data_;
};

}  // namespace

void shared_memory(World& world) {
  const test::Program program = world.program(kSource);
  const test::Kernel add = world.kernel(program, "add");
  const test::Queue queue = world.queue();
  Allocation first(world, queue), second(world, queue);
  const cl_uint pattern = 40;
  world.call("clEnqueueSVMMemFill",
             clEnqueueSVMMemFill(queue, first.data(), &pattern, sizeof pattern, kSize, 0, nullptr, nullptr));
  test::Event copied;
  world.call("clEnqueueSVMMemcpy", clEnqueueSVMMemcpy(queue, CL_FALSE, second.data(), first.data(), kSize, 0,
                                                      nullptr, copied.out()));
  world.call("clSetKernelArgSVMPointer", clSetKernelArgSVMPointer(add, 0, second.data()));
  world.argument(add, 1, cl_uint{2});
  world.call("clEnqueueNDRangeKernel",
             clEnqueueNDRangeKernel(queue, add, 1, nullptr, &kCount, nullptr, 1, copied.list(), nullptr));
  world.call("clEnqueueSVMMap",
             clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, second.data(), kSize, 0, nullptr, nullptr));
  std::vector<cl_uint> seen(second.data(), second.data() + kCount);
  world.call("clEnqueueSVMUnmap", clEnqueueSVMUnmap(queue, second.data(), 0, nullptr, nullptr));
  world.expect("what a kernel has added", std::vector<cl_uint>(kCount, 42), seen);
  world.call("clEnqueueSVMMemcpy",
             clEnqueueSVMMemcpy(queue, CL_TRUE, seen.data(), first.data(), kSize, 0, nullptr, nullptr));
  world.expect("what was filled", std::vector<cl_uint>(kCount, 40), seen);
  first.free_in_turn(world);
  world.call("clFinish", clFinish(queue));
}

}  // namespace faults
