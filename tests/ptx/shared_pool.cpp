// SPDX-License-Identifier: Apache-2.0
// src/cuda/shared_pool.h, with the executor as its driver.
#include "cuda/shared_pool.h"

#include <utility>

#include "cuda/error.h"
#include "cuda/host_registrations.h"
#include "driver_test.h"

namespace clcuda::test {
namespace {

class SharedPool : public DriverTest {
 protected:
  std::size_t available() {
    std::size_t free = 0, total = 0;
    EXPECT_EQ(cu.cuMemGetInfo(&free, &total), CUDA_SUCCESS);
    return free;
  }

  const CUresult started = cu.cuInit(0);
  cuda::HostRegistrations registrations;
  cuda::DeviceContext context{cu, 0, cuda::Waiting::in_driver, registrations};
  const cuda::Current current{context};
  cuda::SharedPool pool{context};
};

TEST_F(SharedPool, WhatWasTrimmedIsThereAgain) {
  const std::size_t size = available() / 8 * 5;
  for (int turn = 0; turn < 4; ++turn) {
    cuda::SharedPool::Block block = pool.take(size);
    const std::size_t taken = block.size();
    EXPECT_NE(block.data(), nullptr);
    EXPECT_THROW(pool.take(size), cuda::DriverError);
    pool.give_back(std::move(block));
    EXPECT_EQ(pool.unused(), taken);
    pool.trim();
    EXPECT_EQ(pool.unused(), 0u);
  }
}

}  // namespace
}  // namespace clcuda::test
