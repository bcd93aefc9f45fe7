// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "image_test.h"

namespace clcuda::test {
namespace {

class Array : public ImageTest {
 protected:
  CUresult create(CUDA_ARRAY3D_DESCRIPTOR descriptor) {
    CUarray made = nullptr;
    const CUresult result = cu.cuArray3DCreate(&made, &descriptor);
    if (result == CUDA_SUCCESS) EXPECT_EQ(cu.cuArrayDestroy(made), CUDA_SUCCESS);
    return result;
  }
  static constexpr Shape kShapes[] = {{37},
                                      {37, 11},
                                      {13, 7, 5},
                                      {19, 0, 6, CUDA_ARRAY3D_LAYERED},
                                      {19, 4, 6, CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_SURFACE_LDST}};
};

TEST_F(Array, KeepsWhatIsCopiedThere) {
  for (const Shape& shape : kShapes) {
    for (unsigned channels : {1u, 2u, 4u}) {
      const CUarray made = array(shape, CU_AD_FORMAT_SIGNED_INT16, channels);
      const auto bytes = random_bytes(shape.width * shape.rows() * channels * 2);
      fill(made, bytes.data());
      EXPECT_EQ(contents(made), bytes) << shape.width << 'x' << shape.height << 'x' << shape.depth;
      EXPECT_EQ(cu.cuArrayDestroy(made), CUDA_SUCCESS);
    }
  }
}

TEST_F(Array, DescriptorIsTheOneAskedFor) {
  const CUarray made = array(kShapes[4], CU_AD_FORMAT_HALF, 4);
  CUDA_ARRAY3D_DESCRIPTOR d;
  ASSERT_EQ(cu.cuArray3DGetDescriptor(&d, made), CUDA_SUCCESS);
  EXPECT_EQ(d.Width, 19u);
  EXPECT_EQ(d.Height, 4u);
  EXPECT_EQ(d.Depth, 6u);
  EXPECT_EQ(d.Format, CU_AD_FORMAT_HALF);
  EXPECT_EQ(d.NumChannels, 4u);
  EXPECT_EQ(d.Flags, kShapes[4].flags);
}

TEST_F(Array, WhatCannotBeMade) {
  const CUDA_ARRAY3D_DESCRIPTOR good{8, 8, 8, CU_AD_FORMAT_FLOAT, 1, 0};
  EXPECT_EQ(create(good), CUDA_SUCCESS);
  const auto with = [&](auto change) {
    CUDA_ARRAY3D_DESCRIPTOR d = good;
    change(d);
    return create(d);
  };
  EXPECT_EQ(with([](auto& d) { d.Width = 0; }), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(with([](auto& d) { d.Height = 0; }), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(with([](auto& d) { d.Width = 16385; }), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(with([](auto& d) { d.Width = std::size_t{1} << 40; }), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(with([](auto& d) { d.NumChannels = 3; }), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(with([](auto& d) { d.NumChannels = 0; }), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(with([](auto& d) { d.Format = CU_AD_FORMAT_BC1_UNORM; }), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(with([](auto& d) { d.Format = CU_AD_FORMAT_UNORM_INT8X4; }), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(with([](auto& d) { d.Flags = CUDA_ARRAY3D_CUBEMAP; }), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(with([](auto& d) { d = {8, 0, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_LAYERED}; }),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(with([](auto& d) { d = {131072, 65536, 0, CU_AD_FORMAT_FLOAT, 4, 0}; }),
            CUDA_ERROR_OUT_OF_MEMORY);
  CUarray made = nullptr;
  EXPECT_EQ(cu.cuArray3DCreate(nullptr, &good), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuArray3DCreate(&made, nullptr), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Array, BadHandles) {
  const CUarray made = array({8}, CU_AD_FORMAT_FLOAT, 1);
  CUDA_ARRAY3D_DESCRIPTOR d;
  EXPECT_EQ(cu.cuArray3DGetDescriptor(nullptr, made), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuArrayDestroy(made), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuArrayDestroy(made), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cu.cuArray3DGetDescriptor(&d, made), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cu.cuArrayDestroy(nullptr), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cu.cuArrayDestroy(reinterpret_cast<CUarray>(this)), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cu.cuMipmappedArrayDestroy(reinterpret_cast<CUmipmappedArray>(this)), CUDA_ERROR_INVALID_HANDLE);
}

// Copies of parts between two arrays, and through pitched device memory; the whole contents are compared.
TEST_F(Array, CopiesOfParts) {
  const Shape shape{16, 9, 5};
  const CUarray a = array(shape, CU_AD_FORMAT_UNSIGNED_INT8, 4),
                b = array(shape, CU_AD_FORMAT_UNSIGNED_INT8, 4);
  const auto from = random_bytes(16 * 9 * 5 * 4), under = random_bytes(16 * 9 * 5 * 4);
  fill(a, from.data());
  fill(b, under.data());
  const CUdeviceptr between = device_memory(100 * 7 * 2);
  CUDA_MEMCPY3D copy{};
  copy.WidthInBytes = 20;
  copy.Height = 6;
  copy.Depth = 2;
  copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.srcArray = a;
  copy.srcXInBytes = 8;
  copy.srcY = 3;
  copy.srcZ = 1;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = between;
  copy.dstPitch = 100;
  copy.dstHeight = 7;
  ASSERT_EQ(cu.cuMemcpy3DAsync(&copy, nullptr), CUDA_SUCCESS);
  CUDA_MEMCPY3D back = copy;
  back.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  back.srcDevice = between;
  back.srcXInBytes = back.srcY = back.srcZ = 0;
  back.srcPitch = 100;
  back.srcHeight = 7;
  back.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  back.dstArray = b;
  back.dstXInBytes = 44;
  back.dstY = 2;
  back.dstZ = 3;
  ASSERT_EQ(cu.cuMemcpy3DAsync(&back, nullptr), CUDA_SUCCESS);
  auto expected = under;
  for (std::size_t z = 0; z < 2; ++z)
    for (std::size_t y = 0; y < 6; ++y)
      std::memcpy(&expected[((z + 3) * 9 + y + 2) * 64 + 44], &from[((z + 1) * 9 + y + 3) * 64 + 8], 20);
  EXPECT_EQ(contents(b), expected);
}

TEST_F(Array, CopiesThatDoNotFit) {
  const CUarray a = array({16, 9, 5}, CU_AD_FORMAT_UNSIGNED_INT8, 4);
  std::vector<std::uint8_t> host(16 * 9 * 5 * 4);
  CUDA_MEMCPY3D good{};
  good.WidthInBytes = 64;
  good.Height = 9;
  good.Depth = 5;
  good.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  good.srcArray = a;
  good.dstMemoryType = CU_MEMORYTYPE_HOST;
  good.dstHost = host.data();
  good.dstPitch = 64;
  good.dstHeight = 9;
  EXPECT_EQ(cu.cuMemcpy3DAsync(&good, nullptr), CUDA_SUCCESS);
  const auto with = [&](auto change) {
    CUDA_MEMCPY3D copy = good;
    change(copy);
    return cu.cuMemcpy3DAsync(&copy, nullptr);
  };
  EXPECT_EQ(with([](auto& c) { c.srcXInBytes = 4; }), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(with([](auto& c) { c.WidthInBytes = 63; }), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(with([](auto& c) { c.srcY = 1; }), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(with([](auto& c) { c.srcZ = ~std::size_t{0}; }), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(with([](auto& c) { c.srcLOD = 1; }), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(with([](auto& c) { c.srcArray = nullptr; }), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Array, CopiesAreAsynchronous) {
  const CUstream s = stream();
  const CUarray a = array({1024}, CU_AD_FORMAT_UNSIGNED_INT8, 1);
  auto* pinned = static_cast<std::uint8_t*>(pinned_memory(1024));
  std::memset(pinned, 1, 1024);
  Gate gate;
  ASSERT_EQ(cu.cuLaunchHostFunc(s, Gate::function, gate.argument()), CUDA_SUCCESS);
  CUDA_MEMCPY3D copy{};
  copy.WidthInBytes = 1024;
  copy.Height = copy.Depth = 1;
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = pinned;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = a;
  ASSERT_EQ(cu.cuMemcpy3DAsync(&copy, s), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuStreamQuery(s), CUDA_ERROR_NOT_READY);
  std::memset(pinned, 2, 1024);
  gate.open();
  ASSERT_EQ(cu.cuStreamSynchronize(s), CUDA_SUCCESS);
  EXPECT_EQ(contents(a), std::vector<std::uint8_t>(1024, 2));
}

TEST_F(Array, DestroyingWaitsForWork) {
  const CUstream s = stream();
  const CUarray a = array({64}, CU_AD_FORMAT_UNSIGNED_INT8, 1);
  Gate gate;
  ASSERT_EQ(cu.cuLaunchHostFunc(s, Gate::function, gate.argument()), CUDA_SUCCESS);
  std::atomic<bool> opened{false};
  std::thread opener([&] {
    gate.wait_until_entered();
    opened.store(true);
    gate.open();
  });
  EXPECT_EQ(cu.cuArrayDestroy(a), CUDA_SUCCESS);
  EXPECT_TRUE(opened.load());
  opener.join();
}

TEST_F(Array, LevelsHalve) {
  const CUDA_ARRAY3D_DESCRIPTOR descriptor{20, 7, 0, CU_AD_FORMAT_UNSIGNED_INT16, 2, 0};
  CUmipmappedArray mipmapped = nullptr;
  ASSERT_EQ(cu.cuMipmappedArrayCreate(&mipmapped, &descriptor, 100), CUDA_SUCCESS);
  const std::size_t widths[] = {20, 10, 5, 2, 1}, heights[] = {7, 3, 1, 1, 1};
  std::vector<std::vector<std::uint8_t>> data;
  CUarray level = nullptr;
  for (unsigned i = 0; i < 5; ++i) {
    ASSERT_EQ(cu.cuMipmappedArrayGetLevel(&level, mipmapped, i), CUDA_SUCCESS);
    CUDA_ARRAY3D_DESCRIPTOR got;
    ASSERT_EQ(cu.cuArray3DGetDescriptor(&got, level), CUDA_SUCCESS);
    EXPECT_EQ(got.Width, widths[i]);
    EXPECT_EQ(got.Height, heights[i]);
    EXPECT_EQ(cu.cuArrayDestroy(level), CUDA_ERROR_INVALID_HANDLE);
    data.push_back(random_bytes(widths[i] * heights[i] * 4));
    fill(level, data.back().data());
  }
  for (unsigned i = 0; i < 5; ++i) {
    ASSERT_EQ(cu.cuMipmappedArrayGetLevel(&level, mipmapped, i), CUDA_SUCCESS);
    EXPECT_EQ(contents(level), data[i]);
  }
  EXPECT_EQ(cu.cuMipmappedArrayGetLevel(&level, mipmapped, 5), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuMipmappedArrayCreate(&mipmapped, &descriptor, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuMipmappedArrayDestroy(mipmapped), CUDA_SUCCESS);
  CUDA_ARRAY3D_DESCRIPTOR got;
  EXPECT_EQ(cu.cuArray3DGetDescriptor(&got, level), CUDA_ERROR_INVALID_HANDLE);
}

}  // namespace
}  // namespace clcuda::test
