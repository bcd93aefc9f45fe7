// SPDX-License-Identifier: Apache-2.0
#include "images.h"

namespace test {

cl_image_desc image_desc(cl_mem_object_type type, size_t width, size_t height, size_t depth_or_layers) {
  cl_image_desc desc{};
  desc.image_type = type;
  desc.image_width = width;
  desc.image_height = height;
  switch (type) {
    case CL_MEM_OBJECT_IMAGE1D_ARRAY:
    case CL_MEM_OBJECT_IMAGE2D_ARRAY:
      desc.image_array_size = depth_or_layers;
      break;
    default:
      desc.image_depth = depth_or_layers;
  }
  return desc;
}

Size3 region_of(const cl_image_desc& desc) {
  switch (desc.image_type) {
    case CL_MEM_OBJECT_IMAGE1D_ARRAY:
      return {desc.image_width, desc.image_array_size, 1};
    case CL_MEM_OBJECT_IMAGE2D:
      return {desc.image_width, desc.image_height, 1};
    case CL_MEM_OBJECT_IMAGE2D_ARRAY:
      return {desc.image_width, desc.image_height, desc.image_array_size};
    case CL_MEM_OBJECT_IMAGE3D:
      return {desc.image_width, desc.image_height, desc.image_depth};
    default:
      return {desc.image_width, 1, 1};
  }
}

void ImageTest::SetUp() {
  WaitListTest::SetUp();
  cl_bool images = CL_FALSE;
  clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof images, &images, nullptr);
  if (!images) GTEST_SKIP() << "the device has no images";
}

Image ImageTest::make_image(const cl_image_format& format, const cl_image_desc& desc, cl_mem_flags flags,
                            void* host, cl_int expected) const {
  cl_int error = 1;
  Image made = clCreateImage(context, flags, &format, &desc, host, &error);
  CL_EXPECT(expected, error);
  EXPECT_EQ(expected == CL_SUCCESS, made.get() != nullptr);
  return made;
}

std::vector<cl_image_format> ImageTest::formats(cl_mem_flags flags, cl_mem_object_type type) const {
  cl_uint count = 0;
  CL_EXPECT(CL_SUCCESS, clGetSupportedImageFormats(context, flags, type, 0, nullptr, &count));
  std::vector<cl_image_format> list(count);
  CL_EXPECT(CL_SUCCESS, clGetSupportedImageFormats(context, flags, type, count, list.data(), nullptr));
  return list;
}

Sampler ImageTest::make_sampler(bool normalized, cl_addressing_mode addressing, cl_filter_mode filter) const {
  cl_int error = 1;
  Sampler made = clCreateSampler(context, normalized, addressing, filter, &error);
  CL_EXPECT(CL_SUCCESS, error);
  return made;
}

void ImageTest::run(cl_kernel kernel, const Size3& global) const {
  CL_EXPECT(CL_SUCCESS,
            clEnqueueNDRangeKernel(queue, kernel, 3, nullptr, global.data(), nullptr, 0, nullptr, nullptr));
}

}  // namespace test
