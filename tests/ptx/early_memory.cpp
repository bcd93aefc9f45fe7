// SPDX-License-Identifier: Apache-2.0
// The memory pool of src/cuda/, with the executor as its driver: its first blocks, and those that follow.
#include "cuda/error.h"
#include "cuda/memory.h"
#include "driver_test.h"

namespace clcuda::test {
namespace {

class EarlyMemory : public DriverTest {
 protected:
  std::size_t available() {
    std::size_t free = 0, total = 0;
    EXPECT_EQ(cu.cuMemGetInfo(&free, &total), CUDA_SUCCESS);
    return free;
  }
  static constexpr std::size_t kSize = 8 << 20;

  const CUresult started = cu.cuInit(0);
  cuda::DeviceContext context{cu, 0, cuda::Waiting::in_driver};
  const cuda::Current current{context};
  cuda::EventPool events{context, false};
  cuda::Stream stream{events};
  cuda::MemoryPool pool{context, false};
};

// There at once, in nobody's way when it is given back, and the driver's again at the next trim.
TEST_F(EarlyMemory, IsKeptUntilTrim) {
  const std::size_t before = available();
  const CUdeviceptr memory = pool.allocate(kSize, stream);
  EXPECT_EQ(cu.cuMemsetD8Async(memory, 7, kSize, stream.handle()), CUDA_SUCCESS);
  EXPECT_EQ(available(), before - kSize);
  Gate gate;
  ASSERT_EQ(cu.cuLaunchHostFunc(stream.handle(), Gate::function, gate.argument()), CUDA_SUCCESS);
  pool.free(memory, stream);
  EXPECT_NE(pool.allocate(kSize, stream), memory);
  gate.open();
  stream.synchronize();
  EXPECT_EQ(available(), before - 2 * kSize);
  pool.trim();
  EXPECT_EQ(available(), before - kSize);
}

// The pool's, which knows the order of a stream: what was freed in it serves there at once.
TEST_F(EarlyMemory, IsOfSomeBlocksOnly) {
  const std::size_t before = available();
  for (int i = 0; i < 64; ++i) pool.free(pool.allocate(4096, stream), stream);
  EXPECT_LT(available(), before);
  const CUdeviceptr late = pool.allocate(kSize, stream);
  pool.free(late, stream);
  EXPECT_EQ(pool.allocate(kSize, stream), late);
  pool.free(late, stream);
  stream.synchronize();
  pool.trim();
  EXPECT_EQ(available(), before);
}

TEST_F(EarlyMemory, IsOfSomeBytesOnly) {
  constexpr std::size_t kMuch = 300 << 20;
  const CUdeviceptr memory = pool.allocate(kMuch, stream);
  pool.free(memory, stream);
  EXPECT_EQ(pool.allocate(kMuch, stream), memory);
}

TEST_F(EarlyMemory, WhatIsNotThereIsRefused) {
  const std::size_t most = available();
  EXPECT_THROW((void)pool.allocate(most * 2, stream), cuda::DriverError);
}

}  // namespace
}  // namespace clcuda::test
