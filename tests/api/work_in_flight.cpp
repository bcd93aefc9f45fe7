// SPDX-License-Identifier: Apache-2.0
// Behaviour while commands are in flight: concurrency, release of all objects, many threads.
#include <algorithm>
#include <atomic>
#include <thread>

#include "support/opencl.h"

namespace {

constexpr const char* kSource = "kernel void add(global uint* a, uint v) { a[get_global_id(0)] += v; }";

class WorkInFlight : public test::OpenCL {};

// A thousand commands with random dependencies in three queues give the same result as in sequence.
TEST_F(WorkInFlight, RandomGraphKeepsItsDependencies) {
  const test::Program program = build(kSource);
  test::Queue queues[] = {make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE),
                          make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE), make_queue(0)};
  constexpr std::size_t kCells = 8, kSize = 1000;
  std::vector<test::Buffer> cells;
  std::vector<std::vector<cl_uint>> expected;
  for (std::size_t i = 0; i < kCells; ++i) {
    expected.push_back(test::random_values<cl_uint>(kSize));
    cells.push_back(make_buffer(expected.back()));
  }
  const test::Event gate = make_user_event();
  std::vector<test::Event> last_use(kCells);
  for (test::Event& event : last_use)
    CL_OK(clEnqueueMarkerWithWaitList(queues[0], 1, gate.list(), event.out()));
  const test::Kernel kernel = make_kernel(program, "add");
  for (int step = 0; step < 1000; ++step) {
    auto& random = test::random_engine();
    const std::size_t a = random() % kCells, b = (a + 1 + random() % (kCells - 1)) % kCells;
    const test::Queue& chosen = queues[random() % 3];
    const cl_event waits[] = {last_use[a], last_use[b]};
    test::Event done;
    switch (random() % 3) {
      case 0: {
        const auto value = static_cast<cl_uint>(random());
        set_arguments(kernel, cells[a], value);
        CL_OK(clEnqueueNDRangeKernel(chosen, kernel, 1, nullptr, &kSize, nullptr, 2, waits, done.out()));
        for (cl_uint& x : expected[a]) x += value;
        break;
      }
      case 1:
        CL_OK(clEnqueueCopyBuffer(chosen, cells[a], cells[b], 0, 0, kSize * sizeof(cl_uint), 2, waits,
                                  done.out()));
        expected[b] = expected[a];
        break;
      default: {
        const auto value = static_cast<cl_uint>(random());
        CL_OK(clEnqueueFillBuffer(chosen, cells[a], &value, sizeof value, 0, 500 * sizeof value, 2, waits,
                                  done.out()));
        std::fill_n(expected[a].begin(), 500, value);
      }
    }
    clRetainEvent(done);
    last_use[a] = done.get();
    last_use[b] = std::move(done);
    if (step == 500) CL_OK(clSetUserEventStatus(gate, CL_COMPLETE));  // so half of the commands were held
  }
  for (test::Queue& each : queues) CL_OK(clFinish(each));
  for (std::size_t i = 0; i < kCells; ++i)
    ASSERT_TRUE(contents<cl_uint>(cells[i], kSize) == expected[i]) << i;
}

TEST_F(WorkInFlight, LongChainBehindAUserEventDoesNotOverflow) {
  const test::Event gate = make_user_event();
  test::Event last;
  CL_OK(clEnqueueMarkerWithWaitList(queue, 1, gate.list(), last.out()));
  for (int i = 0; i < 20'000; ++i) {
    test::Event next;
    CL_OK(clEnqueueMarkerWithWaitList(queue, 1, last.list(), next.out()));
    last = std::move(next);
  }
  CL_OK(clSetUserEventStatus(gate, CL_COMPLETE));
  CL_OK(clWaitForEvents(1, last.list()));
}

// The application releases all objects while commands are held and running.
TEST_F(WorkInFlight, EverythingMayBeReleased) {
  for (int round = 0; round < 20; ++round) {
    test::Queue own = make_queue(round % 2 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
    test::Program program = build(kSource);
    test::Kernel kernel = make_kernel(program, "add");
    test::Buffer buffer = make_buffer(1 << 20), result = make_buffer(1 << 20);
    std::vector<cl_uint> zeros((1 << 20) / sizeof(cl_uint), 0), seen(zeros.size());
    const std::size_t size = zeros.size();
    const test::Event gate = make_user_event();
    test::Event events[4];
    CL_OK(clEnqueueWriteBuffer(own, buffer, CL_FALSE, 0, 1 << 20, zeros.data(), 1, gate.list(),
                               events[0].out()));
    set_arguments(kernel, buffer, cl_uint{3});
    CL_OK(clEnqueueNDRangeKernel(own, kernel, 1, nullptr, &size, nullptr, 1, events[0].list(),
                                 events[1].out()));
    CL_OK(clEnqueueCopyBuffer(own, buffer, result, 0, 0, 1 << 20, 1, events[1].list(), events[2].out()));
    CL_OK(clEnqueueReadBuffer(own, result, CL_FALSE, 0, 1 << 20, seen.data(), 1, events[2].list(),
                              events[3].out()));
    kernel.reset();
    program.reset();
    buffer.reset();
    result.reset();
    own.reset();
    for (int i = 0; i < 3; ++i) events[i].reset();
    CL_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    CL_OK(clWaitForEvents(1, events[3].list()));
    EXPECT_TRUE(std::ranges::all_of(seen, [](cl_uint value) { return value == 3; }));
  }
}

// An event keeps its queue (section 5.15), which can be queried from it. A command that is enqueued there after the application has
// released the queue does not keep anything longer, whether it is waited for or not.
TEST_F(WorkInFlight, AQueueThatIsUsedThroughItsEventGoes) {
  for (const cl_command_queue_properties properties : {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE})
    for (const bool waits : {true, false}) {
      std::atomic<bool> gone = false;
      cl_int error = CL_SUCCESS;
      const cl_context own = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
      CL_OK(error);
      CL_OK(clSetContextDestructorCallback(
          own, [](cl_context, void* data) { *static_cast<std::atomic<bool>*>(data) = true; }, &gone));
      const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
      const cl_command_queue released = clCreateCommandQueueWithProperties(own, device, list, &error);
      CL_OK(error);
      test::Event first, second;
      CL_OK(clEnqueueMarkerWithWaitList(released, 0, nullptr, first.out()));
      CL_OK(clReleaseCommandQueue(released));
      cl_command_queue found = nullptr;
      CL_OK(clGetEventInfo(first, CL_EVENT_COMMAND_QUEUE, sizeof found, &found, nullptr));
      CL_OK(clEnqueueMarkerWithWaitList(found, 0, nullptr, second.out()));
      if (waits) CL_OK(clFinish(found));
      first.reset();
      second.reset();
      CL_OK(clReleaseContext(own));
      for (int i = 0; i < 2000 && !gone; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
      ASSERT_TRUE(gone) << "properties " << properties << (waits ? ", waited for" : "");
    }
}

TEST_F(WorkInFlight, ManyThreadsOnOneQueue) {
  const test::Program program = build(kSource);
  for (const cl_command_queue_properties properties :
       {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, CL_QUEUE_PROFILING_ENABLE}) {
    const test::Queue shared = make_queue(properties);
    constexpr std::size_t kSize = 512;
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 6; ++t)
      threads.emplace_back([&] {
        const test::Kernel kernel = clCreateKernel(program, "add", nullptr);
        const test::Buffer buffer = clCreateBuffer(context, 0, kSize * sizeof(cl_uint), nullptr, nullptr);
        std::vector<cl_uint> seen(kSize);
        for (int round = 0; round < 40; ++round) {
          const cl_uint base = static_cast<cl_uint>(round * 7), addend = 5;
          const cl_mem memory = buffer;
          test::Event filled, added, read;
          clSetKernelArg(kernel, 0, sizeof memory, &memory);
          clSetKernelArg(kernel, 1, sizeof addend, &addend);
          clEnqueueFillBuffer(shared, buffer, &base, sizeof base, 0, kSize * sizeof base, 0, nullptr,
                              filled.out());
          clEnqueueNDRangeKernel(shared, kernel, 1, nullptr, &kSize, nullptr, 1, filled.list(), added.out());
          clEnqueueReadBuffer(shared, buffer, round % 2, 0, kSize * sizeof(cl_uint), seen.data(), 1,
                              added.list(), read.out());
          if (clWaitForEvents(1, read.list()) != CL_SUCCESS) ++wrong;
          wrong += static_cast<int>(
              std::ranges::count_if(seen, [&](cl_uint value) { return value != base + addend; }));
        }
      });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0);
  }
}

// A failed command makes only its dependents fail.
TEST_F(WorkInFlight, FailureStaysWithItsDependents) {
  const test::Queue loose = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const test::Event bad = make_user_event(), good = make_user_event();
  test::Event failing[3], passing[3];
  for (int i = 0; i < 3; ++i) {
    CL_OK(clEnqueueMarkerWithWaitList(loose, 1, i ? failing[i - 1].list() : bad.list(), failing[i].out()));
    CL_OK(clEnqueueMarkerWithWaitList(loose, 1, i ? passing[i - 1].list() : good.list(), passing[i].out()));
  }
  CL_OK(clSetUserEventStatus(bad, -42));
  CL_OK(clSetUserEventStatus(good, CL_COMPLETE));
  CL_OK(clWaitForEvents(1, passing[2].list()));
  CL_EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, failing[2].list()));
  for (const test::Event& event : failing) EXPECT_LT(test::status_of(event), 0);
  for (const test::Event& event : passing) EXPECT_EQ(test::status_of(event), CL_COMPLETE);
}

}  // namespace
