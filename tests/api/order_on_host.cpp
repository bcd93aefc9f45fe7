// SPDX-License-Identifier: Apache-2.0
// Commands that end with a step on the host (small reads copy to the application's memory, kernels that print write their text) must be
// complete before any command or call that waits for them, directly or indirectly, in any queue.
#include <pthread.h>
#include <unistd.h>

#include <cstdio>

#include "support/opencl.h"

namespace {

class OrderOnHost : public test::OpenCL {
 protected:
  void SetUp() override {
    test::OpenCL::SetUp();
    if (HasFatalFailure()) return;
    sent = test::random_values(kSize);
    buffer = make_buffer(sent);
    back.assign(kSize, 0);
  }
  // A non-blocking read; the tests do not wait for its event directly.
  test::Event read_into_back(cl_command_queue where) {
    test::Event read;
    back.assign(kSize, 0);
    CL_EXPECT(CL_SUCCESS,
              clEnqueueReadBuffer(where, buffer, CL_FALSE, 0, kSize, back.data(), 0, nullptr, read.out()));
    return read;
  }
  test::Event marker(cl_command_queue where, const test::Event& behind) {
    test::Event marker;
    CL_EXPECT(CL_SUCCESS, clEnqueueMarkerWithWaitList(where, 1, behind.list(), marker.out()));
    return marker;
  }
  test::Event fill(cl_command_queue where, cl_uint count, const cl_event* waits) {
    test::Event filled;
    const cl_uint value = 7;
    CL_EXPECT(CL_SUCCESS,
              clEnqueueFillBuffer(where, other, &value, sizeof value, 0, 64, count, waits, filled.out()));
    return filled;
  }
  static constexpr std::size_t kSize = 64 << 10;
  std::vector<std::uint8_t> sent, back;
  test::Buffer buffer, other = nullptr;
};

TEST_F(OrderOnHost, AcrossQueues) {
  other = make_buffer(64);
  const test::Queue second = make_queue(0), third = make_queue(0),
                    loose = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  for (const cl_command_queue reader : {queue.get(), loose.get()}) {
    for (int way = 0; way < 6; ++way) {
      SCOPED_TRACE(way);
      const test::Event read = read_into_back(reader);
      test::Event last = way % 2 ? fill(second, 1, read.list()) : marker(second, read);
      if (way >= 2) {
        // A command that waits only for a successor of the read.
        const test::Event behind = std::move(last);
        last = fill(third, 1, behind.list());
      }
      if (way >= 4) last = fill(third, 0, nullptr);  // or for nothing, but follows in the same queue
      CL_OK(clWaitForEvents(1, last.list()));
      EXPECT_TRUE(back == sent);
    }
  }
}

// Each queue's commands end on the host, behind those of the queue before it. The depth of a waiting thread's stack is the same for all.
TEST_F(OrderOnHost, InAChainOfManyQueues) {
  constexpr int kQueues = 3000;
  const test::Kernel loud =
      make_kernel(build("kernel void loud(uint n) { if (n) printf(\"%u\\n\", n); }"), "loud");
  set_arguments(loud, cl_uint{0});
  std::vector<test::Queue> queues;
  const test::Event gate = make_user_event();
  test::Event last;
  const std::size_t one = 1;
  const auto enqueue = [&](cl_command_queue where, const cl_event* before) {
    test::Event event;
    CL_EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(where, loud, 1, nullptr, &one, nullptr, before ? 1 : 0,
                                                 before, event.out()));
    return event;
  };
  for (int i = 0; i < kQueues; ++i) {
    queues.push_back(make_queue(0));
    enqueue(queues.back(), last ? last.list() : gate.list());
    last = enqueue(queues.back(), nullptr);
  }
  CL_OK(clSetUserEventStatus(gate, CL_COMPLETE));
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, std::size_t{512} << 10);
  pthread_t thread{};
  const auto wait = [](void* event) -> void* {
    CL_EXPECT(CL_SUCCESS, clWaitForEvents(1, static_cast<const test::Event*>(event)->list()));
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, wait, &last), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  EXPECT_EQ(test::status_of(last), CL_COMPLETE);
}

TEST_F(OrderOnHost, BehindBarriers) {
  other = make_buffer(64);
  const test::Queue loose = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE), second = make_queue(0);
  for (int way = 0; way < 3; ++way) {
    SCOPED_TRACE(way);
    test::Event read = read_into_back(way == 2 ? second : loose);
    if (way == 2) fill(loose, 1, read.list());
    read.reset();
    CL_OK(clEnqueueBarrierWithWaitList(loose, 0, nullptr, nullptr));
    const test::Event behind = fill(loose, 0, nullptr);
    test::Event last = way == 1 ? marker(second, behind) : fill(loose, 1, behind.list());
    CL_OK(clWaitForEvents(1, last.list()));
    EXPECT_TRUE(back == sent);
  }
}

TEST_F(OrderOnHost, FinishOfAnotherQueue) {
  const test::Queue loose = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE), second = make_queue(0);
  const test::Event read = read_into_back(loose);
  marker(second, read);
  CL_OK(clFinish(second));
  EXPECT_TRUE(back == sent);
}

// Each of two reads in different queues has such a step, and the later one waits for the earlier one.
TEST_F(OrderOnHost, TwoReadsBeforeAThirdQueue) {
  const test::Queue second = make_queue(0), third = make_queue(0);
  for (int round = 0; round < 10; ++round) {
    std::vector<std::uint8_t> back_too(kSize);
    const test::Event read = read_into_back(queue);
    test::Event read_too;
    CL_OK(clEnqueueReadBuffer(second, buffer, CL_FALSE, 0, kSize, back_too.data(), 1, read.list(),
                              read_too.out()));
    const test::Event last = marker(third, read_too);
    CL_OK(clWaitForEvents(1, last.list()));
    EXPECT_TRUE(back == sent);
    EXPECT_TRUE(back_too == sent);
  }
}

// What a read has stored is written, before the read is known to be complete.
TEST_F(OrderOnHost, WritesOfWhatWasRead) {
  for (const cl_bool blocking : {CL_FALSE, CL_TRUE}) {
    other = make_buffer(kSize);
    read_into_back(queue);
    CL_OK(clEnqueueWriteBuffer(queue, other, blocking, 0, kSize, back.data(), 0, nullptr, nullptr));
    EXPECT_TRUE(contents(other, kSize) == sent);
  }
}

// A blocking call in an in-order queue returns after the host steps of all earlier commands, even if it has no such step itself.
TEST_F(OrderOnHost, BlockingTransfersOfPageLockedMemory) {
  other = make_buffer(kSize);
  const test::Buffer mapped = clCreateBuffer(context, CL_MEM_ALLOC_HOST_PTR, kSize, nullptr, nullptr);
  void* memory = clEnqueueMapBuffer(queue, mapped, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, kSize, 0, nullptr,
                                    nullptr, nullptr);
  ASSERT_NE(memory, nullptr);
  for (const bool reads : {true, false}) {
    back.assign(kSize, 0);
    CL_OK(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, kSize, back.data(), 0, nullptr, nullptr));
    if (reads)
      CL_OK(clEnqueueReadBuffer(queue, other, CL_TRUE, 0, kSize, memory, 0, nullptr, nullptr));
    else
      CL_OK(clEnqueueWriteBuffer(queue, other, CL_TRUE, 0, kSize, memory, 0, nullptr, nullptr));
    EXPECT_TRUE(back == sent);
  }
  CL_OK(clEnqueueUnmapMemObject(queue, mapped, memory, 0, nullptr, nullptr));
}

// Long chains of such steps in two queues must not be followed recursively.
TEST_F(OrderOnHost, LongChains) {
  const test::Queue loose = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE), second = make_queue(0);
  constexpr int kCount = 3000;
  std::vector<std::uint8_t> parts(kCount);
  test::Event last = marker(second, read_into_back(loose));
  for (int i = 0; i < kCount; ++i) {
    test::Event next;
    const auto at = static_cast<std::size_t>(i);
    CL_OK(clEnqueueReadBuffer(i % 2 ? second : loose, buffer, CL_FALSE, at, 1, &parts[at], 1, last.list(),
                              next.out()));
    last = std::move(next);
  }
  CL_OK(clWaitForEvents(1, last.list()));
  EXPECT_TRUE(std::equal(parts.begin(), parts.end(), sent.begin()));
  EXPECT_TRUE(back == sent);
}

TEST_F(OrderOnHost, TextOfAnotherQueuesKernel) {
  const test::Program program = build("kernel void say(int n) { printf(\"said %d\\n\", n); }");
  const test::Kernel kernel = make_kernel(program, "say");
  const test::Queue loose = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE), second = make_queue(0);
  const std::size_t one = 1;
  for (const cl_int n : {1, 2, 3}) {
    testing::internal::CaptureStdout();
    test::Event said, behind;
    set_arguments(kernel, n);
    CL_OK(clEnqueueNDRangeKernel(n == 1 ? queue : loose, kernel, 1, nullptr, &one, nullptr, 0, nullptr,
                                 said.out()));
    if (n == 3)
      CL_OK(clEnqueueMarkerWithWaitList(loose, 0, nullptr, behind.out()));
    else
      behind = marker(second, said);
    CL_OK(clWaitForEvents(1, behind.list()));
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "said " + std::to_string(n) + "\n");
  }
}

// As TwoReadsBeforeAThirdQueue, with kernels that print.
TEST_F(OrderOnHost, TextsOfTwoQueuesBeforeAThird) {
  const test::Program program = build("kernel void say(int n) { printf(\"said %d\\n\", n); }");
  const test::Kernel kernel = make_kernel(program, "say");
  const test::Queue second = make_queue(0), third = make_queue(0);
  const std::size_t one = 1;
  for (int round = 0; round < 10; ++round) {
    testing::internal::CaptureStdout();
    test::Event said, said_too;
    set_arguments(kernel, cl_int{1});
    CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, said.out()));
    set_arguments(kernel, cl_int{2});
    CL_OK(clEnqueueNDRangeKernel(second, kernel, 1, nullptr, &one, nullptr, 1, said.list(), said_too.out()));
    const test::Event last = marker(third, said_too);
    CL_OK(clWaitForEvents(1, last.list()));
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "said 1\nsaid 2\n");
  }
}

// Between a kernel that prints and a function on the host is a launch that fails without having run: before the function is enqueued, or
// while it waits.
TEST_F(OrderOnHost, BehindCommandsThatFail) {
  const test::Program program = build(
      "kernel void say(global int* a, int rounds) {\n"
      "  int v = a[0];\n"
      "  for (int i = 0; i < rounds; ++i) v = v * 3 + i;\n"
      "  a[0] = v;\n"
      "  printf(\"said\\n\");\n"
      "}\n");
  const test::Kernel kernel = make_kernel(program, "say");
  other = make_buffer(64);
  set_arguments(kernel, other, cl_int{30'000'000});
  const test::Queue loose = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const std::size_t one = 1;
  struct Seen {
    cl_event said;
    cl_int status;
  };
  const auto look = [](void* seen) {
    Seen& to = **static_cast<Seen**>(seen);
    to.status = test::status_of(to.said);
  };
  for (const cl_command_queue where : {queue.get(), loose.get()}) {
    for (const bool fails_first : {true, false}) {
      SCOPED_TRACE(fails_first);
      testing::internal::CaptureStdout();
      test::Event said;
      const test::Event gate = make_user_event();
      CL_OK(clEnqueueNDRangeKernel(where, kernel, 1, nullptr, &one, nullptr, 0, nullptr, said.out()));
      if (where == queue.get()) {
        CL_OK(clEnqueueNDRangeKernel(where, kernel, 1, nullptr, &one, nullptr, 1, gate.list(), nullptr));
      } else {
        CL_OK(clEnqueueBarrierWithWaitList(where, 0, nullptr, nullptr));
        CL_OK(clEnqueueBarrierWithWaitList(where, 1, gate.list(), nullptr));
      }
      if (fails_first) CL_OK(clSetUserEventStatus(gate, -1));
      Seen seen{said, 1};
      Seen* argument = &seen;
      CL_OK(clEnqueueNativeKernel(where, look, &argument, sizeof argument, 0, nullptr, nullptr, 0, nullptr,
                                  nullptr));
      if (!fails_first) CL_OK(clSetUserEventStatus(gate, -1));
      CL_OK(clFinish(where));
      EXPECT_EQ(testing::internal::GetCapturedStdout(), "said\n");
      EXPECT_EQ(seen.status, CL_COMPLETE);
    }
  }
}

}  // namespace
