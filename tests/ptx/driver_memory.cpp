// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "driver_test.h"

namespace clcuda::test {
namespace {

using Memory = DriverTest;

TEST_F(Memory, AlignmentAndAccounting) {
  std::size_t before = 0, during = 0, total = 0;
  ASSERT_EQ(cu.cuMemGetInfo(&before, &total), CUDA_SUCCESS);
  EXPECT_EQ(before, total);
  std::vector<CUdeviceptr> all;
  for (std::size_t size : {1, 511, 512, 513, 4096, 100'000, 5'000'001}) {
    all.push_back(device_memory(size));
    EXPECT_EQ(all.back() % 512, 0u);
  }
  ASSERT_EQ(cu.cuMemGetInfo(&during, &total), CUDA_SUCCESS);
  EXPECT_LE(during, before - 5'100'000);
  for (CUdeviceptr each : all) EXPECT_EQ(cu.cuMemFree(each), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemGetInfo(&during, &total), CUDA_SUCCESS);
  EXPECT_EQ(during, before);
}

TEST_F(Memory, OutOfMemory) {
  std::size_t free = 0, total = 0;
  ASSERT_EQ(cu.cuMemGetInfo(&free, &total), CUDA_SUCCESS);
  CUdeviceptr whole = 0, more = 0;
  EXPECT_EQ(cu.cuMemAlloc(&more, total + 1), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(cu.cuMemAlloc(&more, ~std::size_t{0}), CUDA_ERROR_OUT_OF_MEMORY);
  ASSERT_EQ(cu.cuMemAlloc(&whole, free), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuMemAlloc(&more, 1), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(cu.cuMemFree(whole), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuMemAlloc(&more, 1), CUDA_SUCCESS);
}

TEST_F(Memory, ManyAllocationsAreReused) {
  // Far more than the address space could hold if freed addresses were not reused.
  for (int i = 0; i < 300; ++i) {
    const CUdeviceptr memory = device_memory(std::size_t{1} << 30);
    EXPECT_EQ(cu.cuMemFree(memory), CUDA_SUCCESS);
  }
}

TEST_F(Memory, BadArguments) {
  CUdeviceptr memory = 0;
  std::size_t size = 0;
  EXPECT_EQ(cu.cuMemAlloc(nullptr, 8), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuMemAlloc(&memory, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuMemGetInfo(nullptr, &size), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuMemFree(0), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuMemFree(0x1000), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuMemFree(reinterpret_cast<CUdeviceptr>(&memory)), CUDA_ERROR_INVALID_VALUE);
  memory = device_memory(4096);
  EXPECT_EQ(cu.cuMemFree(memory + 8), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuMemFreeHost(reinterpret_cast<void*>(memory)), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuMemFree(memory), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuMemFree(memory), CUDA_ERROR_INVALID_VALUE);
  void* host = nullptr;
  EXPECT_EQ(cu.cuMemHostAlloc(&host, 0, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuMemHostAlloc(&host, 8, 0x80), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuMemFreeHost(nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuMemAllocManaged(&memory, 8, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuMemAllocManaged(nullptr, 8, CU_MEM_ATTACH_GLOBAL), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Memory, ManagedAndPinnedMemoryIsTheHosts) {
  CUdeviceptr managed = 0;
  ASSERT_EQ(cu.cuMemAllocManaged(&managed, 1000, CU_MEM_ATTACH_GLOBAL), CUDA_SUCCESS);
  auto* pinned = static_cast<std::uint8_t*>(pinned_memory(1000));
  const auto bytes = random_bytes(1000);
  std::memcpy(reinterpret_cast<void*>(managed), bytes.data(), 1000);
  ASSERT_EQ(cu.cuMemcpyDtoHAsync(pinned, managed, 1000, nullptr), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuCtxSynchronize(), CUDA_SUCCESS);
  EXPECT_EQ(std::memcmp(pinned, bytes.data(), 1000), 0);
  EXPECT_EQ(cu.cuMemFreeHost(pinned), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuMemFree(managed), CUDA_SUCCESS);
}

TEST_F(Memory, PointerAttributes) {
  const CUdeviceptr memory = device_memory(1000);
  CUdeviceptr start = 0;
  std::size_t size = 0;
  unsigned type = 0, managed = 9;
  int ordinal = -1;
  CUcontext context = nullptr;
  EXPECT_EQ(cu.cuPointerGetAttribute(&start, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, memory + 999),
            CUDA_SUCCESS);
  EXPECT_EQ(start, memory);
  EXPECT_EQ(cu.cuPointerGetAttribute(&size, CU_POINTER_ATTRIBUTE_RANGE_SIZE, memory), CUDA_SUCCESS);
  EXPECT_EQ(size, 1000u);
  EXPECT_EQ(cu.cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory), CUDA_SUCCESS);
  EXPECT_EQ(type, static_cast<unsigned>(CU_MEMORYTYPE_DEVICE));
  EXPECT_EQ(cu.cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, memory), CUDA_SUCCESS);
  EXPECT_EQ(managed, 0u);
  EXPECT_EQ(cu.cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, memory), CUDA_SUCCESS);
  EXPECT_EQ(ordinal, 0);
  EXPECT_EQ(cu.cuPointerGetAttribute(&context, CU_POINTER_ATTRIBUTE_CONTEXT, memory), CUDA_SUCCESS);
  EXPECT_EQ(context, contexts[0]);
  EXPECT_EQ(cu.cuPointerGetAttribute(&size, CU_POINTER_ATTRIBUTE_RANGE_SIZE, memory + 1000),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(
      cu.cuPointerGetAttribute(&size, CU_POINTER_ATTRIBUTE_RANGE_SIZE, reinterpret_cast<CUdeviceptr>(&size)),
      CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuPointerGetAttribute(&size, static_cast<CUpointer_attribute>(999), memory),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuPointerGetAttribute(nullptr, CU_POINTER_ATTRIBUTE_RANGE_SIZE, memory),
            CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Memory, PointerAttributesWithoutACurrentContext) {
  const auto address = reinterpret_cast<CUdeviceptr>(pinned_memory(1000));
  ASSERT_EQ(cu.cuCtxSetCurrent(nullptr), CUDA_SUCCESS);
  unsigned type = 0;
  EXPECT_EQ(cu.cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address + 999), CUDA_SUCCESS);
  EXPECT_EQ(type, static_cast<unsigned>(CU_MEMORYTYPE_HOST));
  EXPECT_EQ(cu.cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address + 1000),
            CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Memory, ManyThreads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      EXPECT_EQ(cu.cuCtxSetCurrent(contexts[t % 2]), CUDA_SUCCESS);
      std::mt19937 sizes(static_cast<unsigned>(t));
      std::vector<CUdeviceptr> mine;
      for (int i = 0; i < 300; ++i) {
        mine.push_back(device_memory(1 + sizes() % 20'000));
        *reinterpret_cast<std::uint8_t*>(mine.back()) = 1;
        if (mine.size() > 10) {
          EXPECT_EQ(cu.cuMemFree(mine.front()), CUDA_SUCCESS);
          mine.erase(mine.begin());
        }
      }
    });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace clcuda::test
