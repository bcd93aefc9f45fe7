// SPDX-License-Identifier: Apache-2.0
// clMemFreeINTEL and clMemBlockingFreeINTEL.
#include <cstdlib>
#include <thread>

#include "usm_test.h"

namespace {

class MemFree : public test::UsmTest {
 protected:
  void SetUp() override {
    UsmTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    program = build(std::string(test::UsmGate::kSource) +
                    "kernel void write(global uint* p, uint v) { p[get_global_id(0)] = v; }");
    hold = make_kernel(program, "hold");
    flag = allocate(test::Usm::host, sizeof(cl_int));
  }
  test::Program program;
  test::Kernel hold;
  test::UsmMemory flag;
};

TEST_F(MemFree, Errors) {
  const test::UsmMemory memory = allocate(test::Usm::shared, 1000);
  void* const svm = clSVMAlloc(context, 0, 64, 0);
  int on_stack = 0;
  for (const auto free : {usm->free, usm->blocking_free}) {
    CL_EXPECT(CL_SUCCESS, free(context, nullptr));
    CL_EXPECT(CL_INVALID_CONTEXT, free(nullptr, memory.get()));
    CL_EXPECT(CL_INVALID_CONTEXT, free(reinterpret_cast<cl_context>(queue.get()), memory.get()));
    CL_EXPECT(CL_INVALID_VALUE, free(context, memory.get() + 1));
    CL_EXPECT(CL_INVALID_VALUE, free(context, &on_stack));
    CL_EXPECT(CL_INVALID_VALUE, free(context, svm));
    cl_int error = 1;
    const test::Context other = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
    CL_EXPECT(CL_INVALID_VALUE, free(other, memory.get()));
    for (const test::Usm kind : test::kAllKinds) {
      void* const freed = allocate(kind, 100).release();
      CL_EXPECT(CL_SUCCESS, free(context, freed));
      CL_EXPECT(CL_INVALID_VALUE, free(context, freed));
    }
  }
  clSVMFree(context, memory.get());  // not an SVM allocation: no effect
  cl_uint type = 0;
  CL_OK(usm->info(context, memory.get(), CL_MEM_ALLOC_TYPE_INTEL, sizeof type, &type, nullptr));
  EXPECT_EQ(type, static_cast<cl_uint>(CL_MEM_TYPE_SHARED_INTEL));
  clSVMFree(context, svm);
}

// clMemFreeINTEL does not wait, and the memory is not reused while a kernel runs that may use it.
TEST_F(MemFree, NothingIsGivenToOthersWhileKernelsRun) {
  for (const test::Usm kind : test::kAllKinds) {
    constexpr std::size_t kSize = 4 << 20;
    const test::Queue other = make_queue(0);
    std::vector<test::UsmMemory> later;
    void* const freed = allocate(kind, kSize).release();
    {
      test::UsmGate gate(hold, other, flag.as<cl_int>());
      CL_OK(usm->free(context, freed));
      for (int i = 0; i < 8; ++i) {
        later.push_back(allocate(kind, kSize));
        EXPECT_FALSE(later.back().get() < static_cast<char*>(freed) + kSize &&
                     static_cast<char*>(freed) < later.back().get() + kSize);
      }
      gate.open();
    }
    CL_OK(clFinish(other));
  }
}

// Commands that are held by a user event are not in a stream yet; the memory must not be reused before they have ended either.
TEST_F(MemFree, NothingIsGivenToOthersWhileKernelsAreHeld) {
  const test::Kernel writer = make_kernel(program, "write");
  for (const cl_command_queue_properties properties : {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE})
    for (const test::Usm kind : test::kAllKinds) {
      constexpr std::size_t kCount = 1 << 18, kSize = kCount * sizeof(cl_uint);
      const test::Queue other = make_queue(properties);
      const test::Event gate = make_user_event();
      void* const freed = allocate(kind, kSize).release();
      CL_OK(usm->set_argument(writer, 0, freed));
      set_argument(writer, 1, cl_uint{0xdeadbeef});
      CL_OK(clEnqueueNDRangeKernel(other, writer, 1, nullptr, &kCount, nullptr, 1, gate.list(), nullptr));
      CL_OK(usm->free(context, freed));
      std::vector<test::UsmMemory> later;
      for (int i = 0; i < 8; ++i) {
        later.push_back(allocate(kind, kSize));
        write(later.back(), std::vector<cl_uint>(kCount, 0));
      }
      CL_OK(clSetUserEventStatus(gate, CL_COMPLETE));
      CL_OK(clFinish(other));
      for (const test::UsmMemory& memory : later)
        EXPECT_EQ(read<cl_uint>(memory, kCount), std::vector<cl_uint>(kCount, 0));
    }
}

// The same for commands of a released queue.
TEST_F(MemFree, NothingIsGivenToOthersWhileWorkOfReleasedQueuesRuns) {
  constexpr std::size_t kSize = 1 << 20;
  for (const test::Usm kind : test::kAllKinds) {
    void* const freed = allocate(kind, kSize).release();
    test::Queue gone = make_queue(0);
    test::UsmGate gate(hold, gone, flag.as<cl_int>());
    gone.reset();
    CL_OK(usm->free(context, freed));
    std::vector<test::UsmMemory> later;
    for (int i = 0; i < 8; ++i) {
      later.push_back(allocate(kind, kSize));
      const auto distance = static_cast<const char*>(later.back().get()) - static_cast<const char*>(freed);
      EXPECT_GE(std::abs(distance), static_cast<std::ptrdiff_t>(kSize));
    }
    gate.open();
    CL_OK(usm->blocking_free(context, allocate(kind, 1).release()));  // waits for released queues too
  }
}

TEST_F(MemFree, BlockingWaitsForAllQueues) {
  const test::Kernel writer = make_kernel(program, "write");
  for (const cl_command_queue_properties properties : {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE})
    for (const test::Usm kind : test::kAllKinds) {
      const test::Queue other = make_queue(properties);
      const test::Event gate = make_user_event();
      void* const freed = allocate(kind, 4096).release();
      CL_OK(usm->set_argument(writer, 0, freed));
      set_argument(writer, 1, cl_uint{1});
      const std::size_t items = 1024;
      test::Event done;
      CL_OK(clEnqueueNDRangeKernel(other, writer, 1, nullptr, &items, nullptr, 1, gate.list(), done.out()));
      std::thread opener([&] { clSetUserEventStatus(gate, CL_COMPLETE); });
      CL_EXPECT(CL_SUCCESS, usm->blocking_free(context, freed));
      EXPECT_EQ(test::status_of(done), CL_COMPLETE);
      opener.join();
    }
}

// Memory that the application has not freed is freed with its context.
TEST_F(MemFree, TheContextFreesTheRest) {
  cl_ulong whole = 0;
  CL_OK(clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof whole, &whole, nullptr));
  for (int round = 0; round < 40; ++round) {
    cl_int error = 1;
    const test::Context own = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
    CL_OK(error);
    EXPECT_NE(nullptr, usm->device_alloc(own, device, nullptr, whole / 16, 0, &error));
    CL_OK(error);
    EXPECT_NE(nullptr, usm->shared_alloc(own, device, nullptr, 1 << 20, 0, &error));
    CL_OK(error);
    EXPECT_NE(nullptr, usm->host_alloc(own, nullptr, 1 << 20, 0, &error));
    CL_OK(error);
  }
}

}  // namespace
