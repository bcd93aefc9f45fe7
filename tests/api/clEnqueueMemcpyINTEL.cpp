// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include "usm_test.h"

namespace {

class UsmMemcpy : public test::UsmTest {};

// Copies between all kinds of memory, pageable host memory included, of several sizes; blocking and not, with an event and without.
TEST_F(UsmMemcpy, BetweenAllKindsOfMemory) {
  for (const std::size_t size :
       {std::size_t{1}, test::random_engine()() % 5000 + 1, std::size_t{300'001}, std::size_t{5'000'000}}) {
    const auto values = test::random_values(size);
    std::vector<test::UsmMemory> memories;
    for (const test::Usm kind : test::kAllKinds) memories.push_back(allocate(kind, size + 16));
    std::vector<std::uint8_t> between(size), seen(size);
    const char* places[] = {memories[0].get() + 3, memories[1].get() + 5, memories[2].get() + 7,
                            reinterpret_cast<const char*>(between.data())};
    for (const char* from : places)
      for (const char* to : places) {
        if (from == to) continue;
        const cl_bool blocking = test::random_engine()() % 2;
        std::fill(seen.begin(), seen.end(), std::uint8_t{0});
        test::Event event;
        CL_OK(usm->copy(queue, CL_FALSE, const_cast<char*>(from), values.data(), size, 0, nullptr, nullptr));
        CL_OK(usm->copy(queue, blocking, const_cast<char*>(to), from, size, 0, nullptr,
                        test::random_engine()() % 2 ? event.out() : nullptr));
        CL_OK(usm->copy(queue, CL_FALSE, seen.data(), to, size, 0, nullptr, nullptr));
        CL_OK(clFinish(queue));
        ASSERT_EQ(seen, values) << size;
      }
  }
}

// The USM functions accept SVM allocations, and the SVM functions accept USM allocations.
TEST_F(UsmMemcpy, BesideSharedVirtualMemory) {
  const std::size_t size = 10'000;
  void* const svm = clSVMAlloc(context, 0, size, 0);
  ASSERT_NE(svm, nullptr);
  for (const test::Usm kind : test::kAllKinds) {
    const auto values = test::random_values(size);
    const test::UsmMemory memory = allocate(kind, size), back = allocate(kind, size);
    write(memory, values);
    CL_OK(usm->copy(queue, CL_FALSE, svm, memory.get(), size, 0, nullptr, nullptr));
    CL_OK(clEnqueueSVMMemcpy(queue, CL_FALSE, back.get(), svm, size, 0, nullptr, nullptr));
    EXPECT_EQ(read(back, size), values);
  }
  clSVMFree(context, svm);
}

// In an in-order queue copies are ordered with kernels.
TEST_F(UsmMemcpy, InTheQueuesOrder) {
  constexpr std::size_t kCount = 1 << 16;
  const test::Program program = build("kernel void k(global uint* p) { p[get_global_id(0)] += 1; }");
  const test::Kernel kernel = make_kernel(program, "k");
  for (const test::Usm kind : test::kAllKinds) {
    const test::UsmMemory memory = allocate(kind, kCount * 4), copy = allocate(test::Usm::host, kCount * 4);
    std::fill_n(copy.as<cl_uint>(), kCount, 0);
    CL_OK(usm->set_argument(kernel, 0, memory.get()));
    for (int round = 0; round < 20; ++round) {
      CL_OK(usm->copy(queue, CL_FALSE, memory.get(), copy.get(), kCount * 4, 0, nullptr, nullptr));
      launch(kernel, kCount);
      CL_OK(usm->copy(queue, CL_FALSE, copy.get(), memory.get(), kCount * 4, 0, nullptr, nullptr));
    }
    CL_OK(clFinish(queue));
    EXPECT_EQ(std::vector<cl_uint>(copy.as<cl_uint>(), copy.as<cl_uint>() + kCount),
              std::vector<cl_uint>(kCount, 20));
  }
}

// Copies from pageable memory, in a queue with a kernel that runs until it is released.
class UsmMemcpyBehindAKernel : public test::UsmTest {
 protected:
  void SetUp() override {
    UsmTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    program = build(test::UsmGate::kSource);
    hold = make_kernel(program, "hold");
    flag = allocate(test::Usm::host, sizeof(cl_int));
  }
  // Copies random values to memory of each kind and reads them in another queue. `limit`: the kernel is released when the copy's call has
  // returned, at the latest after this time. `returns`: whether the call is to return first.
  void check(cl_bool blocking, std::chrono::milliseconds limit, bool returns) {
    const test::Queue other = make_queue(0);
    for (const test::Usm kind : test::kAllKinds)
      for (const std::size_t size : {std::size_t{100}, std::size_t{100'000}}) {
        SCOPED_TRACE(size);
        const auto values = test::random_values(size);
        const test::UsmMemory memory = allocate(kind, size);
        std::atomic<bool> returned = false;
        test::UsmGate gate(hold, queue, flag.as<cl_int>());
        std::thread guard([&] {
          const auto end = std::chrono::steady_clock::now() + limit;
          while (!returned && std::chrono::steady_clock::now() < end)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
          EXPECT_EQ(returned, returns);
          gate.open();
        });
        CL_EXPECT(CL_SUCCESS,
                  usm->copy(queue, blocking, memory.get(), values.data(), size, 0, nullptr, nullptr));
        returned = true;
        guard.join();
        if (!blocking) CL_OK(clFinish(queue));
        std::vector<std::uint8_t> seen(size);
        CL_OK(usm->copy(other, CL_TRUE, seen.data(), memory.get(), size, 0, nullptr, nullptr));
        EXPECT_EQ(seen, values);
      }
  }
  test::Program program;
  test::Kernel hold;
  test::UsmMemory flag;
};

TEST_F(UsmMemcpyBehindAKernel, NonBlockingCopiesDoNotWait) {
  check(CL_FALSE, std::chrono::seconds(10), true);
}

TEST_F(UsmMemcpyBehindAKernel, BlockingCopiesWait) { check(CL_TRUE, std::chrono::milliseconds(100), false); }

TEST_F(UsmMemcpy, Errors) {
  const test::UsmMemory memory = allocate(test::Usm::device, 1024);
  char host[64] = {};
  const auto copy = [&](void* to, const void* from, std::size_t size) {
    return usm->copy(queue, CL_TRUE, to, from, size, 0, nullptr, nullptr);
  };
  CL_EXPECT(CL_INVALID_VALUE, copy(nullptr, host, 1));
  CL_EXPECT(CL_INVALID_VALUE, copy(host, nullptr, 1));
  CL_EXPECT(CL_INVALID_VALUE, copy(memory.get() + 1000, host, 25));
  CL_EXPECT(CL_INVALID_VALUE, copy(host, memory.get() + 1000, 25));
  CL_EXPECT(CL_MEM_COPY_OVERLAP, copy(memory.get(), memory.get(), 1));
  CL_EXPECT(CL_MEM_COPY_OVERLAP, copy(memory.get() + 31, memory.get(), 32));
  CL_EXPECT(CL_MEM_COPY_OVERLAP, copy(memory.get(), memory.get() + 31, 32));
  CL_EXPECT(CL_SUCCESS, copy(memory.get(), memory.get() + 32, 32));
  CL_EXPECT(CL_SUCCESS, copy(memory.get(), host, 0));
  const test::Event gate = make_user_event();
  CL_OK(clSetUserEventStatus(gate, -5));
  CL_EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
            usm->copy(queue, CL_TRUE, memory.get(), host, 1, 1, gate.list(), nullptr));
}

TEST_F(UsmMemcpy, WaitList) {
  const test::UsmMemory device_memory = allocate(test::Usm::device, 1024),
                        host_memory = allocate(test::Usm::host, 1024);
  std::vector<char> host(512), other(512);
  const auto check = [&](void* to, const void* from) {
    check_wait_list(CL_COMMAND_MEMCPY_INTEL,
                    [&](cl_command_queue tested, cl_uint count, const cl_event* waits, cl_event* event) {
                      return usm->copy(tested, CL_FALSE, to, from, 512, count, waits, event);
                    });
  };
  check(device_memory.get(), device_memory.get() + 512);
  check(device_memory.get(), host.data());
  check(host_memory.get(), device_memory.get());
  check(host_memory.get(), host_memory.get() + 512);
  check(other.data(), host.data());
}

}  // namespace
