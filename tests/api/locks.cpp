// SPDX-License-Identifier: Apache-2.0
// Threads and objects that are independent do not wait for each other.
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <future>
#include <thread>

#include "support/sanitized.h"
#include "support/spin.h"

namespace {

using Clock = std::chrono::steady_clock;

class Locks : public test::SpinTest {
 protected:
  template <class Act>
  static double seconds_of(Act act) {
    const auto begin = Clock::now();
    act();
    return std::chrono::duration<double>(Clock::now() - begin).count();
  }
};

// A command of one queue holds the last reference to a command of another queue, and thereby to that queue. Meanwhile the library checks
// all queues several times a second; the release must not deadlock with that.
TEST_F(Locks, AQueueThatGoesWithAWaitList) {
  std::vector<test::Queue> others;
  for (int i = 0; i < 200; ++i) others.push_back(make_queue(0));
  const auto rounds = [&] {
    const auto end = Clock::now() + std::chrono::seconds(test::kSanitized ? 6 : 3);
    while (Clock::now() < end) {
      for (const test::Queue& other : others) clEnqueueMarkerWithWaitList(other, 0, nullptr, nullptr);
      const test::Event gate = make_user_event();
      {
        const test::Queue gone = make_queue(0);
        test::Event event;
        CL_OK(clEnqueueMarkerWithWaitList(gone, 0, nullptr, event.out()));
        CL_OK(clFinish(gone));
        const cl_event waits[] = {event, gate};
        CL_OK(clEnqueueMarkerWithWaitList(queue, 2, waits, nullptr));
      }
      CL_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    }
  };
  // After a deadlock this process cannot continue.
  const auto done = std::async(std::launch::async, rounds);
  if (done.wait_for(std::chrono::seconds(60)) != std::future_status::ready) {
    std::cout << "a queue's release hangs" << std::endl;
    _exit(1);
  }
}

// Each command of a long chain holds the previous one in its wait list, and all of them fail; they must be destroyed without deep
// recursion.
TEST_F(Locks, ALongChainOfFailedCommandsGoes) {
  constexpr int kCommands = test::kSanitized ? 20000 : 1000000;
  const test::Queue loose = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const test::Event gate = make_user_event();
  test::Event last;
  CL_OK(clEnqueueMarkerWithWaitList(loose, 1, gate.list(), last.out()));
  for (int i = 0; i < kCommands; ++i) {
    test::Event next;
    CL_OK(clEnqueueMarkerWithWaitList(loose, 1, last.list(), next.out()));
    last = std::move(next);
  }
  CL_OK(clSetUserEventStatus(gate, -5));
  CL_EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, last.list()));
  last.reset();
  CL_OK(clFinish(loose));
}

// Initial contents of buffers (CL_MEM_COPY_HOST_PTR) that several threads create go through the same stream and must not be mixed up.
TEST_F(Locks, FirstContentsOfManyThreads) {
  constexpr std::size_t kMostWords = 64 << 10;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (cl_uint number = 0; number < 4; ++number)
    threads.emplace_back([&, number] {
      const test::Queue own = make_queue(0);
      std::vector<cl_uint> words(kMostWords), back(kMostWords);
      for (cl_uint round = 0; round < (test::kSanitized ? 100 : 1000); ++round) {
        const std::size_t count = kMostWords >> round % 8;
        const cl_uint value = number << 16 | round;
        std::fill_n(words.begin(), count, value);
        const test::Buffer buffer = make_buffer(count * sizeof(cl_uint), CL_MEM_COPY_HOST_PTR, words.data());
        if (clEnqueueReadBuffer(own, buffer, CL_TRUE, 0, count * sizeof(cl_uint), back.data(), 0, nullptr,
                                nullptr) != CL_SUCCESS ||
            std::count(back.begin(), back.begin() + static_cast<std::ptrdiff_t>(count), value) !=
                static_cast<std::ptrdiff_t>(count))
          ++wrong;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

// Section 5.5.4: of two overlapping maps for writing one fails, also if two threads enqueue them at the same time.
TEST_F(Locks, OneOfTwoMapsForWriting) {
  const cl_image_format format{CL_R, CL_FLOAT};
  cl_image_desc shape{};
  shape.image_type = CL_MEM_OBJECT_IMAGE2D;
  shape.image_width = shape.image_height = 64;
  cl_int error = CL_SUCCESS;
  const test::Buffer image = clCreateImage(context, 0, &format, &shape, nullptr, &error);
  CL_OK(error);
  const int rounds = test::kSanitized ? 200 : 2000;
  std::atomic<int> arrived = 0, mapped = 0, refused = 0;
  // The threads spin, so that they continue at the same time.
  const auto meet = [&](int meetings) {
    ++arrived;
    while (arrived < 2 * meetings) continue;
  };
  const auto map = [&](const test::Queue& own) {
    constexpr std::size_t kOrigin[3] = {}, kRegion[3] = {64, 64, 1};
    for (int i = 0; i < rounds; ++i) {
      meet(2 * i + 1);
      cl_int result = CL_SUCCESS;
      std::size_t pitch = 0;
      void* at = clEnqueueMapImage(own, image, CL_TRUE, CL_MAP_WRITE, kOrigin, kRegion, &pitch, nullptr, 0,
                                   nullptr, nullptr, &result);
      (result == CL_SUCCESS ? mapped : refused) += result == CL_SUCCESS || result == CL_INVALID_OPERATION;
      meet(2 * i + 2);
      if (at) clEnqueueUnmapMemObject(own, image, at, 0, nullptr, nullptr);
      clFinish(own);
    }
  };
  const test::Queue first = make_queue(0), second = make_queue(0);
  std::thread other([&] { map(second); });
  map(first);
  other.join();
  EXPECT_EQ(mapped, rounds);
  EXPECT_EQ(refused, rounds);
}

// A driver has room for a limited number of launches. A thread whose launch waits for room must not block other queues.
TEST_F(Locks, AFullLaunchQueue) {
  const test::Queue full = make_queue(0), used = make_queue(0);
  const test::Buffer memory = make_buffer(std::vector<cl_uint>{1});
  const test::Kernel kernel = make_kernel(spin_program, "spin");
  set_arguments(kernel, memory, cl_ulong{1});
  const test::Event running = spin_for(full, test::kSanitized ? 6000 : 3000);
  std::thread filling([&] {
    const std::size_t one = 1;
    for (int i = 0; i < 4000; ++i)
      CL_EXPECT(CL_SUCCESS,
                clEnqueueNDRangeKernel(full, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
  });
  // Time for the library to check its queues.
  std::this_thread::sleep_for(std::chrono::milliseconds(700));
  const double taken = seconds_of([&] { const test::Queue made = make_queue(0); });
  EXPECT_GT(test::status_of(running), CL_COMPLETE) << "the test was too slow to show anything";
  EXPECT_LT(taken, 1);
  filling.join();
  CL_OK(clFinish(full));
}

// Destructor callbacks of memory objects that a long kernel uses are called after that kernel, and a large write in another queue does not
// wait for them. (The number of buffers is small enough for the driver's launch queue.)
TEST_F(Locks, ManyDestructorCallbacksBehindAKernel) {
  std::atomic<int> told = 0;
  constexpr int kBuffers = 40;
  constexpr std::size_t kLarge = 16 << 20;
  const test::Queue other = make_queue(0);
  const test::Buffer target = make_buffer(kLarge);
  const std::vector<std::uint8_t> large = test::random_values(kLarge);
  const std::uint8_t zero = 0;
  // Done before, because page-locking memory and creating a memory pool may wait for running kernels in the driver.
  std::vector<test::Buffer> first;
  for (int i = 0; i < kBuffers; ++i) {
    first.push_back(make_buffer(1024));
    CL_OK(clEnqueueFillBuffer(queue, first.back(), &zero, 1, 0, 1024, 0, nullptr, nullptr));
  }
  CL_OK(clFinish(queue));
  CL_OK(clEnqueueWriteBuffer(other, target, CL_FALSE, 0, kLarge, large.data(), 0, nullptr, nullptr));
  CL_OK(clFinish(other));
  const test::Event running = spin_for(queue, test::kSanitized ? 6000 : 2000);
  for (int i = 0; i < kBuffers; ++i) {
    const test::Buffer buffer = make_buffer(1024);
    const auto tell = [](cl_mem, void* data) { ++*static_cast<std::atomic<int>*>(data); };
    CL_OK(clSetMemObjectDestructorCallback(buffer, tell, &told));
    CL_OK(clEnqueueFillBuffer(queue, buffer, &zero, 1, 0, 1024, 0, nullptr, nullptr));
  }
  test::Event written;
  CL_OK(clEnqueueWriteBuffer(other, target, CL_FALSE, 0, kLarge, large.data(), 0, nullptr, written.out()));
  CL_OK(clWaitForEvents(1, written.list()));
  EXPECT_GT(test::status_of(running), CL_COMPLETE) << "the write waited for the kernel";
  EXPECT_EQ(told, 0);
  CL_OK(clFinish(queue));
  const auto end = Clock::now() + std::chrono::seconds(20);
  while (told < kBuffers && Clock::now() < end) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(told, kBuffers);
}

// Commands and barriers in turn, all held by one event: the time for each must not grow with their number.
TEST_F(Locks, ManyHeldBarriers) {
  constexpr int kRounds = test::kSanitized ? 2000 : 20000;
  for (const cl_command_queue_properties kind :
       {cl_command_queue_properties{0}, cl_command_queue_properties{CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}})
    for (const cl_int status : {CL_COMPLETE, -5}) {
      const test::Queue held = make_queue(kind);
      const test::Event gate = make_user_event();
      const test::Buffer buffer = make_buffer(std::vector<cl_uint>(4, 7));
      std::vector<cl_uint> read(kRounds);
      for (int i = 0; i < kRounds; ++i) {
        CL_OK(clEnqueueReadBuffer(held, buffer, CL_FALSE, 0, sizeof(cl_uint),
                                  &read[static_cast<std::size_t>(i)], 1, gate.list(), nullptr));
        if (i % 3 == 0) CL_OK(clEnqueueBarrierWithWaitList(held, 0, nullptr, nullptr));
        if (i % 3 == 1) CL_OK(clEnqueueMarkerWithWaitList(held, 0, nullptr, nullptr));
        if (i % 3 == 2) CL_OK(clEnqueueBarrierWithWaitList(held, 1, gate.list(), nullptr));
      }
      CL_OK(clSetUserEventStatus(gate, status));
      CL_OK(clFinish(held));
      EXPECT_EQ(read, std::vector<cl_uint>(kRounds, status == CL_COMPLETE ? 7 : 0));
    }
}

long resident_mib() {
  long pages = 0, resident = 0;
  if (FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%ld %ld", &pages, &resident) != 2) resident = 0;
    std::fclose(file);
  }
  return resident * (sysconf(_SC_PAGESIZE) >> 10) >> 10;
}

// The page-locked memory for reads that wait for a kernel is bounded.
TEST_F(Locks, ManyReadsBehindAKernel) {
  constexpr std::size_t kSize = 256 << 10, kReads = test::kSanitized ? 500 : 3000;
  const std::vector<std::uint8_t> written = test::random_values(kSize);
  const test::Buffer buffer = make_buffer(written);
  std::vector<std::uint8_t> read(kSize);
  const long before = resident_mib();
  const test::Event running = spin_for(queue, 1500);
  for (std::size_t i = 0; i < kReads; ++i)
    CL_OK(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, kSize, read.data(), 0, nullptr, nullptr));
  EXPECT_GT(test::status_of(running), CL_COMPLETE) << "the reads waited for the kernel";
  CL_OK(clFinish(queue));
  if (!test::kSanitized) EXPECT_LT(resident_mib() - before, 200) << "MiB more than " << before;
  EXPECT_EQ(read, written);
}

}  // namespace
