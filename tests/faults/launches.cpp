// SPDX-License-Identifier: Apache-2.0
// A program is built and its kernels are launched: with and without events, held by a user event, with local memory, with printf.
#include "scenarios.h"

namespace faults {
namespace {

constexpr char kSource[] =
    "kernel void add(global uint* a, uint v) { a[get_global_id(0)] += v; }\n"
    "kernel void turn(global uint* a, local uint* l) {\n"
    "  const uint i = get_local_id(0);\n"
    "  l[i] = a[get_global_id(0)];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  a[get_global_id(0)] = l[get_local_size(0) - 1 - i];\n"
    "}\n"
    "kernel void say(global uint* a) { if (a[0] == 0xffffffff) printf(\"never\"); }\n";
constexpr std::size_t kCount = 256, kGroup = 64;

void launch(World& world, cl_command_queue queue, cl_kernel kernel, const std::vector<cl_event>& behind = {},
            cl_event* event = nullptr) {
  world.call(
      "clEnqueueNDRangeKernel",
      clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &kCount, &kGroup, static_cast<cl_uint>(behind.size()),
                             behind.empty() ? nullptr : behind.data(), event));
}

}  // namespace

void launches(World& world) {
  const test::Program program = world.program(kSource);
  const test::Kernel add = world.kernel(program, "add"), turn = world.kernel(program, "turn"),
                     say = world.kernel(program, "say");
  const test::Queue queue = world.queue(CL_QUEUE_PROFILING_ENABLE), plain = world.queue();
  std::vector<cl_uint> values(kCount);
  for (std::size_t i = 0; i < kCount; ++i) values[i] = static_cast<cl_uint>(i);
  const test::Buffer buffer = world.buffer(kCount * sizeof(cl_uint), 0, values.data());
  world.argument(add, 0, buffer.get());
  world.argument(add, 1, cl_uint{3});
  world.argument(turn, 0, buffer.get());
  world.call("clSetKernelArg", clSetKernelArg(turn, 1, kGroup * sizeof(cl_uint), nullptr));
  world.argument(say, 0, buffer.get());

  test::Event first, turned;
  launch(world, plain, add);
  launch(world, plain, add, {}, first.out());
  // The user event is always set, because held commands keep references to their objects.
  struct Gate {
    ~Gate() { open(); }
    cl_int open() { return event ? clSetUserEventStatus(event, CL_COMPLETE) : CL_SUCCESS; }
    test::Event event;
  } gate{world.make("clCreateUserEvent", clCreateUserEvent, world.context())};
  launch(world, queue, turn, {first, gate.event}, turned.out());
  launch(world, queue, say);
  world.call("clSetUserEventStatus", gate.open());
  gate.event.reset();
  world.wait({turned});
  cl_ulong began = 0;
  world.call("clGetEventProfilingInfo",
             clGetEventProfilingInfo(turned, CL_PROFILING_COMMAND_START, sizeof began, &began, nullptr));
  std::vector<cl_uint> read(kCount), wanted(kCount);
  world.call("clEnqueueReadBuffer", clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, kCount * sizeof(cl_uint),
                                                        read.data(), 0, nullptr, nullptr));
  for (std::size_t i = 0; i < kCount; ++i)
    wanted[i] = values[i / kGroup * kGroup + kGroup - 1 - i % kGroup] + 6;
  world.expect("what kernels have added and turned", wanted, read);
  world.call("clFinish", clFinish(queue));
}

}  // namespace faults
