// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "driver_test.h"

namespace clcuda::test {
namespace {

using Transfer = DriverTest;

TEST_F(Transfer, ThereAcrossAndBack) {
  for (std::size_t size : {1u, 100u, 4097u, 16'385u, 65'536u, 65'537u, 3'000'001u}) {
    const CUdeviceptr a = device_memory(size), b = device_memory(size);
    const auto bytes = random_bytes(size);
    ASSERT_EQ(cu.cuMemcpyHtoDAsync(a, bytes.data(), size, nullptr), CUDA_SUCCESS);
    ASSERT_EQ(cu.cuMemcpyDtoDAsync(b, a, size, nullptr), CUDA_SUCCESS);
    EXPECT_EQ(read(b, size), bytes) << size;
  }
}

TEST_F(Transfer, SmallPageableSourceIsTakenAtOnce) {
  const CUstream s = stream();
  const CUdeviceptr memory = device_memory(65'536);
  auto bytes = random_bytes(65'536);
  const auto expected = bytes;
  Gate gate;
  ASSERT_EQ(cu.cuLaunchHostFunc(s, Gate::function, gate.argument()), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemcpyHtoDAsync(memory, bytes.data(), bytes.size(), s), CUDA_SUCCESS);
  std::fill(bytes.begin(), bytes.end(), std::uint8_t{0});
  EXPECT_EQ(cu.cuStreamQuery(s), CUDA_ERROR_NOT_READY);
  gate.open();
  ASSERT_EQ(cu.cuStreamSynchronize(s), CUDA_SUCCESS);
  EXPECT_EQ(read(memory, expected.size()), expected);
}

TEST_F(Transfer, PinnedMemoryIsUsedInItsTurn) {
  constexpr std::size_t kSize = 1 << 20;
  const CUstream s = stream();
  const CUdeviceptr memory = device_memory(kSize);
  auto* pinned = static_cast<std::uint8_t*>(pinned_memory(kSize));
  std::memset(pinned, 1, kSize);
  Gate gate;
  ASSERT_EQ(cu.cuLaunchHostFunc(s, Gate::function, gate.argument()), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemcpyHtoDAsync(memory, pinned, kSize, s), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuStreamQuery(s), CUDA_ERROR_NOT_READY);
  std::memset(pinned, 2, kSize);
  gate.open();
  ASSERT_EQ(cu.cuStreamSynchronize(s), CUDA_SUCCESS);
  EXPECT_EQ(read(memory, kSize), std::vector<std::uint8_t>(kSize, 2));
}

// Host memory passed as device memory: this device can access all of it.
TEST_F(Transfer, MemoryOfTheProcessIsUsedInItsTurn) {
  constexpr std::size_t kRow = 100, kRows = 300, kSize = kRow * kRows;
  const CUstream s = stream();
  const CUdeviceptr memory = device_memory(kSize);
  std::vector<std::uint8_t> from(kSize, 1), to(kSize), box(kSize);
  const auto address = [](std::vector<std::uint8_t>& of) { return reinterpret_cast<CUdeviceptr>(of.data()); };
  Gate gate;
  ASSERT_EQ(cu.cuLaunchHostFunc(s, Gate::function, gate.argument()), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemcpyDtoDAsync(memory, address(from), kSize, s), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemcpyDtoDAsync(address(to), memory, kSize, s), CUDA_SUCCESS);
  CUDA_MEMCPY3D copy{};
  copy.WidthInBytes = kRow;
  copy.Height = kRows;
  copy.Depth = 1;
  copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcPitch = copy.dstPitch = kRow;
  copy.srcDevice = memory;
  copy.dstDevice = address(box);
  ASSERT_EQ(cu.cuMemcpy3DAsync(&copy, s), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuStreamQuery(s), CUDA_ERROR_NOT_READY);
  std::fill(from.begin(), from.end(), std::uint8_t{2});
  gate.open();
  ASSERT_EQ(cu.cuStreamSynchronize(s), CUDA_SUCCESS);
  EXPECT_EQ(to, std::vector<std::uint8_t>(kSize, 2));
  EXPECT_EQ(box, to);
  EXPECT_EQ(cu.cuMemcpyDtoDAsync(memory, 0, kSize, s), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Transfer, BetweenDevices) {
  constexpr std::size_t kSize = 300'000;
  const CUdeviceptr here = device_memory(kSize);
  ASSERT_EQ(cu.cuCtxSetCurrent(contexts[1]), CUDA_SUCCESS);
  const CUdeviceptr there = device_memory(kSize);
  ASSERT_EQ(cu.cuCtxSetCurrent(contexts[0]), CUDA_SUCCESS);
  const auto bytes = random_bytes(kSize);
  ASSERT_EQ(cu.cuMemcpyHtoDAsync(here, bytes.data(), kSize, nullptr), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemcpyPeerAsync(there, contexts[1], here, contexts[0], kSize, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(read(there, kSize), bytes);
  EXPECT_EQ(cu.cuMemcpyPeerAsync(there, nullptr, here, contexts[0], kSize, nullptr),
            CUDA_ERROR_INVALID_CONTEXT);
}

TEST_F(Transfer, Fills) {
  constexpr std::size_t kCount = 1'000'003;
  const CUdeviceptr memory = device_memory(kCount * 4);
  ASSERT_EQ(cu.cuMemsetD32Async(memory, 0x01020304, kCount, nullptr), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemsetD16Async(memory + 2, 0x0506, 1, nullptr), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemsetD8Async(memory + 7, 0x07, 2, nullptr), CUDA_SUCCESS);
  std::vector<std::uint8_t> expected(kCount * 4);
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = static_cast<std::uint8_t>(4 - i % 4);
  expected[2] = 6;
  expected[3] = 5;
  expected[7] = expected[8] = 7;
  EXPECT_EQ(read(memory, kCount * 4), expected);
  EXPECT_EQ(cu.cuMemsetD32Async(memory + 2, 0, 1, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuMemsetD16Async(memory + 1, 0, 1, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuMemsetD32Async(memory, 0, kCount + 1, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuMemsetD32Async(memory, 0, ~std::size_t{0}, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuMemsetD8Async(0, 0, 1, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuMemsetD8Async(memory, 0, 0, nullptr), CUDA_SUCCESS);
}

TEST_F(Transfer, Boxes) {
  for (int round = 0; round < 20; ++round) {
    const auto any = [&](std::size_t most) { return 1 + random() % most; };
    const std::size_t width = any(300), height = any(40), depth = any(8);
    CUDA_MEMCPY3D c{};
    c.WidthInBytes = width, c.Height = height, c.Depth = depth;
    c.srcMemoryType = CU_MEMORYTYPE_HOST;
    c.srcXInBytes = random() % 20, c.srcY = random() % 5, c.srcZ = random() % 3;
    c.srcPitch = c.srcXInBytes + width + random() % 9, c.srcHeight = c.srcY + height + random() % 4;
    c.dstMemoryType = round % 2 ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_UNIFIED;
    c.dstXInBytes = random() % 20, c.dstY = random() % 5, c.dstZ = random() % 3;
    c.dstPitch = c.dstXInBytes + width + random() % 9, c.dstHeight = c.dstY + height + random() % 4;
    const auto source = random_bytes(c.srcPitch * c.srcHeight * (c.srcZ + depth));
    std::vector<std::uint8_t> expected(c.dstPitch * c.dstHeight * (c.dstZ + depth));
    const CUdeviceptr memory = device_memory(expected.size());
    c.srcHost = source.data();
    c.dstDevice = memory;
    ASSERT_EQ(cu.cuMemsetD8Async(memory, 0, expected.size(), nullptr), CUDA_SUCCESS);
    ASSERT_EQ(cu.cuMemcpy3DAsync(&c, nullptr), CUDA_SUCCESS);
    for (std::size_t z = 0; z < depth; ++z)
      for (std::size_t y = 0; y < height; ++y)
        for (std::size_t x = 0; x < width; ++x)
          expected[((c.dstZ + z) * c.dstHeight + c.dstY + y) * c.dstPitch + c.dstXInBytes + x] =
              source[((c.srcZ + z) * c.srcHeight + c.srcY + y) * c.srcPitch + c.srcXInBytes + x];
    EXPECT_EQ(read(memory, expected.size()), expected);
    EXPECT_EQ(cu.cuMemFree(memory), CUDA_SUCCESS);
  }
}

TEST_F(Transfer, BadBoxes) {
  const CUdeviceptr memory = device_memory(4096);
  const auto source = random_bytes(4096);
  CUDA_MEMCPY3D good{};
  good.WidthInBytes = 16, good.Height = 4, good.Depth = 4;
  good.srcMemoryType = CU_MEMORYTYPE_HOST, good.srcHost = source.data(), good.srcPitch = 32,
  good.srcHeight = 8;
  good.dstMemoryType = CU_MEMORYTYPE_DEVICE, good.dstDevice = memory, good.dstPitch = 32, good.dstHeight = 8;
  ASSERT_EQ(cu.cuMemcpy3DAsync(&good, nullptr), CUDA_SUCCESS);
  const auto refused = [&](auto change) {
    CUDA_MEMCPY3D bad = good;
    change(bad);
    EXPECT_EQ(cu.cuMemcpy3DAsync(&bad, nullptr), CUDA_ERROR_INVALID_VALUE);
  };
  refused([](CUDA_MEMCPY3D& c) { c.srcPitch = 15; });
  refused([](CUDA_MEMCPY3D& c) { c.dstHeight = 3; });
  refused([](CUDA_MEMCPY3D& c) { c.dstHeight = 0; });
  refused([](CUDA_MEMCPY3D& c) { c.dstZ = 13; });
  refused([](CUDA_MEMCPY3D& c) { c.dstZ = ~std::size_t{0}; });
  refused([](CUDA_MEMCPY3D& c) { c.dstDevice = 0; });
  refused([](CUDA_MEMCPY3D& c) { c.srcHost = nullptr; });
  refused([](CUDA_MEMCPY3D& c) { c.srcMemoryType = CU_MEMORYTYPE_ARRAY; });
  refused([](CUDA_MEMCPY3D& c) { c.srcMemoryType = static_cast<CUmemorytype>(0); });
  refused([](CUDA_MEMCPY3D& c) { c.dstPitch = std::size_t{1} << 31; });
  EXPECT_EQ(cu.cuMemcpy3DAsync(nullptr, nullptr), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Transfer, RangesLieWithinOneAllocation) {
  const CUdeviceptr memory = device_memory(1000);
  std::vector<std::uint8_t> host(2000);
  EXPECT_EQ(cu.cuMemcpyHtoDAsync(memory, host.data(), 1001, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuMemcpyHtoDAsync(memory + 999, host.data(), 2, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuMemcpyHtoDAsync(memory - 1, host.data(), 2, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuMemcpyDtoHAsync(host.data(), memory, 1001, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuMemcpyDtoDAsync(memory, memory + 1, 1000, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuMemcpyHtoDAsync(memory, nullptr, 4, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuMemcpyDtoHAsync(nullptr, memory, 4, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuMemcpyHtoDAsync(memory, nullptr, 0, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuMemFree(memory), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuMemcpyHtoDAsync(memory, host.data(), 4, nullptr), CUDA_ERROR_INVALID_VALUE);
}

}  // namespace
}  // namespace clcuda::test
