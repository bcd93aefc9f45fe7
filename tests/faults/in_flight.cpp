// SPDX-License-Identifier: Apache-2.0
// Everything is released while commands that use it are held or run; callbacks report when the commands end.
#include <atomic>
#include <memory>

#include "scenarios.h"

namespace faults {
namespace {

constexpr std::size_t kCount = 100'000, kSize = kCount * sizeof(cl_uint);

// Host memory of the commands, which must outlive them even if the scenario ends early.
struct Memory {
  std::vector<cl_uint> written = std::vector<cl_uint>(kCount, 7), read = std::vector<cl_uint>(kCount);
  std::atomic<int> calls = 0, failures = 0;
};

void CL_CALLBACK count(cl_event, cl_int status, void* user) {
  auto& memory = *static_cast<Memory*>(user);
  if (status < 0) ++memory.failures;
  ++memory.calls;
}

void CL_CALLBACK native(void* arguments) {
  auto* words = *static_cast<cl_uint**>(arguments);
  ++words[0];
}

}  // namespace

void in_flight(World& world) {
  const auto kept = std::make_shared<Memory>();
  Memory& memory = *kept;
  world.expect_at_end("callbacks, or what was read", [kept] {
    std::vector<cl_uint> wanted(kCount, 7);
    ++wanted[0];
    return kept->calls == 2 && (kept->failures > 0 || kept->read == wanted);
  });
  // The user event is set after everything else has been released.
  struct Gate {
    ~Gate() {
      if (event) clSetUserEventStatus(event, CL_COMPLETE);
    }
    test::Event event;
  } gate{world.make("clCreateUserEvent", clCreateUserEvent, world.context())};
  const test::Queue loose = world.queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE), queue = world.queue();
  const test::Buffer buffer = world.buffer(kSize), other = world.buffer(kSize);
  std::vector<test::Event> events(4);
  world.call("clEnqueueWriteBuffer",
             clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, kSize, memory.written.data(), 1,
                                  gate.event.list(), events[0].out()));
  world.call("clEnqueueCopyBuffer",
             clEnqueueCopyBuffer(loose, buffer, other, 0, 0, kSize, 1, events[0].list(), events[1].out()));
  world.call("clEnqueueBarrierWithWaitList", clEnqueueBarrierWithWaitList(loose, 0, nullptr, nullptr));
  const cl_mem named = other;
  void* arguments[] = {nullptr};
  const void* place = arguments;
  world.call("clEnqueueNativeKernel", clEnqueueNativeKernel(loose, native, arguments, sizeof arguments, 1,
                                                            &named, &place, 0, nullptr, events[2].out()));
  world.call("clEnqueueReadBuffer", clEnqueueReadBuffer(loose, other, CL_FALSE, 0, kSize, memory.read.data(),
                                                        1, events[2].list(), events[3].out()));
  world.call("clSetEventCallback", clSetEventCallback(events[0], CL_COMPLETE, count, &memory));
  world.call("clSetEventCallback", clSetEventCallback(events[3], CL_COMPLETE, count, &memory));
  world.call("clFlush", clFlush(loose));
}

}  // namespace faults
