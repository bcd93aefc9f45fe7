// SPDX-License-Identifier: Apache-2.0
#include "driver_test.h"

namespace clcuda::test {
namespace {

using Event = DriverTest;

TEST_F(Event, NeverRecordedIsComplete) {
  const CUevent e = event();
  EXPECT_EQ(cu.cuEventQuery(e), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuEventSynchronize(e), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuStreamWaitEvent(stream(), e, 0), CUDA_SUCCESS);
}

TEST_F(Event, CompletesInStreamOrder) {
  const CUstream s = stream();
  const CUevent before = event(), after = event();
  Gate gate;
  ASSERT_EQ(cu.cuEventRecord(before, s), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuLaunchHostFunc(s, Gate::function, gate.argument()), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuEventRecord(after, s), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuEventSynchronize(before), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuEventQuery(after), CUDA_ERROR_NOT_READY);
  gate.open();
  EXPECT_EQ(cu.cuEventSynchronize(after), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuEventQuery(after), CUDA_SUCCESS);
}

TEST_F(Event, WaitTakesTheRecordOfItsTime) {
  const CUstream a = stream(), b = stream(), waiting = stream();
  const CUevent e = event();
  Gate first, second;
  ASSERT_EQ(cu.cuLaunchHostFunc(a, Gate::function, first.argument()), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuEventRecord(e, a), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuStreamWaitEvent(waiting, e, 0), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuLaunchHostFunc(b, Gate::function, second.argument()), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuEventRecord(e, b), CUDA_SUCCESS);  // this record replaces the previous one
  EXPECT_EQ(cu.cuStreamQuery(waiting), CUDA_ERROR_NOT_READY);
  first.open();
  EXPECT_EQ(cu.cuStreamSynchronize(waiting), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuEventQuery(e), CUDA_ERROR_NOT_READY);
  EXPECT_EQ(cu.cuEventDestroy(e), CUDA_SUCCESS);  // while the record is pending
  second.open();
}

TEST_F(Event, LongChainsOverManyStreams) {
  constexpr int kStreams = 8, kLength = 4000;
  std::vector<CUstream> streams;
  for (int i = 0; i < kStreams; ++i) streams.push_back(stream());
  Gate gate;
  ASSERT_EQ(cu.cuLaunchHostFunc(streams[0], Gate::function, gate.argument()), CUDA_SUCCESS);
  const CUevent e = event();
  for (int i = 0; i < kLength; ++i) {
    ASSERT_EQ(cu.cuEventRecord(e, streams[i % kStreams]), CUDA_SUCCESS);
    ASSERT_EQ(cu.cuStreamWaitEvent(streams[(i + 1) % kStreams], e, 0), CUDA_SUCCESS);
  }
  for (CUstream s : streams) EXPECT_EQ(cu.cuStreamQuery(s), CUDA_ERROR_NOT_READY);
  gate.open();
  EXPECT_EQ(cu.cuCtxSynchronize(), CUDA_SUCCESS);
}

TEST_F(Event, AcrossDevices) {
  const CUstream here = stream();
  const CUevent e = event();
  Gate gate;
  ASSERT_EQ(cu.cuLaunchHostFunc(here, Gate::function, gate.argument()), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuEventRecord(e, here), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuCtxSetCurrent(contexts[1]), CUDA_SUCCESS);
  const CUstream there = stream();
  EXPECT_EQ(cu.cuEventRecord(e, there), CUDA_ERROR_INVALID_HANDLE);
  ASSERT_EQ(cu.cuStreamWaitEvent(there, e, 0), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuStreamQuery(there), CUDA_ERROR_NOT_READY);
  gate.open();
  EXPECT_EQ(cu.cuStreamSynchronize(there), CUDA_SUCCESS);
}

TEST_F(Event, ElapsedTime) {
  const CUevent start = event(CU_EVENT_DEFAULT), end = event(CU_EVENT_BLOCKING_SYNC), untimed = event();
  float milliseconds = -1;
  EXPECT_EQ(cu.cuEventElapsedTime(&milliseconds, start, end), CUDA_ERROR_INVALID_HANDLE);  // not recorded
  const CUstream s = stream();
  Gate gate;
  ASSERT_EQ(cu.cuEventRecord(untimed, s), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuEventRecord(start, s), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuLaunchHostFunc(s, Gate::function, gate.argument()), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuEventRecord(end, s), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuEventElapsedTime(&milliseconds, start, end), CUDA_ERROR_NOT_READY);
  std::this_thread::sleep_for(std::chrono::milliseconds(3));
  gate.open();
  ASSERT_EQ(cu.cuEventSynchronize(end), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuEventElapsedTime(&milliseconds, start, end), CUDA_SUCCESS);
  EXPECT_GE(milliseconds, 3.0f);
  EXPECT_EQ(cu.cuEventElapsedTime(&milliseconds, untimed, end), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cu.cuEventElapsedTime(nullptr, start, end), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Event, BadArguments) {
  CUevent e = nullptr;
  EXPECT_EQ(cu.cuEventCreate(nullptr, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuEventCreate(&e, 0x100), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuEventQuery(nullptr), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cu.cuEventRecord(nullptr, nullptr), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cu.cuEventDestroy(nullptr), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cu.cuStreamWaitEvent(nullptr, nullptr, 0), CUDA_ERROR_INVALID_HANDLE);
  e = event();
  EXPECT_EQ(cu.cuStreamWaitEvent(nullptr, e, 0x10), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuEventDestroy(e), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuEventSynchronize(e), CUDA_ERROR_INVALID_HANDLE);
}

}  // namespace
}  // namespace clcuda::test
