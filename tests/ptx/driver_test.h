// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "ptx/driver/driver.h"

namespace clcuda::test {

// The executor's driver with two devices; the first one's context is current. Each test has new contexts.
class DriverTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(cu.cuInit(0), CUDA_SUCCESS);
    for (int device = 0; device < 2; ++device)
      ASSERT_EQ(cu.cuDevicePrimaryCtxRetain(&contexts[device], device), CUDA_SUCCESS);
    ASSERT_EQ(cu.cuCtxSetCurrent(contexts[0]), CUDA_SUCCESS);
  }
  void TearDown() override {
    for (int device = 0; device < 2; ++device) EXPECT_EQ(cu.cuDevicePrimaryCtxRelease(device), CUDA_SUCCESS);
    EXPECT_EQ(cu.cuCtxSetCurrent(nullptr), CUDA_SUCCESS);
  }

  CUstream stream(unsigned flags = CU_STREAM_NON_BLOCKING, int priority = 0) {
    CUstream made = nullptr;
    EXPECT_EQ(cu.cuStreamCreateWithPriority(&made, flags, priority), CUDA_SUCCESS);
    return made;
  }
  CUevent event(unsigned flags = CU_EVENT_DISABLE_TIMING) {
    CUevent made = nullptr;
    EXPECT_EQ(cu.cuEventCreate(&made, flags), CUDA_SUCCESS);
    return made;
  }
  CUdeviceptr device_memory(std::size_t size) {
    CUdeviceptr made = 0;
    EXPECT_EQ(cu.cuMemAlloc(&made, size), CUDA_SUCCESS);
    return made;
  }
  void* pinned_memory(std::size_t size) {
    void* made = nullptr;
    EXPECT_EQ(cu.cuMemHostAlloc(&made, size, 0), CUDA_SUCCESS);
    return made;
  }
  using Sizes = std::array<unsigned, 3>;
  CUresult launch_grid(CUfunction kernel, const Sizes& grid, const Sizes& block, CUstream stream,
                       void** parameters, void** extra = nullptr, unsigned shared_bytes = 0) {
    const CUlaunchConfig config{grid[0],  grid[1],      grid[2], block[0], block[1],
                                block[2], shared_bytes, stream,  nullptr,  0};
    return cu.cuLaunchKernelEx(&config, kernel, parameters, extra);
  }
  std::vector<std::uint8_t> random_bytes(std::size_t size) {
    std::vector<std::uint8_t> bytes(size);
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
    return bytes;
  }
  std::vector<std::uint8_t> read(CUdeviceptr from, std::size_t size) {
    std::vector<std::uint8_t> bytes(size);
    EXPECT_EQ(cu.cuMemcpyDtoHAsync(bytes.data(), from, size, nullptr), CUDA_SUCCESS);
    return bytes;
  }

  const cuda::DriverTable& cu = ptx::driver_table(2);
  CUcontext contexts[2] = {};
  std::mt19937 random{std::random_device{}()};
};

// A host function that blocks its stream until open() or the gate's destructor. Its data live until the function returns.
//
//   cu.cuLaunchHostFunc(stream, Gate::function, gate.argument())     argument(): one for each launch
class Gate {
 public:
  ~Gate() { open(); }
  void open() { state_->open.store(true); }
  void wait_until_entered() const {
    while (!state_->entered.load()) std::this_thread::yield();
  }
  void* argument() const { return new std::shared_ptr<State>(state_); }
  static void CUDA_CB function(void* argument) {
    const std::unique_ptr<std::shared_ptr<State>> state(static_cast<std::shared_ptr<State>*>(argument));
    (*state)->entered.store(true);
    while (!(*state)->open.load()) std::this_thread::sleep_for(std::chrono::microseconds(100));
  }

 private:
  struct State {
    std::atomic<bool> open{false}, entered{false};
  };
  const std::shared_ptr<State> state_ = std::make_shared<State>();
};

// PTX of the kernels that the driver tests launch.
extern const char kTestPtx[];

}  // namespace clcuda::test
