// SPDX-License-Identifier: Apache-2.0
#include <atomic>

#include "driver_kernel_test.h"

namespace clcuda::test {
namespace {

class Fault : public DriverKernelTest {
 protected:
  // Runs a kernel that stores a word at an address, and returns the stream's error.
  CUresult store_at(CUdeviceptr address) {
    const CUstream s = stream();
    EXPECT_EQ(launch(function("store"), 1, 1, s, address, std::uint32_t{1}), CUDA_SUCCESS);
    return cu.cuStreamSynchronize(s);
  }
};

TEST_F(Fault, InsideAnAllocationIsFine) {
  for (std::size_t size : {4, 512, 516, 4096, 10'000, 5'000'000}) {
    const CUdeviceptr memory = device_memory(size);
    EXPECT_EQ(store_at(memory), CUDA_SUCCESS);
    EXPECT_EQ(store_at(memory + (size - 4)), CUDA_SUCCESS);
  }
}

TEST_F(Fault, BehindAnAllocation) {
  EXPECT_EQ(store_at(device_memory(4096) + 4096), CUDA_ERROR_ILLEGAL_ADDRESS);
}
// A large allocation is followed by an inaccessible page within a page of its end.
TEST_F(Fault, BehindALargeAllocation) {
  EXPECT_EQ(store_at(device_memory(8 << 20) + (8 << 20) + 4096), CUDA_ERROR_ILLEGAL_ADDRESS);
}
TEST_F(Fault, BehindAnOddAllocation) {
  EXPECT_EQ(store_at(device_memory(5000) + 5120), CUDA_ERROR_ILLEGAL_ADDRESS);
}
TEST_F(Fault, NullAddress) { EXPECT_EQ(store_at(0), CUDA_ERROR_ILLEGAL_ADDRESS); }
TEST_F(Fault, FreedMemory) {
  const CUdeviceptr memory = device_memory(4096);
  ASSERT_EQ(cu.cuMemFree(memory), CUDA_SUCCESS);
  EXPECT_EQ(store_at(memory), CUDA_ERROR_ILLEGAL_ADDRESS);
}
TEST_F(Fault, Trap) {
  ASSERT_EQ(launch(function("trapping"), 10, 10, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuCtxSynchronize(), CUDA_ERROR_LAUNCH_FAILED);
}

TEST_F(Fault, IsStickyForItsContextOnly) {
  const CUevent e = event();
  const CUdeviceptr memory = device_memory(64);
  ASSERT_EQ(cu.cuEventRecord(e, nullptr), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuEventSynchronize(e), CUDA_SUCCESS);
  ASSERT_EQ(store_at(8), CUDA_ERROR_ILLEGAL_ADDRESS);
  std::vector<std::uint8_t> host(64);
  CUdeviceptr more = 0;
  CUstream s = nullptr;
  EXPECT_EQ(cu.cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(cu.cuEventQuery(e), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(cu.cuMemAlloc(&more, 64), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(cu.cuMemFree(memory), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(cu.cuStreamCreateWithPriority(&s, 0, 0), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(cu.cuMemcpyDtoHAsync(host.data(), memory, 64, nullptr), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(cu.cuEventDestroy(e), CUDA_ERROR_ILLEGAL_ADDRESS);

  ASSERT_EQ(cu.cuCtxSetCurrent(contexts[1]), CUDA_SUCCESS);
  const CUdeviceptr there = device_memory(64);
  EXPECT_EQ(cu.cuMemsetD8Async(there, 1, 64, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(read(there, 64), std::vector<std::uint8_t>(64, 1));

  // A new primary context works.
  ASSERT_EQ(cu.cuDevicePrimaryCtxRelease(0), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuDevicePrimaryCtxRetain(&contexts[0], 0), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuCtxSetCurrent(contexts[0]), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuModuleLoadData(&module, kTestPtx), CUDA_SUCCESS);
  EXPECT_EQ(store_at(device_memory(64)), CUDA_SUCCESS);
}

TEST_F(Fault, QueuedWorkIsDroppedAndWaitersWake) {
  static std::atomic<bool> ran;
  ran = false;
  const CUstream s = stream(), other = stream();
  const CUevent e = event();
  Gate gate;
  ASSERT_EQ(cu.cuLaunchHostFunc(s, Gate::function, gate.argument()), CUDA_SUCCESS);
  ASSERT_EQ(launch(function("store"), 1, 1, s, CUdeviceptr{8}, std::uint32_t{1}), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuLaunchHostFunc(s, [](void*) { ran = true; }, nullptr), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuEventRecord(e, s), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuStreamWaitEvent(other, e, 0), CUDA_SUCCESS);
  std::vector<std::thread> waiters;
  for (int i = 0; i < 4; ++i)
    waiters.emplace_back([&, i] {
      EXPECT_EQ(cu.cuCtxSetCurrent(contexts[0]), CUDA_SUCCESS);
      EXPECT_EQ(i == 0   ? cu.cuStreamSynchronize(s)
                : i == 1 ? cu.cuStreamSynchronize(other)
                : i == 2 ? cu.cuEventSynchronize(e)
                         : cu.cuCtxSynchronize(),
                CUDA_ERROR_ILLEGAL_ADDRESS);
    });
  gate.open();
  for (std::thread& waiter : waiters) waiter.join();
  EXPECT_EQ(cu.cuDevicePrimaryCtxRelease(0), CUDA_SUCCESS);  // waits for work in flight
  EXPECT_FALSE(ran.load());
  EXPECT_EQ(cu.cuDevicePrimaryCtxRetain(&contexts[0], 0), CUDA_SUCCESS);
}

TEST_F(Fault, ReleaseWithWorkQueued) {
  const CUstream s = stream();
  const CUdeviceptr counter = device_memory(4);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(launch(function("count"), 10, 32, s, counter), CUDA_SUCCESS);
}

}  // namespace
}  // namespace clcuda::test
