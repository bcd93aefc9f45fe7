// SPDX-License-Identifier: Apache-2.0
// Unified shared memory of each kind: filled, copied, migrated, used by kernels as an argument and through pointers that they read from
// memory, and freed: after all commands, and while commands that use it are held.
#include "unified_memory.h"

#include <memory>
#include <vector>

#include "scenarios.h"

namespace faults {
namespace {

constexpr char kSource[] =
    "kernel void add(global uint* a, uint v) { a[get_global_id(0)] += v; }\n"
    "kernel void add_to_all(global ulong* list, uint count, uint v) {\n"
    "  for (uint i = 0; i < count; ++i) ((global uint*)list[i])[get_global_id(0)] += v;\n"
    "}\n";
constexpr std::size_t kCount = 3000, kSize = kCount * sizeof(cl_uint);

void launch(World& world, cl_command_queue queue, cl_kernel kernel, cl_event* event = nullptr) {
  world.call("clEnqueueNDRangeKernel",
             clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &kCount, nullptr, 0, nullptr, event));
}

void set_pointer(World& world, cl_kernel kernel, const void* pointer) {
  world.call("clSetKernelArgMemPointerINTEL", clSetKernelArgMemPointerINTEL(kernel, 0, pointer));
}

// Declares that the kernel accesses these allocations indirectly, by each of the two methods.
void follows_pointers(World& world, cl_kernel kernel, const std::vector<const void*>& pointers) {
  world.call("clSetKernelExecInfo", clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL,
                                                        pointers.size() * sizeof(void*), pointers.data()));
  const cl_bool yes = CL_TRUE;
  for (const cl_kernel_exec_info name :
       {CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL, CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL,
        CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL})
    world.call("clSetKernelExecInfo", clSetKernelExecInfo(kernel, name, sizeof yes, &yes));
}

std::vector<cl_uint> read(World& world, cl_command_queue queue, const void* from) {
  std::vector<cl_uint> seen(kCount);
  world.call("clEnqueueMemcpyINTEL",
             clEnqueueMemcpyINTEL(queue, CL_TRUE, seen.data(), from, kSize, 0, nullptr, nullptr));
  return seen;
}

}  // namespace

void unified_memory(World& world) {
  const test::Program program = world.program(kSource);
  const test::Kernel add = world.kernel(program, "add"), all = world.kernel(program, "add_to_all");
  const test::Queue queue = world.queue();
  UnifiedMemory<cl_uint> host(world, Unified::host, kCount),
      device(world, Unified::device, kCount, world.device()),
      shared(world, Unified::shared, kCount, world.device(), CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL);
  UnifiedMemory<cl_ulong> list(world, Unified::host, 3);
  cl_unified_shared_memory_type_intel type = 0;
  world.call("clGetMemAllocInfoINTEL",
             clGetMemAllocInfoINTEL(world.context(), device.data() + 7, CL_MEM_ALLOC_TYPE_INTEL, sizeof type,
                                    &type, nullptr));
  world.expect("the kind of memory", cl_unified_shared_memory_type_intel{CL_MEM_TYPE_DEVICE_INTEL}, type);

  // A short pattern and a long one; then copies to the other kinds, with and without an event.
  const cl_uint word = 10;
  const std::vector<cl_uint> words(16, 10);
  world.call("clEnqueueMemFillINTEL",
             clEnqueueMemFillINTEL(queue, host.data(), &word, sizeof word, kSize, 0, nullptr, nullptr));
  world.call("clEnqueueMemFillINTEL",
             clEnqueueMemFillINTEL(queue, device.data(), words.data(), 32, kSize, 0, nullptr, nullptr));
  test::Event copied;
  world.call("clEnqueueMemcpyINTEL", clEnqueueMemcpyINTEL(queue, CL_FALSE, shared.data(), device.data(),
                                                          kSize, 0, nullptr, copied.out()));
  world.call("clEnqueueMigrateMemINTEL",
             clEnqueueMigrateMemINTEL(queue, shared.data(), kSize, CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED, 1,
                                      copied.list(), nullptr));
  world.call("clEnqueueMemAdviseINTEL",
             clEnqueueMemAdviseINTEL(queue, shared.data(), kSize, 0, 0, nullptr, nullptr));

  set_pointer(world, add, device.data());
  world.argument(add, 1, cl_uint{1});
  launch(world, queue, add);
  list.data()[0] = reinterpret_cast<cl_ulong>(host.data());
  list.data()[1] = reinterpret_cast<cl_ulong>(device.data());
  list.data()[2] = reinterpret_cast<cl_ulong>(shared.data());
  set_pointer(world, all, list.data());
  world.argument(all, 1, cl_uint{3});
  world.argument(all, 2, cl_uint{5});
  follows_pointers(world, all, {host.data(), device.data(), shared.data()});
  test::Event added;
  launch(world, queue, all, added.out());
  world.expect("device memory", std::vector<cl_uint>(kCount, 16), read(world, queue, device.data()));
  world.expect("shared memory", std::vector<cl_uint>(kCount, 15), read(world, queue, shared.data()));
  world.wait({added});
  world.expect("host memory", std::vector<cl_uint>(kCount, 15),
               std::vector<cl_uint>(host.data(), host.data() + kCount));
  host.free(world, false);
  device.free(world, true);
  shared.free(world, true);
}

// The host memory outlives the commands even if the scenario ends early.
void unified_memory_in_flight(World& world) {
  struct Kept {
    std::vector<cl_uint> written = std::vector<cl_uint>(kCount, 20), read = std::vector<cl_uint>(kCount);
  };
  const auto kept = std::make_shared<Kept>();
  world.expect_at_end("what commands have read that were held when memory was freed",
                      [kept] { return kept->read == std::vector<cl_uint>(kCount, 27); });
  const test::Program program = world.program(kSource);
  const test::Kernel add = world.kernel(program, "add");
  const test::Queue queue = world.queue(), loose = world.queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  UnifiedMemory<cl_uint> device(world, Unified::device, kCount, world.device()),
      shared(world, Unified::shared, kCount);
  // The user event is set before anything waits for the commands that it holds.
  struct Gate {
    ~Gate() { open(); }
    void open() {
      if (event) clSetUserEventStatus(event, CL_COMPLETE);
      event.reset();
    }
    test::Event event;
  } gate{world.make("clCreateUserEvent", clCreateUserEvent, world.context())};
  std::vector<test::Event> events(4);
  world.call("clEnqueueMemcpyINTEL",
             clEnqueueMemcpyINTEL(queue, CL_FALSE, device.data(), kept->written.data(), kSize, 1,
                                  gate.event.list(), events[0].out()));
  set_pointer(world, add, device.data());
  world.argument(add, 1, cl_uint{7});
  launch(world, queue, add, events[1].out());
  world.call("clEnqueueMemcpyINTEL", clEnqueueMemcpyINTEL(loose, CL_FALSE, shared.data(), device.data(),
                                                          kSize, 1, events[1].list(), events[2].out()));
  world.call("clEnqueueMemcpyINTEL", clEnqueueMemcpyINTEL(loose, CL_FALSE, kept->read.data(), shared.data(),
                                                          kSize, 1, events[2].list(), events[3].out()));
  device.free(world, false);
  shared.free(world, false);
  // A new allocation must not get the memory that held commands still use.
  UnifiedMemory<cl_uint> next(world, Unified::device, kCount, world.device());
  const cl_uint other = 99;
  const test::Queue third = world.queue();
  world.call("clEnqueueMemFillINTEL",
             clEnqueueMemFillINTEL(third, next.data(), &other, sizeof other, kSize, 0, nullptr, nullptr));
  world.call("clFinish", clFinish(third));
  gate.open();
  world.wait({events[3]});
  next.free(world, true);
}

}  // namespace faults
