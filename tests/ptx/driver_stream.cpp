// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "driver_test.h"

namespace clcuda::test {
namespace {

using Stream = DriverTest;

TEST_F(Stream, EnqueueReturnsBeforeTheWorkRuns) {
  const CUstream s = stream();
  const CUdeviceptr memory = device_memory(1 << 20);
  Gate gate;
  ASSERT_EQ(cu.cuLaunchHostFunc(s, Gate::function, gate.argument()), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemsetD8Async(memory, 0x5a, 1 << 20, s), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuStreamQuery(s), CUDA_ERROR_NOT_READY);
  gate.open();
  EXPECT_EQ(cu.cuStreamSynchronize(s), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuStreamQuery(s), CUDA_SUCCESS);
  EXPECT_EQ(read(memory, 1 << 20), std::vector<std::uint8_t>(1 << 20, 0x5a));
}

TEST_F(Stream, BlockedStreamsDoNotHoldUpOthers) {
  // More blocked streams than there are threads for blocks.
  std::array<Gate, 16> gates;
  std::vector<CUstream> blocked;
  for (Gate& gate : gates) {
    blocked.push_back(stream());
    ASSERT_EQ(cu.cuLaunchHostFunc(blocked.back(), Gate::function, gate.argument()), CUDA_SUCCESS);
  }
  for (Gate& gate : gates) gate.wait_until_entered();  // all of them at the same time
  const CUstream free = stream();
  const CUdeviceptr memory = device_memory(4 << 20);
  ASSERT_EQ(cu.cuMemsetD32Async(memory, 7, 1 << 20, free), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuStreamSynchronize(free), CUDA_SUCCESS);
  for (CUstream each : blocked) EXPECT_EQ(cu.cuStreamQuery(each), CUDA_ERROR_NOT_READY);
  for (Gate& gate : gates) gate.open();
  EXPECT_EQ(cu.cuCtxSynchronize(), CUDA_SUCCESS);
}

TEST_F(Stream, CommandsRunInOrder) {
  const CUstream s = stream();
  static std::vector<int> order;
  order.clear();
  constexpr int kCommands = 500;
  std::vector<int> numbers(kCommands);
  for (int i = 0; i < kCommands; ++i) {
    numbers[i] = i;
    ASSERT_EQ(cu.cuLaunchHostFunc(
                  s, [](void* number) { order.push_back(*static_cast<int*>(number)); }, &numbers[i]),
              CUDA_SUCCESS);
  }
  ASSERT_EQ(cu.cuStreamSynchronize(s), CUDA_SUCCESS);
  EXPECT_EQ(order, numbers);
}

TEST_F(Stream, HostFunctionsMayNotCallTheDriver) {
  static std::atomic<CUresult> seen;
  seen = CUDA_SUCCESS;
  ASSERT_EQ(cu.cuLaunchHostFunc(
                nullptr,
                [](void* table) { seen = static_cast<const cuda::DriverTable*>(table)->cuCtxSynchronize(); },
                const_cast<cuda::DriverTable*>(&cu)),
            CUDA_SUCCESS);
  ASSERT_EQ(cu.cuStreamSynchronize(nullptr), CUDA_SUCCESS);
  EXPECT_EQ(seen.load(), CUDA_ERROR_NOT_PERMITTED);
}

TEST_F(Stream, NullStreamWaitsForBlockingStreamsAndTheyForIt) {
  const CUstream blocking = stream(CU_STREAM_DEFAULT), other = stream(CU_STREAM_DEFAULT),
                 free = stream(CU_STREAM_NON_BLOCKING);
  const CUdeviceptr memory = device_memory(64);
  Gate gate;
  ASSERT_EQ(cu.cuLaunchHostFunc(blocking, Gate::function, gate.argument()), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemsetD8Async(memory, 1, 64, nullptr), CUDA_SUCCESS);  // after the gate
  ASSERT_EQ(cu.cuMemsetD8Async(memory, 2, 64, other), CUDA_SUCCESS);    // after the NULL stream
  ASSERT_EQ(cu.cuMemsetD8Async(memory, 3, 64, free), CUDA_SUCCESS);     // after nothing
  EXPECT_EQ(cu.cuStreamSynchronize(free), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuStreamQuery(nullptr), CUDA_ERROR_NOT_READY);
  EXPECT_EQ(cu.cuStreamQuery(CU_STREAM_LEGACY), CUDA_ERROR_NOT_READY);
  EXPECT_EQ(cu.cuStreamQuery(other), CUDA_ERROR_NOT_READY);
  gate.open();
  EXPECT_EQ(cu.cuStreamSynchronize(other), CUDA_SUCCESS);
  EXPECT_EQ(read(memory, 64), std::vector<std::uint8_t>(64, 2));
}

TEST_F(Stream, EachThreadHasItsOwn) {
  const CUdeviceptr memory = device_memory(64);
  Gate gate;
  std::thread([&] {
    ASSERT_EQ(cu.cuCtxSetCurrent(contexts[0]), CUDA_SUCCESS);
    ASSERT_EQ(cu.cuLaunchHostFunc(CU_STREAM_PER_THREAD, Gate::function, gate.argument()), CUDA_SUCCESS);
    ASSERT_EQ(cu.cuMemsetD8Async(memory, 1, 64, CU_STREAM_PER_THREAD), CUDA_SUCCESS);
    EXPECT_EQ(cu.cuStreamQuery(CU_STREAM_PER_THREAD), CUDA_ERROR_NOT_READY);
  }).join();
  EXPECT_EQ(cu.cuStreamQuery(CU_STREAM_PER_THREAD), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemsetD8Async(memory, 2, 64, CU_STREAM_PER_THREAD), CUDA_SUCCESS);  // after nothing
  EXPECT_EQ(cu.cuStreamSynchronize(CU_STREAM_PER_THREAD), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemsetD8Async(memory, 3, 64, nullptr), CUDA_SUCCESS);               // after that thread's
  ASSERT_EQ(cu.cuMemsetD8Async(memory, 4, 32, CU_STREAM_PER_THREAD), CUDA_SUCCESS);  // after the NULL stream
  EXPECT_EQ(cu.cuStreamQuery(CU_STREAM_PER_THREAD), CUDA_ERROR_NOT_READY);
  EXPECT_EQ(cu.cuStreamDestroy(CU_STREAM_PER_THREAD), CUDA_ERROR_INVALID_HANDLE);
  gate.open();
  EXPECT_EQ(cu.cuStreamSynchronize(CU_STREAM_PER_THREAD), CUDA_SUCCESS);
  std::vector<std::uint8_t> expected(64, 3);
  std::fill_n(expected.begin(), 32, 4);
  EXPECT_EQ(read(memory, 64), expected);
}

TEST_F(Stream, DestroyedStreamFinishesItsWork) {
  const CUstream s = stream();
  const CUdeviceptr memory = device_memory(64);
  Gate gate;
  ASSERT_EQ(cu.cuMemsetD8Async(memory, 0, 64, nullptr), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuLaunchHostFunc(s, Gate::function, gate.argument()), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemsetD8Async(memory, 9, 64, s), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuStreamDestroy(s), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuStreamDestroy(s), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cu.cuStreamQuery(s), CUDA_ERROR_INVALID_HANDLE);
  gate.open();
  EXPECT_EQ(cu.cuCtxSynchronize(), CUDA_SUCCESS);
  EXPECT_EQ(read(memory, 64), std::vector<std::uint8_t>(64, 9));
}

TEST_F(Stream, BadArguments) {
  CUstream s = nullptr;
  EXPECT_EQ(cu.cuStreamCreateWithPriority(nullptr, 0, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuStreamCreateWithPriority(&s, 0x80, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuStreamCreateWithPriority(&s, 0, -100), CUDA_SUCCESS);  // clamped
  for (std::uint64_t garbage : {std::uint64_t{3}, std::uint64_t{0x12345678}, ~std::uint64_t{0},
                                reinterpret_cast<std::uint64_t>(&s)}) {
    const auto handle = reinterpret_cast<CUstream>(garbage);
    EXPECT_EQ(cu.cuStreamQuery(handle), CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(cu.cuStreamSynchronize(handle), CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(cu.cuStreamDestroy(handle), CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(cu.cuEventQuery(reinterpret_cast<CUevent>(garbage)), CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(cu.cuModuleUnload(reinterpret_cast<CUmodule>(garbage)), CUDA_ERROR_INVALID_HANDLE);
  }
  EXPECT_EQ(cu.cuStreamDestroy(nullptr), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cu.cuLaunchHostFunc(s, nullptr, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuEventQuery(reinterpret_cast<CUevent>(s)),
            CUDA_ERROR_INVALID_HANDLE);  // a handle of another type
  int least = 1, greatest = 1;
  EXPECT_EQ(cu.cuCtxGetStreamPriorityRange(&least, &greatest), CUDA_SUCCESS);
  EXPECT_GE(least, greatest);
  EXPECT_EQ(cu.cuCtxGetStreamPriorityRange(nullptr, nullptr), CUDA_SUCCESS);
}

TEST_F(Stream, ManyThreads) {
  constexpr int kThreads = 8, kRounds = 100;
  const CUdeviceptr memory = device_memory(kThreads * 4096);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      EXPECT_EQ(cu.cuCtxSetCurrent(contexts[0]), CUDA_SUCCESS);
      const CUdeviceptr mine = memory + t * 4096;
      for (int round = 0; round < kRounds; ++round) {
        const CUstream a = stream(), b = stream(round % 2 ? CU_STREAM_DEFAULT : CU_STREAM_NON_BLOCKING);
        const CUevent e = event();
        EXPECT_EQ(cu.cuMemsetD32Async(mine, static_cast<unsigned>(round), 1024, a), CUDA_SUCCESS);
        EXPECT_EQ(cu.cuEventRecord(e, a), CUDA_SUCCESS);
        EXPECT_EQ(cu.cuStreamWaitEvent(b, e, 0), CUDA_SUCCESS);
        std::vector<unsigned> seen(1024);
        EXPECT_EQ(cu.cuMemcpyDtoHAsync(seen.data(), mine, 4096, b), CUDA_SUCCESS);
        EXPECT_EQ(seen, std::vector<unsigned>(1024, static_cast<unsigned>(round)));
        EXPECT_EQ(cu.cuStreamDestroy(a), CUDA_SUCCESS);
        EXPECT_EQ(cu.cuStreamDestroy(b), CUDA_SUCCESS);
        EXPECT_EQ(cu.cuEventDestroy(e), CUDA_SUCCESS);
      }
    });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace clcuda::test
