// SPDX-License-Identifier: Apache-2.0
// Each failed call is reported to the context's callback with a reason, and event callbacks may call any OpenCL function, even a blocking
// one.
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "support/spin.h"

namespace {

// A context whose callback records the reasons.
class ContextCallback : public test::OpenCL {
 protected:
  void SetUp() override {
    test::OpenCL::SetUp();
    if (HasFatalFailure()) return;
    queue.reset();
    cl_int error = CL_SUCCESS;
    context = clCreateContext(nullptr, 1, &device, note, this, &error);
    CL_OK(error);
    queue = make_queue(0);
  }
  void TearDown() override {
    queue.reset();
    context.reset();
  }
  std::size_t reasons() {
    std::lock_guard lock(mutex_);
    return reasons_.size();
  }
  // Waits until the callback has been called `count` times; false on timeout.
  bool told(std::size_t count) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(20), [&] { return reasons_.size() >= count; });
  }

 private:
  static void CL_CALLBACK note(const char* reason, const void*, std::size_t, void* self) {
    auto& test = *static_cast<ContextCallback*>(self);
    std::lock_guard lock(test.mutex_);
    EXPECT_TRUE(reason && *reason);
    test.reasons_.emplace_back(reason);
    test.changed_.notify_all();
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> reasons_;
};

TEST_F(ContextCallback, IsToldOfRefusedCommands) {
  const test::Buffer buffer = make_buffer(64);
  const test::Program program = build("kernel void set(global int* a) { *a = 1; }");
  const test::Kernel kernel = make_kernel(program, "set");
  char byte = 0;
  const std::size_t one = 1, far[] = {1000, 0, 0}, zero[] = {0, 0, 0}, region[] = {1, 1, 1};
  cl_int error = CL_SUCCESS;
  std::size_t told_of = reasons();
  const auto refused = [&](cl_int code) {
    EXPECT_NE(code, CL_SUCCESS);
    EXPECT_EQ(reasons(), ++told_of);
  };
  refused(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 64, 1, &byte, 0, nullptr, nullptr));
  refused(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 1, nullptr, 0, nullptr, nullptr));
  refused(clEnqueueCopyBuffer(queue, buffer, buffer, 0, 1, 2, 0, nullptr, nullptr));
  refused(clEnqueueFillBuffer(queue, buffer, &byte, 3, 0, 3, 0, nullptr, nullptr));
  refused(clEnqueueReadBufferRect(queue, buffer, CL_TRUE, far, zero, region, 0, 0, 0, 0, &byte, 0, nullptr,
                                  nullptr));
  refused(
      (clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 64, 1, 0, nullptr, nullptr, &error), error));
  refused(clEnqueueUnmapMemObject(queue, buffer, &byte, 0, nullptr, nullptr));
  refused(
      clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));  // no argument
  refused(clEnqueueNDRangeKernel(queue, kernel, 7, nullptr, &one, nullptr, 0, nullptr, nullptr));
  refused(clEnqueueMarkerWithWaitList(queue, 1, nullptr, nullptr));
  refused(clEnqueueBarrierWithWaitList(queue, 1, nullptr, nullptr));
  refused(clEnqueueMigrateMemObjects(queue, 0, nullptr, 0, 0, nullptr, nullptr));
  CL_OK(clFinish(queue));
}

TEST_F(ContextCallback, IsToldOfCommandsThatFailLater) {
  const test::Event gate = make_user_event();
  const test::Buffer buffer = make_buffer(64);
  char bytes[64] = {};
  test::Event marker, read;
  CL_OK(clEnqueueMarkerWithWaitList(queue, 1, gate.list(), marker.out()));
  CL_OK(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, 64, bytes, 1, marker.list(), read.out()));
  EXPECT_EQ(reasons(), 0u);
  CL_OK(clSetUserEventStatus(gate, -5));
  EXPECT_TRUE(told(2));
  EXPECT_EQ(test::status_of(read), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
}

class BlockingCallback : public test::SpinTest {};

// The callback waits for commands, some of which are executed or polled by host threads of the library.
TEST_F(BlockingCallback, MayWaitForAnything) {
  struct Work {
    std::function<test::Event(cl_command_queue)> spin;
    test::Queue in_order, loose;
    test::Buffer buffer;
    std::atomic<int> done = 0, failures = 0;

    void check(cl_int code) { failures += code != CL_SUCCESS; }
    void run() {
      std::vector<std::uint8_t> sent = test::random_values(4096), middle(4096), back(4096);
      test::Event read, written, spun, back_read;
      // The write of the read's result is held until the read is complete.
      check(clEnqueueWriteBuffer(in_order, buffer, CL_TRUE, 0, 4096, sent.data(), 0, nullptr, nullptr));
      check(clEnqueueReadBuffer(loose, buffer, CL_FALSE, 0, 4096, middle.data(), 0, nullptr, read.out()));
      check(clEnqueueWriteBuffer(in_order, buffer, CL_FALSE, 4096, 4096, middle.data(), 1, read.list(),
                                 written.out()));
      check(clWaitForEvents(1, written.list()));
      check(clEnqueueReadBuffer(loose, buffer, CL_TRUE, 4096, 4096, back.data(), 1, written.list(), nullptr));
      failures += back != sent;
      spun = spin(loose);
      check(clFinish(loose));
      failures += test::status_of(spun) != CL_COMPLETE;
      check(clFinish(in_order));
      ++done;
      done.notify_all();
    }
    static void CL_CALLBACK call(cl_event, cl_int, void* self) { static_cast<Work*>(self)->run(); }
  } work{[this](cl_command_queue where) { return spin_for(where, 5); }, make_queue(0),
         make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE), make_buffer(8192)};
  for (int round = 1; round <= 10; ++round) {
    test::Event marker;
    CL_OK(clEnqueueMarkerWithWaitList(queue, 0, nullptr, marker.out()));
    CL_OK(clSetEventCallback(marker, CL_COMPLETE, Work::call, &work));
    work.done.wait(round - 1);
  }
  EXPECT_EQ(work.failures, 0);
}

// Each of many callbacks is called once, and not before its command is complete, whatever the order in which they were set.
TEST_F(BlockingCallback, ManyOfOneQueue) {
  constexpr int kCount = 2000;
  struct Note {
    std::atomic<int>* left;
    std::atomic<int>* early;
    static void CL_CALLBACK call(cl_event event, cl_int status, void* self) {
      auto& note = *static_cast<Note*>(self);
      if (status != CL_COMPLETE || test::status_of(event) != CL_COMPLETE) ++*note.early;
      --*note.left;
      note.left->notify_all();
    }
  };
  std::atomic<int> left = kCount, early = 0;
  Note note{&left, &early};
  spin_for(queue, 20);
  std::vector<test::Event> markers(kCount);
  for (test::Event& marker : markers) CL_OK(clEnqueueMarkerWithWaitList(queue, 0, nullptr, marker.out()));
  std::ranges::shuffle(markers, test::random_engine());
  for (const test::Event& marker : markers) CL_OK(clSetEventCallback(marker, CL_COMPLETE, Note::call, &note));
  for (int seen = left; seen > 0; seen = left) left.wait(seen);
  EXPECT_EQ(early, 0);
}

}  // namespace
