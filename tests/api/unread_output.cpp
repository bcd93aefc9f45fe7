// SPDX-License-Identifier: Apache-2.0
// A kernel that prints to a pipe that nobody reads: only calls that wait for this kernel wait for a reader.
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <future>
#include <string>
#include <thread>
#include <utility>

#include "support/opencl.h"
#include "support/own_process.h"
#include "support/sanitized.h"

namespace {

using std::chrono::milliseconds;

constexpr auto kSoon = milliseconds(test::kSanitized ? 30'000 : 5000);

// The standard output during its lifetime: a pipe of 4 KiB.
class Pipe {
 public:
  Pipe() {
    std::fflush(stdout);
    std::array<int, 2> ends{};
    EXPECT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
    EXPECT_GT(fcntl(ends[1], F_SETPIPE_SZ, 4096), 0);
    dup2(ends[1], STDOUT_FILENO);
    close(ends[1]);
    out_ = ends[0];
  }
  ~Pipe() {
    stop();
    close(out_);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  bool is_full() const {
    int bytes = 0;
    return ioctl(out_, FIONREAD, &bytes) == 0 && bytes >= 4096;
  }
  // Reads from now on.
  void read() {
    if (reader_.joinable()) return;
    reader_ = std::thread([this] {
      std::array<char, 4096> part{};
      for (ssize_t size = 0; (size = ::read(out_, part.data(), part.size())) > 0;)
        text_.append(part.data(), static_cast<std::size_t>(size));
    });
  }
  // Ends the redirection, and returns what has been written. The reader ends when the pipe has no writer left.
  std::string stop() {
    if (saved_ < 0) return text_;
    read();
    std::fflush(stdout);
    dup2(saved_, STDOUT_FILENO);
    close(std::exchange(saved_, -1));
    reader_.join();
    return text_;
  }

 private:
  int saved_ = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
  int out_ = -1;
  std::thread reader_;
  std::string text_;
};

template <class Condition>
bool soon(const Condition& holds) {
  for (const auto end = std::chrono::steady_clock::now() + kSoon; std::chrono::steady_clock::now() < end;
       std::this_thread::sleep_for(milliseconds(2)))
    if (holds()) return true;
  return holds();
}

// Nothing may be written to the standard output while it is the pipe, so the tests note what they see, and check it at the end.
class UnreadOutput : public test::OpenCL {
 protected:
  static constexpr std::size_t kLines = 2000;

  void SetUp() override {
    ASSERT_FALSE(test::devices().empty());
    device = test::devices().front();
    cl_int error = 1;
    const auto tell = [](const char*, const void*, size_t, void* told) {
      *static_cast<std::atomic<bool>*>(told) = true;
    };
    context = clCreateContext(nullptr, 1, &device, tell, &told_, &error);
    CL_OK(error);
    queue = make_queue(0);
    second = make_queue(0);
    program = build(
        "kernel void say(uint which) { printf(\"kernel %5u\\n\", which); }\n"
        "kernel void quiet(uint loud) { if (loud) printf(\"loud\\n\"); }\n"
        "kernel void many(uint lines) { for (uint i = 0; i < lines; ++i) printf(\"%u\\n\", i); }\n"
        "kernel void add(global uint* a) { a[get_global_id(0)] += 1; }\n"
        "kernel void fault(ulong where) { *(global uint*)where = 1; }\n");
    say = make_kernel(program, "say");
    add = make_kernel(program, "add");
    fault = make_kernel(program, "fault");
    quiet = make_kernel(program, "quiet");
    buffer = make_buffer(std::vector<cl_uint>(1024, 5));
    set_arguments(say, cl_uint{0});
    set_arguments(add, buffer);
    set_arguments(fault, cl_ulong{64});
    set_arguments(quiet, cl_uint{0});
    launch(second, add, 1);
    CL_OK(clFinish(second));
  }
  void TearDown() override {}  // the device may be lost

  static test::Event launch(cl_command_queue where, cl_kernel kernel, std::size_t size) {
    test::Event event;
    CL_EXPECT(CL_SUCCESS,
              clEnqueueNDRangeKernel(where, kernel, 1, nullptr, &size, nullptr, 0, nullptr, event.out()));
    clFlush(where);  // fails if the kernel has lost the device already
    return event;
  }
  // What a launch of `say` prints.
  static std::string said_by(unsigned which) {
    std::string line = "kernel     " + std::to_string(which) + "\n", all;
    for (std::size_t i = 0; i < kLines; ++i) all += line;
    return all;
  }
  static void call_back(cl_event event, std::atomic<bool>& called) {
    const auto set = [](cl_event, cl_int, void* user) { *static_cast<std::atomic<bool>*>(user) = true; };
    CL_EXPECT(CL_SUCCESS, clSetEventCallback(event, CL_COMPLETE, set, &called));
  }

  test::Queue second;
  test::Program program;
  test::Kernel say, add, fault, quiet;
  test::Buffer buffer;
  // Not of the test object: a thread of the library may use it until the process has ended. One test runs in a process.
  static inline std::atomic<bool> told_ = false;
};

// Whichever thread writes the output: one of the library's, for a callback or because nobody asks; or one of the application's that waits.
TEST_ALONE(UnreadOutput, HoldsUpOnlyThoseWhoWaitForIt) {
  enum class Writer { called_back, monitor, waiting };
  for (const Writer writer : {Writer::called_back, Writer::monitor, Writer::waiting}) {
    SCOPED_TRACE(static_cast<int>(writer));
    std::atomic<bool> printed = false, other_called = false;
    cl_int status = CL_COMPLETE;
    bool was_full = false, answered = false, early = true, late = false, finished = false;
    Pipe pipe;
    const test::Event printing = launch(queue, say, kLines);
    if (writer == Writer::called_back) call_back(printing, printed);
    std::thread waiting;
    if (writer == Writer::waiting) waiting = std::thread([&] { clWaitForEvents(1, printing.list()); });
    was_full = soon([&] { return pipe.is_full(); });
    std::future<void> asking = std::async(std::launch::async, [&] {
      status = test::status_of(printing);
      const test::Event added = launch(second, add, 1);
      call_back(added, other_called);
      finished = soon([&] { return other_called.load(); }) && clFinish(second) == CL_SUCCESS;
    });
    answered = asking.wait_for(2 * kSoon) == std::future_status::ready;
    early = printed;
    pipe.read();
    asking.wait();
    if (waiting.joinable()) waiting.join();
    CL_EXPECT(CL_SUCCESS, clFinish(queue));
    late = writer != Writer::called_back || soon([&] { return printed.load(); });
    soon([&] { return other_called.load(); });
    const std::string text = pipe.stop();
    EXPECT_TRUE(was_full);
    EXPECT_TRUE(answered) << "the status, or another queue, waits for a reader";
    EXPECT_GT(status, CL_COMPLETE);
    EXPECT_FALSE(early);
    EXPECT_TRUE(late);
    EXPECT_TRUE(finished);
    EXPECT_TRUE(text == said_by(0));
  }
}

// A kernel that could print, but did not, completes as others do.
TEST_ALONE(UnreadOutput, DoesNotHoldUpWhoHasPrintedNothing) {
  std::atomic<bool> printed = false, quiet_called = false, finished = false;
  Pipe pipe;
  const test::Event printing = launch(queue, say, kLines);
  call_back(printing, printed);
  const bool was_full = soon([&] { return pipe.is_full(); });
  const test::Event silent = launch(second, quiet, 64);
  call_back(silent, quiet_called);
  const test::Event behind = launch(second, add, 1);
  // Needs the completion of what is before it.
  const auto nothing = [](void*) {};
  const cl_int enqueued =
      clEnqueueNativeKernel(second, nothing, nullptr, 0, 0, nullptr, nullptr, 0, nullptr, nullptr);
  std::future<void> finishing =
      std::async(std::launch::async, [&] { finished = clFinish(second) == CL_SUCCESS; });
  const bool returned = finishing.wait_for(2 * kSoon) == std::future_status::ready;
  const bool called = soon([&] { return quiet_called.load(); });
  const cl_int status = test::status_of(silent);
  pipe.read();
  finishing.wait();
  CL_EXPECT(CL_SUCCESS, clFinish(queue));
  soon([&] { return printed.load(); });
  const std::string text = pipe.stop();
  EXPECT_TRUE(was_full);
  CL_EXPECT(CL_SUCCESS, enqueued);
  EXPECT_TRUE(returned) << "clFinish() waits for a reader";
  EXPECT_TRUE(called);
  EXPECT_EQ(status, CL_COMPLETE);
  EXPECT_TRUE(finished);
  EXPECT_TRUE(text == said_by(0));
}

// Nor does a launch in between that has failed, without having run, let those behind it wait for the reader.
TEST_ALONE(UnreadOutput, DoesNotHoldUpThoseBehindAFailure) {
  bool was_full = false, answered = false;
  cl_int status = CL_COMPLETE;
  cl_int error = 1;
  const test::Event gate = clCreateUserEvent(context, &error);
  CL_OK(error);
  Pipe pipe;
  const test::Event printing = launch(queue, say, kLines);
  const std::size_t one = 1;
  CL_EXPECT(CL_SUCCESS,
            clEnqueueNDRangeKernel(queue, say, 1, nullptr, &one, nullptr, 1, gate.list(), nullptr));
  const test::Event behind = launch(queue, add, 1);
  CL_EXPECT(CL_SUCCESS, clSetUserEventStatus(gate, -1));
  std::thread waiting([&] { clWaitForEvents(1, printing.list()); });
  was_full = soon([&] { return pipe.is_full(); });
  std::future<void> asking = std::async(std::launch::async, [&] { status = test::status_of(behind); });
  answered = asking.wait_for(2 * kSoon) == std::future_status::ready;
  pipe.read();
  asking.wait();
  waiting.join();
  CL_EXPECT(CL_SUCCESS, clFinish(queue));
  const std::string text = pipe.stop();
  EXPECT_TRUE(was_full);
  EXPECT_TRUE(answered) << "the status waits for a reader";
  EXPECT_GT(status, CL_COMPLETE);
  EXPECT_TRUE(text == said_by(0));
}

// The buffers of launches that may print are limited in size (docs/costs.md), also if a function on the host was in front of them: the last
// ones wait until the output of the first has been read.
TEST_ALONE(UnreadOutput, IsLimitedBehindAHostFunction) {
  cl_device_exec_capabilities capabilities = 0;
  CL_OK(
      clGetDeviceInfo(device, CL_DEVICE_EXECUTION_CAPABILITIES, sizeof capabilities, &capabilities, nullptr));
  if (!(capabilities & CL_EXEC_NATIVE_KERNEL)) GTEST_SKIP() << "the device runs no native kernels";
  constexpr std::size_t kLaunches = 400;  // 1 MB each at least
  static std::atomic<bool> go = false;
  const auto wait = [](void*) {
    while (!go) std::this_thread::sleep_for(milliseconds(1));
  };
  const test::Kernel many = make_kernel(program, "many");
  set_arguments(many, cl_uint{0});
  test::Event function;
  CL_OK(clEnqueueNativeKernel(second, wait, nullptr, 0, 0, nullptr, nullptr, 0, nullptr, function.out()));
  Pipe pipe;
  launch(queue, say, kLines);
  const bool was_full = soon([&] { return pipe.is_full(); });
  std::vector<test::Event> events(kLaunches);
  const std::size_t one = 1;
  for (test::Event& event : events)
    CL_EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(queue, many, 1, nullptr, &one, nullptr, 1, function.list(),
                                                 event.out()));
  go = true;
  const bool begun = soon([&] { return test::status_of(events[90]) < CL_QUEUED; });
  std::this_thread::sleep_for(milliseconds(200));
  const cl_int last = test::status_of(events.back());
  pipe.read();
  const cl_int finished = clFinish(queue);
  pipe.stop();
  EXPECT_TRUE(was_full);
  EXPECT_TRUE(begun);
  EXPECT_EQ(last, CL_QUEUED);
  CL_EXPECT(CL_SUCCESS, finished);
  for (const test::Event& event : events) EXPECT_EQ(test::status_of(event), CL_COMPLETE);
}

// In an in-order queue, the outputs of kernels appear in their order, whoever writes them, and before the callbacks. Behind clFinish(), the
// commands between them are seen to be complete, too.
TEST_ALONE(UnreadOutput, KeepsItsOrder) {
  constexpr unsigned kKernels = 8;
  std::vector<std::atomic<bool>> called(kKernels);
  std::vector<test::Event> printing, between;
  unsigned incomplete = 0, complete = 0, calls = 0;
  Pipe pipe;
  for (std::atomic<bool>& each : called) {
    set_arguments(say, static_cast<cl_uint>(printing.size()));
    printing.push_back(launch(queue, say, kLines));
    call_back(printing.back(), each);
    between.push_back(launch(queue, add, 1));
  }
  soon([&] { return pipe.is_full(); });
  std::future<void> asking = std::async(std::launch::async, [&] {
    for (const auto* events : {&printing, &between})
      for (const test::Event& event : *events) incomplete += test::status_of(event) > CL_COMPLETE;
  });
  asking.wait_for(kSoon);
  for (const std::atomic<bool>& each : called) calls += each;
  pipe.read();
  asking.wait();
  CL_EXPECT(CL_SUCCESS, clFinish(queue));
  for (const auto* events : {&printing, &between})
    for (const test::Event& event : *events) complete += test::status_of(event) == CL_COMPLETE;
  for (const std::atomic<bool>& each : called) soon([&] { return each.load(); });
  const std::string text = pipe.stop();
  EXPECT_EQ(incomplete, 2 * kKernels);
  EXPECT_EQ(calls, 0u);
  EXPECT_EQ(complete, 2 * kKernels);
  std::string wanted;
  for (unsigned i = 0; i < kKernels; ++i) wanted += said_by(i);
  EXPECT_TRUE(text == wanted);
}

// The loss of the device is noticed, and told to the context, meanwhile.
TEST_ALONE(UnreadOutput, DoesNotHideALostDevice) {
  Pipe pipe;
  const test::Event printing = launch(queue, say, kLines);
  const bool was_full = soon([&] { return pipe.is_full(); });
  launch(second, fault, 1);
  const bool told = soon([&] { return told_.load(); });
  pipe.stop();
  EXPECT_TRUE(was_full);
  EXPECT_TRUE(told);
}

}  // namespace
