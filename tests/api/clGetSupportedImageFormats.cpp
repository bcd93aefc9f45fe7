// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "support/images.h"

namespace {

using SupportedImageFormats = test::ImageTest;

constexpr cl_mem_object_type kTypes[] = {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_ARRAY,
                                         CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE2D_ARRAY,
                                         CL_MEM_OBJECT_IMAGE3D, CL_MEM_OBJECT_IMAGE1D_BUFFER};

// Section 5.3.2.1: the minimum list of formats for the full profile.
TEST_F(SupportedImageFormats, HasTheRequiredOnes) {
  for (const cl_mem_object_type type : kTypes) {
    for (const cl_mem_flags flags : {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE}) {
      const auto list = formats(flags, type);
      const auto has = [&](cl_channel_order order, cl_channel_type channel) {
        return std::any_of(list.begin(), list.end(), [&](const cl_image_format& f) {
          return f.image_channel_order == order && f.image_channel_data_type == channel;
        });
      };
      for (const cl_channel_type channel :
           {CL_UNORM_INT8, CL_UNORM_INT16, CL_SIGNED_INT8, CL_SIGNED_INT16, CL_SIGNED_INT32, CL_UNSIGNED_INT8,
            CL_UNSIGNED_INT16, CL_UNSIGNED_INT32, CL_HALF_FLOAT, CL_FLOAT})
        EXPECT_TRUE(has(CL_RGBA, channel)) << type << " " << channel;
      EXPECT_TRUE(has(CL_BGRA, CL_UNORM_INT8)) << type;
    }
  }
}

// For each access and type: an image can be created in exactly the listed formats, and the list has no duplicates. tests/kernels/images_*
// tests that kernels can read and write these formats.
TEST_F(SupportedImageFormats, ListsWhatWorks) {
  const test::Buffer buffer = make_buffer(4096);
  for (const cl_mem_object_type type : kTypes) {
    const bool line = type == CL_MEM_OBJECT_IMAGE1D || type == CL_MEM_OBJECT_IMAGE1D_BUFFER;
    cl_image_desc desc = test::image_desc(type, 4, line ? 0 : 4, line ? 0 : 4);
    if (type == CL_MEM_OBJECT_IMAGE1D_BUFFER) desc.mem_object = buffer;
    for (const cl_mem_flags flags :
         {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE, CL_MEM_KERNEL_READ_AND_WRITE}) {
      SCOPED_TRACE("type " + std::to_string(type) + ", flags " + std::to_string(flags));
      auto list = formats(flags, type);
      const auto key = [](const cl_image_format& f) {
        return std::pair(f.image_channel_order, f.image_channel_data_type);
      };
      std::sort(list.begin(), list.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
      EXPECT_EQ(list.end(), std::adjacent_find(list.begin(), list.end(), [&](const auto& a, const auto& b) {
                  return key(a) == key(b);
                }));
      for (cl_channel_order order = CL_R; order <= CL_ABGR; ++order)
        for (cl_channel_type channel = CL_SNORM_INT8; channel <= test::kUnormInt2101010; ++channel) {
          const cl_image_format format = {order, channel};
          const bool listed = std::any_of(list.begin(), list.end(),
                                          [&](const auto& each) { return key(each) == key(format); });
          cl_int error = 1;
          // CL_MEM_KERNEL_READ_AND_WRITE is only a flag of the query; images for it are created with CL_MEM_READ_WRITE.
          if (flags == CL_MEM_KERNEL_READ_AND_WRITE && !listed) continue;
          const cl_mem_flags access = flags == CL_MEM_KERNEL_READ_AND_WRITE ? CL_MEM_READ_WRITE : flags;
          const test::Image image = clCreateImage(context, access, &format, &desc, nullptr, &error);
          EXPECT_EQ(listed, image.get() != nullptr) << order << " " << channel;
          if (listed)
            CL_EXPECT(CL_SUCCESS, error);
          else
            EXPECT_TRUE(error == CL_IMAGE_FORMAT_NOT_SUPPORTED || error == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR)
                << order << " " << channel << ": " << test::error_name(error);
        }
    }
  }
}

TEST_F(SupportedImageFormats, Errors) {
  cl_uint count = 0;
  cl_image_format format;
  CL_EXPECT(CL_INVALID_CONTEXT, clGetSupportedImageFormats(nullptr, CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D,
                                                           0, nullptr, &count));
  CL_EXPECT(CL_INVALID_VALUE,
            clGetSupportedImageFormats(context, CL_MEM_READ_WRITE, CL_MEM_OBJECT_BUFFER, 0, nullptr, &count));
  CL_EXPECT(CL_INVALID_VALUE, clGetSupportedImageFormats(context, cl_mem_flags{1} << 40,
                                                         CL_MEM_OBJECT_IMAGE2D, 0, nullptr, &count));
  CL_EXPECT(CL_INVALID_VALUE, clGetSupportedImageFormats(context, CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, 0,
                                                         &format, &count));
}

}  // namespace
