// SPDX-License-Identifier: Apache-2.0
// Memory that the library allocates for commands in flight, and the rate of its driver calls, are bounded, whatever the number of commands.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include "refusing_driver.h"
#include "support/spin.h"

namespace faults {
namespace {

class Bounds : public RefusingDriver<test::SpinTest> {
 protected:
  static constexpr long kMostBuffers = 128;  // of 1 MiB each

  static long things(const char* kind) { return driver::things().at(kind); }
  void launch(cl_command_queue where, cl_kernel kernel, const std::vector<cl_event>& waits = {}) const {
    const std::size_t one = 1;
    CL_EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(where, kernel, 1, nullptr, &one, nullptr,
                                                 static_cast<cl_uint>(waits.size()),
                                                 waits.empty() ? nullptr : waits.data(), nullptr));
  }
  // A kernel that may print any amount of text, as far as the compiler can determine, and prints nothing.
  void make_silent() {
    program = build("kernel void say(int n) { for (int i = 0; i < n; ++i) printf(\"%d\", i); }");
    silent = make_kernel(program, "say");
    set_arguments(silent, cl_int{0});
    launch(queue, silent);
    CL_OK(clFinish(queue));
  }

  // A kernel that keeps the device busy until stop() or the destructor.
  class Busy {
   public:
    explicit Busy(const Bounds& test)
        : test_(test),
          stop_(static_cast<cl_int*>(
              clSVMAlloc(test.context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS,
                         sizeof(cl_int), 0))),
          program_(test.build("kernel void wait(global atomic_int* stop) {"
                              "  while (!atomic_load_explicit(stop, memory_order_relaxed,"
                              "                               memory_scope_all_svm_devices)) {} }")),
          kernel_(test.make_kernel(program_, "wait")) {
      *stop_ = 0;
      CL_EXPECT(CL_SUCCESS, clSetKernelArgSVMPointer(kernel_, 0, stop_));
      test.launch(test.queue, kernel_);
      CL_EXPECT(CL_SUCCESS, clFlush(test.queue));
    }
    ~Busy() {
      stop();
      clFinish(test_.queue);
      clSVMFree(test_.context, stop_);
    }
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;
    void stop() const { std::atomic_ref<cl_int>(*stop_).store(1); }

   private:
    const Bounds& test_;
    cl_int* const stop_;
    const test::Program program_;
    const test::Kernel kernel_;
  };

  test::Program program;
  test::Kernel silent;
};

TEST_F(Bounds, BuffersOfLaunchesThatPrint) {
  make_silent();
  const long before = things("blocks of pools");
  long most = 0;
  spin_for(queue, 300);
  for (int i = 0; i < 400; ++i) {
    launch(queue, silent);
    most = std::max(most, things("blocks of pools") - before);
  }
  EXPECT_GT(most, 0);
  EXPECT_LE(most, kMostBuffers);
  CL_OK(clFinish(queue));
  EXPECT_LE(things("blocks of pools") - before, 0);
}

// In queues of both kinds. Launches are held by a user event that is set by another thread or by a callback.
TEST_F(Bounds, BuffersOfHeldLaunchesThatPrint) {
  make_silent();
  const long before = things("blocks of pools");
  for (const cl_command_queue_properties kind :
       {cl_command_queue_properties{0},
        cl_command_queue_properties{CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}}) {
    const test::Queue held = make_queue(kind);
    const test::Event gate = make_user_event(), first = make_user_event();
    for (int i = 0; i < 400; ++i) launch(held, silent, {gate});
    EXPECT_LE(things("blocks of pools") - before, 0);
    // Launches in another queue do not wait for the held ones.
    for (int i = 0; i < 400; ++i) launch(queue, silent);
    CL_OK(clFinish(queue));
    long most = 0;
    std::atomic<bool> done = false;
    std::thread watching([&] {
      while (!done) most = std::max(most, things("blocks of pools") - before);
    });
    const auto open = [](cl_event, cl_int, void* user) {
      CL_EXPECT(CL_SUCCESS, clSetUserEventStatus(static_cast<cl_event>(user), CL_COMPLETE));
    };
    CL_OK(clSetEventCallback(first, CL_COMPLETE, open, static_cast<cl_event>(gate)));
    spin_for(held, 50);
    CL_OK(clSetUserEventStatus(first, CL_COMPLETE));
    CL_OK(clFinish(held));
    done = true;
    watching.join();
    EXPECT_LE(most, kMostBuffers + 1);
  }
}

// The compiler determines that a launch prints little, so no launch has to wait for the buffer of an earlier one.
TEST_F(Bounds, LaunchesThatPrintLittleDoNotWait) {
  const test::Program program = build("kernel void say(int n) { if (n) printf(\"%d\", n); }");
  const test::Kernel kernel = make_kernel(program, "say");
  set_arguments(kernel, cl_int{0});
  launch(queue, kernel);
  CL_OK(clFinish(queue));
  const Busy busy(*this);
  for (int i = 0; i < 2 * kMostBuffers; ++i) launch(queue, kernel);  // a waiting launch would never return
  busy.stop();
  CL_OK(clFinish(queue));
}

// The driver fills with patterns of up to four bytes. Longer patterns are first copied from page-locked host memory, which is bounded.
TEST_F(Bounds, PageLockedMemoryOfFills) {
  constexpr std::size_t kSize = 64 << 10, kFills = 2000, kMostBlocks = 80;  // of a megabyte
  const long before = things("blocks of host memory");
  const test::Buffer buffer = make_buffer(kSize);
  const Busy busy(*this);
  cl_ulong pattern = 0;
  for (std::size_t i = 0; i < kFills; ++i) {
    pattern = 0x0123456789abcdef * (i + 1);
    CL_OK(clEnqueueFillBuffer(queue, buffer, &pattern, sizeof pattern, 0, kSize, 0, nullptr, nullptr));
  }
  EXPECT_LE(things("blocks of host memory") - before, static_cast<long>(kMostBlocks));
  busy.stop();
  EXPECT_EQ(contents<cl_ulong>(buffer, kSize / sizeof pattern),
            std::vector<cl_ulong>(kSize / sizeof pattern, pattern));
}

class BoundsOfQuestions : public Bounds {
 protected:
  static constexpr int kCommands = 3000;
  // cuEventQuery calls in one second, in which the library checks all commands in flight several times.
  static long questions_of_a_second() {
    const long before = driver::calls_of("cuEventQuery");
    std::this_thread::sleep_for(std::chrono::milliseconds(1000));
    return driver::calls_of("cuEventQuery") - before;
  }
};

TEST_F(BoundsOfQuestions, EventsWithCallbacks) {
  std::atomic<int> told = 0;
  const auto tell = [](cl_event, cl_int, void* user) { ++*static_cast<std::atomic<int>*>(user); };
  const Busy busy(*this);
  const long watched = driver::calls_of("cuLaunchHostFunc") + kCommands;
  for (int i = 0; i < kCommands; ++i) {
    test::Event event;
    CL_OK(clEnqueueMarkerWithWaitList(queue, 0, nullptr, event.out()));
    CL_OK(clSetEventCallback(event, CL_COMPLETE, tell, &told));
  }
  while (driver::calls_of("cuLaunchHostFunc") < watched)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const long questions = questions_of_a_second();
  EXPECT_LT(questions, kCommands / 2);
  busy.stop();
  CL_OK(clFinish(queue));
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (told < kCommands && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(told, kCommands);
}

TEST_F(BoundsOfQuestions, ReadsThatNobodyWaitsFor) {
  const auto bytes = test::random_values(1024);
  const test::Buffer buffer = make_buffer(bytes);
  std::vector<std::vector<std::uint8_t>> read(kCommands, std::vector<std::uint8_t>(bytes.size()));
  const Busy busy(*this);
  for (auto& host : read)
    CL_OK(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, host.size(), host.data(), 0, nullptr, nullptr));
  const long questions = questions_of_a_second();
  EXPECT_LT(questions, kCommands / 2);
  busy.stop();
  CL_OK(clFinish(queue));
  for (const auto& host : read) ASSERT_TRUE(host == bytes);
}

TEST_F(BoundsOfQuestions, WritesThatNobodyWaitsFor) {
  const auto bytes = test::random_values(8192);
  const test::Buffer buffer = make_buffer(bytes.size());
  const Busy busy(*this);
  for (int i = 0; i < kCommands; ++i)
    CL_OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, bytes.size(), bytes.data(), 0, nullptr, nullptr));
  const long questions = questions_of_a_second();
  EXPECT_LT(questions, kCommands / 2);
  busy.stop();
  EXPECT_EQ(contents(buffer, bytes.size()), bytes);
}

}  // namespace
}  // namespace faults
