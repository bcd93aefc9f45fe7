// SPDX-License-Identifier: Apache-2.0
#include "image_test.h"

namespace clcuda::test {

CUarray ImageTest::array(Shape shape, CUarray_format format, unsigned channels) {
  const CUDA_ARRAY3D_DESCRIPTOR descriptor{shape.width, shape.height, shape.depth,
                                           format,      channels,     shape.flags};
  CUarray made = nullptr;
  EXPECT_EQ(cu.cuArray3DCreate(&made, &descriptor), CUDA_SUCCESS);
  return made;
}

std::size_t ImageTest::element_bytes(const CUDA_ARRAY3D_DESCRIPTOR& descriptor) {
  switch (descriptor.Format) {
    case CU_AD_FORMAT_UNSIGNED_INT32:
    case CU_AD_FORMAT_SIGNED_INT32:
    case CU_AD_FORMAT_FLOAT:
      return 4 * descriptor.NumChannels;
    case CU_AD_FORMAT_UNSIGNED_INT8:
    case CU_AD_FORMAT_SIGNED_INT8:
    case CU_AD_FORMAT_UNORM_INT8X1:
    case CU_AD_FORMAT_UNORM_INT8X2:
    case CU_AD_FORMAT_UNORM_INT8X4:
    case CU_AD_FORMAT_SNORM_INT8X1:
    case CU_AD_FORMAT_SNORM_INT8X2:
    case CU_AD_FORMAT_SNORM_INT8X4:
      return descriptor.NumChannels;
    default:
      return 2 * descriptor.NumChannels;
  }
}

namespace {

CUDA_MEMCPY3D whole(const CUDA_ARRAY3D_DESCRIPTOR& descriptor, std::size_t element) {
  CUDA_MEMCPY3D copy{};
  copy.WidthInBytes = descriptor.Width * element;
  copy.Height = std::max<std::size_t>(descriptor.Height, 1);
  copy.Depth = std::max<std::size_t>(descriptor.Depth, 1);
  return copy;
}

}  // namespace

void ImageTest::fill(CUarray array, const void* data) {
  CUDA_ARRAY3D_DESCRIPTOR descriptor;
  ASSERT_EQ(cu.cuArray3DGetDescriptor(&descriptor, array), CUDA_SUCCESS);
  CUDA_MEMCPY3D copy = whole(descriptor, element_bytes(descriptor));
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = data;
  copy.srcPitch = copy.WidthInBytes;
  copy.srcHeight = copy.Height;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array;
  ASSERT_EQ(cu.cuMemcpy3DAsync(&copy, nullptr), CUDA_SUCCESS);
}

std::vector<std::uint8_t> ImageTest::contents(CUarray array) {
  CUDA_ARRAY3D_DESCRIPTOR descriptor;
  EXPECT_EQ(cu.cuArray3DGetDescriptor(&descriptor, array), CUDA_SUCCESS);
  CUDA_MEMCPY3D copy = whole(descriptor, element_bytes(descriptor));
  std::vector<std::uint8_t> bytes(copy.WidthInBytes * copy.Height * copy.Depth);
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = bytes.data();
  copy.dstPitch = copy.WidthInBytes;
  copy.dstHeight = copy.Height;
  copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.srcArray = array;
  EXPECT_EQ(cu.cuMemcpy3DAsync(&copy, nullptr), CUDA_SUCCESS);
  return bytes;
}

CUDA_RESOURCE_DESC ImageTest::resource(CUarray array) {
  CUDA_RESOURCE_DESC descriptor{};
  descriptor.resType = CU_RESOURCE_TYPE_ARRAY;
  descriptor.res.array.hArray = array;
  return descriptor;
}

CUtexObject ImageTest::texture(const CUDA_RESOURCE_DESC& resource, const CUDA_TEXTURE_DESC& descriptor) {
  CUtexObject made = 0;
  EXPECT_EQ(cu.cuTexObjectCreate(&made, &resource, &descriptor, nullptr), CUDA_SUCCESS);
  return made;
}

CUsurfObject ImageTest::surface(CUarray array) {
  const CUDA_RESOURCE_DESC descriptor = resource(array);
  CUsurfObject made = 0;
  EXPECT_EQ(cu.cuSurfObjectCreate(&made, &descriptor), CUDA_SUCCESS);
  return made;
}

std::vector<ImageTest::Words> ImageTest::run(const std::string& instruction, std::uint64_t handle,
                                             const std::vector<std::array<std::uint32_t, 8>>& inputs,
                                             CUresult expected) {
  const std::string text = R"(
.version 7.8
.target sm_90
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out, .param .u64 handle)
{
  .reg .b16 %s<9>;
  .reg .b32 %i<9>;
  .reg .b32 %o<5>;
  .reg .b32 %n;
  .reg .b64 %w<5>;
  .reg .b64 %h;
  .reg .b64 %d<4>;
  ld.param.u64 %h, [handle];
  mov.u32 %n, %ctaid.x;
  mul.wide.u32 %d3, %n, 32;
  ld.param.u64 %d1, [in];
  add.s64 %d1, %d1, %d3;
  ld.param.u64 %d2, [out];
  shr.u64 %d3, %d3, 1;
  add.s64 %d2, %d2, %d3;
  ld.global.v4.b32 {%i1, %i2, %i3, %i4}, [%d1];
  ld.global.v4.b32 {%i5, %i6, %i7, %i8}, [%d1+16];
  mov.b64 %w1, {%i1, %i2};
  mov.b64 %w2, {%i3, %i4};
  mov.b64 %w3, {%i5, %i6};
  mov.b64 %w4, {%i7, %i8};
  mov.u32 %o1, 0;
  mov.u32 %o2, 0;
  mov.u32 %o3, 0;
  mov.u32 %o4, 0;
  )" + instruction + R"(
  st.global.v4.b32 [%d2], {%o1, %o2, %o3, %o4};
  ret;
})";
  std::vector<Words> results(inputs.size());
  CUmodule module = nullptr;
  EXPECT_EQ(cu.cuModuleLoadData(&module, text.c_str()), CUDA_SUCCESS) << instruction;
  CUfunction kernel = nullptr;
  EXPECT_EQ(cu.cuModuleGetFunction(&kernel, module, "k"), CUDA_SUCCESS);
  if (!kernel) return results;
  CUdeviceptr in = device_memory(inputs.size() * 32), out = device_memory(inputs.size() * 16);
  EXPECT_EQ(cu.cuMemcpyHtoDAsync(in, inputs.data(), inputs.size() * 32, nullptr), CUDA_SUCCESS);
  void* arguments[] = {&in, &out, &handle};
  EXPECT_EQ(launch_grid(kernel, {static_cast<unsigned>(inputs.size()), 1, 1}, {1, 1, 1}, nullptr, arguments),
            CUDA_SUCCESS);
  EXPECT_EQ(cu.cuCtxSynchronize(), expected) << instruction;
  if (expected != CUDA_SUCCESS) return results;
  EXPECT_EQ(cu.cuMemcpyDtoHAsync(results.data(), out, results.size() * 16, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuMemFree(in), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuMemFree(out), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuModuleUnload(module), CUDA_SUCCESS);
  return results;
}

}  // namespace clcuda::test
