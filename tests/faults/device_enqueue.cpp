// SPDX-License-Identifier: Apache-2.0
// Kernels that enqueue kernels: immediately, after their parent, and as a task after another one.
#include "scenarios.h"

namespace faults {
namespace {

constexpr char kSource[] = R"(
kernel void parent(global uint* a) {
  queue_t q = get_default_queue();
  clk_event_t done;
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(16), 0, NULL, &done,
                 ^{ atomic_add((volatile global uint*)a + get_global_id(0), 1u); });
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(16), 1, &done, NULL,
                 ^{ a[16 + get_global_id(0)] = a[get_global_id(0)] * 2; });
  release_event(done);
}
)";

}  // namespace

void device_enqueue(World& world) {
  const test::Program program = world.program(kSource);
  const test::Kernel parent = world.kernel(program, "parent");
  const test::Queue queue = world.queue(),
                    on_device = world.queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_ON_DEVICE |
                                            CL_QUEUE_ON_DEVICE_DEFAULT);
  std::vector<cl_uint> values(32, 5);
  const test::Buffer buffer = world.buffer(values.size() * sizeof(cl_uint), 0, values.data());
  world.argument(parent, 0, buffer.get());
  const std::size_t one = 1;
  test::Event done;
  world.call("clEnqueueNDRangeKernel",
             clEnqueueNDRangeKernel(queue, parent, 1, nullptr, &one, nullptr, 0, nullptr, done.out()));
  world.wait({done});
  world.call("clEnqueueReadBuffer",
             clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, values.size() * sizeof(cl_uint), values.data(), 0,
                                 nullptr, nullptr));
  std::vector<cl_uint> wanted(32, 12);
  std::fill_n(wanted.begin(), 16, 6);
  world.expect("what kernels of kernels have computed", wanted, values);
}

}  // namespace faults
