// SPDX-License-Identifier: Apache-2.0
// A buffer whose addresses on two devices the application has queried. One kernel gets its address as an argument, another reads it from
// another buffer.
#include <vector>

#include "runtime/extension_definitions.h"
#include "scenarios.h"

namespace faults {
namespace {

constexpr char kSource[] =
    "kernel void add(global uint* a, uint v) { a[get_global_id(0)] += v; }\n"
    "kernel void follow(global ulong* list, uint v) { ((global uint*)list[0])[get_global_id(0)] += v; }\n";
constexpr std::size_t kCount = 2000, kSize = kCount * sizeof(cl_uint);

}  // namespace

void buffer_addresses(World& world) {
  const test::Program program = world.program(kSource);
  const test::Kernel add = world.kernel(program, "add"), follow = world.kernel(program, "follow");
  const test::Queue queues[] = {world.queue(0, 0), world.queue(0, 1)};
  std::vector<cl_uint> values(kCount, 10);
  const cl_mem_properties properties[] = {CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_TRUE, 0};
  const test::Buffer buffer =
      world.make("clCreateBufferWithProperties", clCreateBufferWithProperties, world.context(), properties,
                 CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, kSize, values.data());
  cl_mem_device_address_ext addresses[2] = {};
  world.call("clGetMemObjectInfo", clGetMemObjectInfo(buffer, CL_MEM_DEVICE_ADDRESS_EXT, sizeof addresses,
                                                      static_cast<void*>(addresses), nullptr));
  const test::Buffer list = world.buffer(sizeof(cl_ulong), 0, &addresses[1]);
  world.call("clSetKernelArgDevicePointerEXT", clSetKernelArgDevicePointerEXT(add, 0, addresses[0]));
  world.argument(add, 1, cl_uint{1});
  world.argument(follow, 0, list.get());
  world.argument(follow, 1, cl_uint{2});
  world.call("clSetKernelExecInfo", clSetKernelExecInfo(follow, CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT,
                                                        sizeof addresses[1], &addresses[1]));
  test::Event added, followed;
  world.call("clEnqueueNDRangeKernel",
             clEnqueueNDRangeKernel(queues[0], add, 1, nullptr, &kCount, nullptr, 0, nullptr, added.out()));
  world.call("clEnqueueNDRangeKernel", clEnqueueNDRangeKernel(queues[1], follow, 1, nullptr, &kCount, nullptr,
                                                              1, added.list(), followed.out()));
  world.call("clEnqueueReadBuffer", clEnqueueReadBuffer(queues[0], buffer, CL_TRUE, 0, kSize, values.data(),
                                                        1, followed.list(), nullptr));
  world.expect("what kernels have added", std::vector<cl_uint>(kCount, 13), values);
}

}  // namespace faults
