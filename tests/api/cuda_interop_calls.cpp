// SPDX-License-Identifier: Apache-2.0
// What an acquire and a release put into streams: in the queue's own stream nothing, since that has the order already. The program's driver
// counts the calls that do so, and its device is of a generation whose kernels may overlap.
#include <cstdlib>
#include <utility>

#include "cuda_interop_test.h"
#include "support/own_driver.h"

namespace {

using clcuda::cuda::DriverTable;

const bool kIsSetUp = setenv("CLCUDA_DEVICES", "cpu", 1) == 0 && setenv("CLCUDA_CACHE", "0", 1) == 0;

DriverTable sound;
int records = 0, waits = 0;
bool overlaps = false;       // of the last launch
bool out_of_memory = false;  // at the next launch

CUresult record(CUevent event, CUstream stream) {
  ++records;
  return sound.cuEventRecord(event, stream);
}

CUresult wait(CUstream stream, CUevent event, unsigned flags) {
  ++waits;
  return sound.cuStreamWaitEvent(stream, event, flags);
}

CUresult launch(const CUlaunchConfig* config, CUfunction function, void** parameters, void** extra) {
  overlaps = test::may_overlap(*config);
  if (std::exchange(out_of_memory, false)) return CUDA_ERROR_OUT_OF_MEMORY;
  return sound.cuLaunchKernelEx(config, function, parameters, extra);
}

class CudaInteropCalls : public test::CudaInterop {
 protected:
  void SetUp() override {
    ASSERT_TRUE(kIsSetUp);
    CudaInterop::SetUp();
    if (HasFatalFailure()) return;
    buffer = make(test::kBytes);
    own = stream_of(queue);
    CL_OK(acquire(queue, 1, buffer.list(), nullptr, own, 0, nullptr));  // allocates
    CL_OK(release(queue, 1, buffer.list(), own, 0, nullptr, nullptr));
    records = waits = 0;
  }
  void expect_calls(int recorded, int waited) {
    EXPECT_EQ(records, recorded);
    EXPECT_EQ(waits, waited);
    records = waits = 0;
  }

  test::Buffer buffer;
  CUstream own = nullptr;
};

TEST_F(CudaInteropCalls, InTheQueuesStream) {
  CL_OK(acquire(queue, 1, buffer.list(), nullptr, own, 0, nullptr));
  expect_calls(0, 0);
  CL_OK(release(queue, 1, buffer.list(), own, 0, nullptr, nullptr));
  expect_calls(0, 0);
  test::Event event;
  CL_OK(release(queue, 1, buffer.list(), own, 0, nullptr, event.out()));
  expect_calls(1, 0);
}

TEST_F(CudaInteropCalls, InAnotherStream) {
  CL_OK(acquire(queue, 1, buffer.list(), nullptr, stream, 0, nullptr));
  expect_calls(1, 1);
  CL_OK(release(queue, 1, buffer.list(), stream, 0, nullptr, nullptr));
  expect_calls(1, 1);
}

// A kernel of CUDA's may let the next one begin early, before those in front of it have ended.
TEST_F(CudaInteropCalls, LaunchesDoNotOverlapForeignKernels) {
  for (int turn = 0; turn < 2; ++turn) {
    launch_add(buffer, 1, queue);
    launch_add(buffer, 1, queue);
    EXPECT_TRUE(overlaps);
    CL_OK(acquire(queue, 1, buffer.list(), nullptr, own, 0, nullptr));
    CL_OK(release(queue, 1, buffer.list(), own, 0, nullptr, nullptr));
    launch_add(buffer, 1, queue);
    EXPECT_FALSE(overlaps);
  }
}

// For lack of memory, a launch is repeated.
TEST_F(CudaInteropCalls, RepeatedLaunchesDoNotOverlapForeignKernels) {
  launch_add(buffer, 1, queue);
  CL_OK(acquire(queue, 1, buffer.list(), nullptr, own, 0, nullptr));
  CL_OK(release(queue, 1, buffer.list(), own, 0, nullptr, nullptr));
  out_of_memory = true;
  launch_add(buffer, 1, queue);
  EXPECT_FALSE(out_of_memory);
  EXPECT_FALSE(overlaps);
  launch_add(buffer, 1, queue);
  EXPECT_TRUE(overlaps);
}

}  // namespace

const DriverTable& test::own_table(int device_count) {
  return changed_table(device_count, [](DriverTable& own) {
    sound = own;
    own.cuEventRecord = record;
    own.cuStreamWaitEvent = wait;
    own.cuLaunchKernelEx = launch;
    report_compute_capability<9, 0>(own);
  });
}
