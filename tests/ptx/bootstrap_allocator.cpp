// SPDX-License-Identifier: Apache-2.0
// src/cuda/bootstrap_allocator.h and a memory pool that uses it first, with the executor as their driver.
#include "cuda/bootstrap_allocator.h"

#include "cuda/error.h"
#include "cuda/host_registrations.h"
#include "cuda/memory.h"
#include "cuda/page.h"
#include "driver_test.h"

namespace clcuda::test {
namespace {

class BootstrapAllocator : public DriverTest {
 protected:
  std::size_t available() {
    std::size_t free = 0, total = 0;
    EXPECT_EQ(cu.cuMemGetInfo(&free, &total), CUDA_SUCCESS);
    return free;
  }
  void hold(cuda::Stream& held, const Gate& gate) {
    EXPECT_EQ(cu.cuLaunchHostFunc(held.handle(), Gate::function, gate.argument()), CUDA_SUCCESS);
  }
  static constexpr std::size_t kSize = 1 << 20, kMost = 256 << 20;

  const CUresult started = cu.cuInit(0);
  cuda::HostRegistrations registrations;
  cuda::DeviceContext context{cu, 0, cuda::Waiting::in_driver, registrations};
  const cuda::Current current{context};
  cuda::EventPool events{context, false};
  cuda::Stream stream{events}, other{events};
  cuda::BootstrapAllocator allocator{cu};
};

TEST_F(BootstrapAllocator, ReuseFollowsStreamOrder) {
  const CUdeviceptr first = allocator.allocate(kSize, stream);
  ASSERT_NE(first, 0u);
  Gate gate;
  hold(stream, gate);
  EXPECT_TRUE(allocator.free(first, stream));
  const CUdeviceptr elsewhere = allocator.allocate(kSize, other);  // `stream` has not reached the free yet
  EXPECT_NE(elsewhere, first);
  EXPECT_NE(elsewhere, 0u);
  EXPECT_EQ(allocator.allocate(kSize, stream), first);  // ordered after the free
  EXPECT_TRUE(allocator.free(first, stream));
  gate.open();
  stream.synchronize();
  EXPECT_EQ(allocator.allocate(kSize, other), first);  // the free has been executed
}

// A block that is freed in a busy stream is not given to another stream, and the free does not wait.
TEST_F(BootstrapAllocator, FreeWaitsForNothing) {
  const CUdeviceptr busy = allocator.allocate(kSize, stream);
  Gate gate;
  hold(stream, gate);
  stream.fill(busy, 7, 1, kSize);
  EXPECT_TRUE(allocator.free(busy, stream));
  const CUdeviceptr mine = allocator.allocate(kSize, other);
  other.fill(mine, 9, 1, kSize);
  other.synchronize();
  gate.open();
  stream.synchronize();
  EXPECT_EQ(read(mine, kSize), std::vector<std::uint8_t>(kSize, 9));
}

TEST_F(BootstrapAllocator, ABlockServesWhatFillsMostOfIt) {
  const CUdeviceptr large = allocator.allocate(10 * kSize, stream),
                    small = allocator.allocate(8 * kSize, stream);
  EXPECT_TRUE(allocator.free(large, stream));
  EXPECT_TRUE(allocator.free(small, stream));
  const CUdeviceptr little = allocator.allocate(kSize, stream);
  EXPECT_NE(little, small);
  EXPECT_NE(little, large);
  EXPECT_EQ(allocator.allocate(8 * kSize, stream), small);  // the smallest block that is large enough
  EXPECT_EQ(allocator.allocate(8 * kSize, stream), large);
}

TEST_F(BootstrapAllocator, IsOfSomeBlocksOnly) {
  for (int i = 0; i < 64; ++i) EXPECT_NE(allocator.allocate(4096, stream), 0u);
  EXPECT_EQ(allocator.allocate(4096, stream), 0u);
}

TEST_F(BootstrapAllocator, IsOfSomeBytesOnly) {
  EXPECT_EQ(allocator.allocate(kMost + 1, stream), 0u);
  EXPECT_NE(allocator.allocate(kMost - kSize, stream), 0u);
  EXPECT_EQ(allocator.allocate(2 * kSize, stream), 0u);
  EXPECT_NE(allocator.allocate(kSize, stream), 0u);
}

TEST_F(BootstrapAllocator, TrimGivesBackWhatIsNotInUse) {
  const std::size_t before = available();
  const CUdeviceptr kept = allocator.allocate(kSize, stream), freed = allocator.allocate(kSize, stream);
  EXPECT_TRUE(allocator.free(freed, stream));
  EXPECT_EQ(available(), before - 2 * kSize);
  allocator.trim();
  EXPECT_EQ(available(), before - kSize);
  EXPECT_FALSE(allocator.free(freed, stream));
  EXPECT_TRUE(allocator.free(kept, stream));
  allocator.trim();
  EXPECT_EQ(available(), before);
  EXPECT_NE(allocator.allocate(kMost, stream), 0u);  // freed memory is available again
}

TEST_F(BootstrapAllocator, WhatTheDriverRefusesTakesNoRoom) {
  CUdeviceptr filler = 0;
  ASSERT_EQ(cu.cuMemAlloc(&filler, available() - kMost / 2), CUDA_SUCCESS);
  EXPECT_EQ(allocator.allocate(kMost, stream), 0u);
  ASSERT_EQ(cu.cuMemFree(filler), CUDA_SUCCESS);
  EXPECT_NE(allocator.allocate(kMost, stream), 0u);
  EXPECT_EQ(allocator.allocate(kSize, stream), 0u);  // nor has it created any
}

TEST_F(BootstrapAllocator, BlocksOfManyThreadsAreTheirOwn) {
  constexpr int kThreads = 4, kTurns = 200;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&, mine = static_cast<std::uint8_t>(i + 1)] {
      const cuda::Current here(context);
      cuda::Stream own(events);
      for (int turn = 0; turn < kTurns; ++turn) {
        const CUdeviceptr block = allocator.allocate(4096, own);
        own.fill(block, mine, 1, 4096);
        std::vector<std::uint8_t> bytes(4096);
        own.copy_to_host(bytes.data(), block, bytes.size());
        own.synchronize();
        if (bytes != std::vector<std::uint8_t>(4096, mine)) ++wrong;
        allocator.free(block, own);
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

// Otherwise the driver's next allocations would not begin at pages.
TEST_F(BootstrapAllocator, TakesWholePages) {
  const std::size_t before = available();
  const CUdeviceptr little = allocator.allocate(1, stream);
  EXPECT_EQ(available(), before - cuda::kPage);
  EXPECT_NE(allocator.allocate(cuda::kPage + 1, stream), 0u);
  EXPECT_EQ(available(), before - 3 * cuda::kPage);
  EXPECT_TRUE(allocator.free(little, stream));
  EXPECT_EQ(allocator.allocate(cuda::kPage, stream), little);
  EXPECT_EQ(allocator.allocate(~std::size_t{0}, stream), 0u);
}

// The same for a pool: blocks smaller than a page come from another pool.
TEST_F(BootstrapAllocator, PoolsForChipsKeepSmallBlocksApart) {
  using Pool = cuda::MemoryPool;
  Pool pool(context, Pool::Style::for_chips), exact(context, Pool::Style::exact);
  const auto attribute = [&]<class Value>(CUpointer_attribute which, CUdeviceptr address, Value value) {
    EXPECT_EQ(cu.cuPointerGetAttribute(&value, which, address), CUDA_SUCCESS);
    return value;
  };
  const auto pool_of = [&](CUdeviceptr address) {
    return attribute(CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, address, CUmemoryPool{});
  };
  const auto size_of = [&](CUdeviceptr address) {
    return attribute(CU_POINTER_ATTRIBUTE_RANGE_SIZE, address, std::size_t{0});
  };
  const auto allocate = [&](Pool& from, std::size_t size) {
    return from.allocate(size, stream, Pool::Sharing::peers);
  };
  pool.trim();  // has no effect, because nothing is allocated yet
  const CUdeviceptr small = allocate(pool, cuda::kPage - 1), page = allocate(pool, cuda::kPage),
                    larger = allocate(pool, cuda::kPage + 1);
  EXPECT_NE(pool_of(small), pool_of(page));
  EXPECT_EQ(pool_of(page), pool_of(larger));
  EXPECT_EQ(size_of(small), cuda::kPage - 1);
  EXPECT_EQ(size_of(page), cuda::kPage);
  EXPECT_EQ(size_of(larger), 2 * cuda::kPage);
  const CUdeviceptr exact_small = allocate(exact, 1), exact_large = allocate(exact, cuda::kPage + 1);
  EXPECT_EQ(pool_of(exact_small), pool_of(exact_large));
  EXPECT_EQ(size_of(exact_large), cuda::kPage + 1);
  const std::size_t before = available();
  pool.free(small, stream);
  pool.free(larger, stream);
  stream.synchronize();
  EXPECT_EQ(available(), before);
  pool.trim();
  EXPECT_GE(available(), before + 2 * cuda::kPage + 1);  // of both blocks
}

// Memory that other devices access, and memory that the early allocator has no room for, comes from the pool. Each block is returned to its
// origin.
TEST_F(BootstrapAllocator, APoolBeginsWithIt) {
  using Pool = cuda::MemoryPool;
  Pool pool(context, Pool::Style::for_chips);
  const auto is_pools = [&](CUdeviceptr address) {
    CUmemoryPool of = nullptr;
    EXPECT_EQ(cu.cuPointerGetAttribute(&of, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, address), CUDA_SUCCESS);
    return of != nullptr;
  };
  const std::size_t before = available();
  const CUdeviceptr first = pool.allocate(kSize, stream), large = pool.allocate(kMost, stream),
                    shared = pool.allocate(kSize, stream, Pool::Sharing::peers);
  EXPECT_FALSE(is_pools(first));
  EXPECT_TRUE(is_pools(large));
  EXPECT_TRUE(is_pools(shared));
  for (const CUdeviceptr memory : {first, large, shared}) pool.free(memory, stream);
  EXPECT_EQ(pool.allocate(kSize, stream, Pool::Sharing::peers), shared);
  EXPECT_EQ(pool.allocate(kSize, stream), first);
  for (const CUdeviceptr memory : {first, shared}) pool.free(memory, stream);
  stream.synchronize();
  EXPECT_LT(available(), before);
  pool.trim();
  EXPECT_EQ(available(), before);
  EXPECT_THROW((void)pool.allocate(available() * 2, stream), cuda::DriverError);
}

}  // namespace
}  // namespace clcuda::test
