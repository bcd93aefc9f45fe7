// SPDX-License-Identifier: Apache-2.0
#include "driver_test.h"

namespace clcuda::test {
namespace {

class MemoryPool : public DriverTest {
 protected:
  CUmemoryPool pool(std::uint64_t threshold) {
    CUmemPoolProps properties{};
    properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    CUmemoryPool made = nullptr;
    EXPECT_EQ(cu.cuMemPoolCreate(&made, &properties), CUDA_SUCCESS);
    cuuint64_t value = threshold;
    EXPECT_EQ(cu.cuMemPoolSetAttribute(made, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &value), CUDA_SUCCESS);
    return made;
  }
  std::uint64_t attribute(CUmemoryPool pool, CUmemPool_attribute attribute) {
    cuuint64_t value = 0;
    EXPECT_EQ(cu.cuMemPoolGetAttribute(pool, attribute, &value), CUDA_SUCCESS);
    return value;
  }
  CUdeviceptr allocate(CUmemoryPool pool, std::size_t size, CUstream stream) {
    CUdeviceptr memory = 0;
    EXPECT_EQ(cu.cuMemAllocFromPoolAsync(&memory, size, pool, stream), CUDA_SUCCESS);
    return memory;
  }
  static constexpr std::uint64_t kEverything = ~std::uint64_t{0};
};

TEST_F(MemoryPool, ReuseFollowsStreamOrder) {
  const CUmemoryPool p = pool(kEverything);
  const CUstream a = stream(), b = stream();
  const CUdeviceptr first = allocate(p, 10'000, a);
  Gate gate;
  ASSERT_EQ(cu.cuLaunchHostFunc(a, Gate::function, gate.argument()), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemFreeAsync(first, a), CUDA_SUCCESS);
  const CUdeviceptr elsewhere = allocate(p, 10'000, b);  // `a` has not reached the free yet
  EXPECT_NE(elsewhere, first);
  EXPECT_EQ(allocate(p, 10'000, a), first);  // ordered after the free
  EXPECT_EQ(cu.cuMemFreeAsync(first, a), CUDA_SUCCESS);
  gate.open();
  EXPECT_EQ(cu.cuStreamSynchronize(a), CUDA_SUCCESS);
  EXPECT_EQ(allocate(p, 10'000, b), first);  // the free has been executed
}

TEST_F(MemoryPool, ReusesTheSmallestBlockThatFits) {
  const CUmemoryPool p = pool(kEverything);
  const CUstream s = stream();
  struct Block {
    std::size_t size;
    CUdeviceptr address;
    bool has(CUdeviceptr other, std::size_t bytes) const {
      return address <= other && other + bytes <= address + size;
    }
  };
  const auto block = [&](std::size_t size) { return Block{size, allocate(p, size, s)}; };
  const Block older = block(52 << 10), large = block(64 << 10), newer = block(52 << 10),
              middle = block(60 << 10);
  for (const Block& each : {older, large, newer, middle})
    EXPECT_EQ(cu.cuMemFreeAsync(each.address, s), CUDA_SUCCESS);
  const std::size_t size = 50 << 10;
  EXPECT_TRUE(newer.has(allocate(p, size, s), size));
  EXPECT_TRUE(older.has(allocate(p, size, s), size));
  EXPECT_TRUE(middle.has(allocate(p, size, s), size));
  EXPECT_FALSE(large.has(allocate(p, size, s), size));  // more than a fifth of it would be wasted
  EXPECT_TRUE(large.has(allocate(p, large.size, s), large.size));
}

TEST_F(MemoryPool, ReleaseThresholdAndTrim) {
  const CUmemoryPool keeping = pool(kEverything), releasing = pool(0);
  const CUstream s = stream();
  for (CUmemoryPool p : {keeping, releasing}) {
    const CUdeviceptr memory = allocate(p, 1 << 20, s);
    EXPECT_EQ(attribute(p, CU_MEMPOOL_ATTR_USED_MEM_CURRENT), 1u << 20);
    EXPECT_EQ(cu.cuMemFreeAsync(memory, s), CUDA_SUCCESS);
    EXPECT_EQ(cu.cuStreamSynchronize(s), CUDA_SUCCESS);
    EXPECT_EQ(attribute(p, CU_MEMPOOL_ATTR_USED_MEM_CURRENT), 0u);
    EXPECT_EQ(attribute(p, CU_MEMPOOL_ATTR_USED_MEM_HIGH), 1u << 20);
  }
  EXPECT_EQ(attribute(keeping, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT), 1u << 20);
  EXPECT_EQ(attribute(releasing, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT), 0u);
  EXPECT_EQ(cu.cuMemPoolTrimTo(keeping, 0), CUDA_SUCCESS);
  EXPECT_EQ(attribute(keeping, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT), 0u);
  cuuint64_t zero = 0;
  EXPECT_EQ(cu.cuMemPoolSetAttribute(keeping, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH, &zero), CUDA_SUCCESS);
  EXPECT_EQ(attribute(keeping, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH), 0u);
}

TEST_F(MemoryPool, FreedMemoryIsNoTargetForCopies) {
  const CUmemoryPool p = pool(kEverything);
  const CUdeviceptr memory = allocate(p, 4096, nullptr);
  EXPECT_EQ(cu.cuMemsetD8Async(memory, 0, 4096, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuMemFreeAsync(memory, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuMemsetD8Async(memory, 0, 4096, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuMemFreeAsync(memory, nullptr), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(MemoryPool, OutlivesItsHandleInItsAllocations) {
  const CUmemoryPool p = pool(kEverything);
  const CUdeviceptr memory = allocate(p, 4096, nullptr);
  EXPECT_EQ(cu.cuMemPoolDestroy(p), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuMemPoolDestroy(p), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuMemsetD8Async(memory, 0, 4096, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuMemFree(memory), CUDA_SUCCESS);
  std::size_t free = 0, total = 0;
  EXPECT_EQ(cu.cuMemGetInfo(&free, &total), CUDA_SUCCESS);
  EXPECT_EQ(free, total);
}

TEST_F(MemoryPool, PlainAllocationsCanBeFreedInOrder) {
  const CUdeviceptr memory = device_memory(4096);
  const CUstream s = stream();
  Gate gate;
  ASSERT_EQ(cu.cuLaunchHostFunc(s, Gate::function, gate.argument()), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemsetD8Async(memory, 1, 4096, s), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuMemFreeAsync(memory, s), CUDA_SUCCESS);
  gate.open();
  EXPECT_EQ(cu.cuStreamSynchronize(s), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuMemFree(memory), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(MemoryPool, BadArguments) {
  CUmemPoolProps properties{};
  CUmemoryPool p = nullptr;
  EXPECT_EQ(cu.cuMemPoolCreate(&p, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuMemPoolCreate(&p, &properties), CUDA_ERROR_INVALID_VALUE);
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 17};
  EXPECT_EQ(cu.cuMemPoolCreate(&p, &properties), CUDA_ERROR_INVALID_DEVICE);
  properties.location.id = 0;
  EXPECT_EQ(cu.cuMemPoolCreate(nullptr, &properties), CUDA_ERROR_INVALID_VALUE);
  properties.handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  EXPECT_EQ(cu.cuMemPoolCreate(&p, &properties), CUDA_ERROR_NOT_SUPPORTED);
  p = pool(0);
  CUdeviceptr memory = 0;
  cuuint64_t value = 1;
  EXPECT_EQ(cu.cuMemAllocFromPoolAsync(&memory, 0, p, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuMemAllocFromPoolAsync(nullptr, 8, p, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuMemAllocFromPoolAsync(&memory, 8, nullptr, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuMemAllocFromPoolAsync(&memory, std::size_t{1} << 60, p, nullptr), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(cu.cuMemFreeAsync(0x4242, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuMemPoolSetAttribute(p, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &value), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuMemPoolSetAttribute(p, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &value), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuMemPoolGetAttribute(p, static_cast<CUmemPool_attribute>(99), &value),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuMemPoolGetAttribute(p, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, nullptr),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuMemPoolTrimTo(nullptr, 0), CUDA_ERROR_INVALID_VALUE);
  CUmemAccessDesc access{{CU_MEM_LOCATION_TYPE_DEVICE, 1}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  EXPECT_EQ(cu.cuMemPoolSetAccess(p, &access, 1), CUDA_SUCCESS);
  access.location.id = 9;
  EXPECT_EQ(cu.cuMemPoolSetAccess(p, &access, 1), CUDA_ERROR_INVALID_DEVICE);
  EXPECT_EQ(cu.cuMemPoolSetAccess(p, nullptr, 1), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(MemoryPool, ManyThreads) {
  const CUmemoryPool p = pool(kEverything);
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t)
    threads.emplace_back([&, t] {
      EXPECT_EQ(cu.cuCtxSetCurrent(contexts[0]), CUDA_SUCCESS);
      const CUstream s = stream();
      for (int i = 0; i < 200; ++i) {
        const std::size_t size = 64 + static_cast<std::size_t>(i % 7) * 1000;
        const CUdeviceptr memory = allocate(p, size, s);
        EXPECT_EQ(cu.cuMemsetD8Async(memory, static_cast<unsigned char>(t + 1), size, s), CUDA_SUCCESS);
        std::vector<std::uint8_t> seen(size);
        EXPECT_EQ(cu.cuMemcpyDtoHAsync(seen.data(), memory, size, s), CUDA_SUCCESS);
        EXPECT_EQ(seen, std::vector<std::uint8_t>(size, static_cast<std::uint8_t>(t + 1)));
        EXPECT_EQ(cu.cuMemFreeAsync(memory, s), CUDA_SUCCESS);
      }
    });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace clcuda::test
