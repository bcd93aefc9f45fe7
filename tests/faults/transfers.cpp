// SPDX-License-Identifier: Apache-2.0
// Reads, writes, copies, fills and maps of buffers, small and large, blocking and non-blocking.
#include <numeric>

#include "faulty_driver.h"
#include "scenarios.h"

namespace faults {
namespace {

constexpr std::size_t kSmall = 1000, kLarge = 1 << 20;  // large ones are split, by threads of the library

std::vector<cl_uchar> bytes(std::size_t count, unsigned seed) {
  std::vector<cl_uchar> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<cl_uchar>(i * 7 + i / 251 + seed);
  return values;
}

void write_and_read(World& world, cl_command_queue queue, std::size_t size, cl_bool blocking) {
  const std::vector<cl_uchar> written = bytes(size, 1);
  std::vector<cl_uchar> read(size);
  const test::Buffer first = world.buffer(size), second = world.buffer(size, 0, bytes(size, 2).data());
  std::vector<test::Event> events(3);
  // All commands that may use the host memory end before it is freed.
  struct End {
    ~End() { clFinish(queue); }
    cl_command_queue queue;
  } end{queue};
  world.call("clEnqueueWriteBuffer", clEnqueueWriteBuffer(queue, first, blocking, 0, size, written.data(), 0,
                                                          nullptr, events[0].out()));
  world.call("clEnqueueCopyBuffer",
             clEnqueueCopyBuffer(queue, first, second, 0, 0, size / 2, 1, events[0].list(), events[1].out()));
  world.call("clEnqueueReadBuffer", clEnqueueReadBuffer(queue, second, blocking, 0, size, read.data(), 1,
                                                        events[1].list(), events[2].out()));
  world.wait({events[0], events[1], events[2]});
  std::vector<cl_uchar> wanted = bytes(size, 2);
  std::copy_n(written.begin(), size / 2, wanted.begin());
  world.expect("a copy that is read", wanted, read);
}

void rows(World& world, cl_command_queue queue) {
  const std::size_t origin[] = {4, 2, 1}, start[] = {0, 0, 0}, region[] = {20, 5, 3};
  const std::vector<cl_uchar> written = bytes(300, 3);
  std::vector<cl_uchar> read(300);
  const test::Buffer first = world.buffer(32 * 8 * 4), second = world.buffer(32 * 8 * 4);
  world.call("clEnqueueWriteBufferRect",
             clEnqueueWriteBufferRect(queue, first, CL_TRUE, origin, start, region, 32, 256, 0, 0,
                                      written.data(), 0, nullptr, nullptr));
  world.call("clEnqueueCopyBufferRect", clEnqueueCopyBufferRect(queue, first, second, origin, start, region,
                                                                32, 256, 32, 256, 0, nullptr, nullptr));
  world.call("clEnqueueReadBufferRect",
             clEnqueueReadBufferRect(queue, second, CL_TRUE, start, start, region, 32, 256, 0, 0, read.data(),
                                     0, nullptr, nullptr));
  world.expect("rows that are written, copied and read", written, read);
}

void fill_and_map(World& world, cl_command_queue queue, cl_mem_flags flags) {
  const test::Buffer buffer = world.buffer(kSmall * sizeof(cl_uint), flags);
  const cl_uint pattern = 0x01020304;
  test::Event filled;
  world.call("clEnqueueFillBuffer", clEnqueueFillBuffer(queue, buffer, &pattern, sizeof pattern, 0,
                                                        kSmall * sizeof pattern, 0, nullptr, filled.out()));
  auto* mapped = static_cast<cl_uint*>(world.make("clEnqueueMapBuffer", clEnqueueMapBuffer, queue,
                                                  buffer.get(), CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                                  kSmall * sizeof pattern, 1, filled.list(), nullptr));
  std::vector<cl_uint> seen(mapped, mapped + kSmall);
  std::iota(mapped, mapped + kSmall, 5u);
  world.call("clEnqueueUnmapMemObject", clEnqueueUnmapMemObject(queue, buffer, mapped, 0, nullptr, nullptr));
  world.expect("a fill that is mapped", std::vector<cl_uint>(kSmall, pattern), seen);
  world.call("clEnqueueReadBuffer", clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, kSmall * sizeof pattern,
                                                        seen.data(), 0, nullptr, nullptr));
  std::vector<cl_uint> wanted(kSmall);
  std::iota(wanted.begin(), wanted.end(), 5u);
  world.expect("what was written into a map", wanted, seen);
}

}  // namespace

void transfers(World& world) {
  const test::Queue queue = world.queue(), loose = world.queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  for (const cl_command_queue which : {queue.get(), loose.get()})
    for (const std::size_t size : {kSmall, kLarge})
      for (const cl_bool blocking : {CL_TRUE, CL_FALSE}) write_and_read(world, which, size, blocking);
  rows(world, queue);
  fill_and_map(world, queue, 0);
  fill_and_map(world, queue, CL_MEM_ALLOC_HOST_PTR);
  world.call("clFinish", clFinish(queue));
  world.call("clFinish", clFinish(loose));
}

// The same on devices that access pageable memory by page faults, where the host's part of a transfer runs in stream order.
void transfers_by_page_faults(World& world) {
  driver::reach_host_memory_by_page_faults();
  transfers(world);
}

}  // namespace faults
