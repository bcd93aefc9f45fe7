// SPDX-License-Identifier: Apache-2.0
#include <CL/cl_ext.h>

#include "support/device_info.h"
#include "support/images.h"

namespace {

constexpr cl_image_format kFormat = {CL_RGBA, CL_UNORM_INT8};

class ImageRequirements : public test::ImageTest {
 protected:
  void SetUp() override {
    ImageTest::SetUp();
    function = reinterpret_cast<clGetImageRequirementsInfoEXT_fn>(clGetExtensionFunctionAddressForPlatform(
        test::device_info<cl_platform_id>(device, CL_DEVICE_PLATFORM), "clGetImageRequirementsInfoEXT"));
    if (!function) GTEST_SKIP() << "no cl_ext_image_requirements_info";
  }
  template <class T>
  T info(const cl_image_format* format, const cl_image_desc* desc, cl_image_requirements_info_ext name,
         cl_int expected = CL_SUCCESS) const {
    T value{};
    CL_EXPECT(expected, function(context, nullptr, 0, format, desc, name, sizeof value, &value, nullptr));
    return value;
  }
  clGetImageRequirementsInfoEXT_fn function = nullptr;
};

TEST_F(ImageRequirements, AgreeWithTheDevice) {
  const cl_image_desc flat = test::image_desc(CL_MEM_OBJECT_IMAGE2D, 8, 8),
                      volume = test::image_desc(CL_MEM_OBJECT_IMAGE3D, 8, 8, 8),
                      deep = test::image_desc(CL_MEM_OBJECT_IMAGE3D, 0),
                      layers = test::image_desc(CL_MEM_OBJECT_IMAGE1D_ARRAY, 0);
  EXPECT_EQ(info<size_t>(&kFormat, &flat, CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT),
            4 * test::device_info<cl_uint>(device, CL_DEVICE_IMAGE_PITCH_ALIGNMENT));
  EXPECT_EQ(info<size_t>(&kFormat, &volume, CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT), 4u);
  EXPECT_EQ(info<size_t>(&kFormat, &volume, CL_IMAGE_REQUIREMENTS_SLICE_PITCH_ALIGNMENT_EXT), 4u);
  EXPECT_LE(info<size_t>(nullptr, nullptr, CL_IMAGE_REQUIREMENTS_BASE_ADDRESS_ALIGNMENT_EXT),
            16 * test::device_info<cl_uint>(device, CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT));
  EXPECT_EQ(info<cl_uint>(&kFormat, &flat, CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT),
            test::device_info<size_t>(device, CL_DEVICE_IMAGE2D_MAX_WIDTH));
  EXPECT_EQ(info<cl_uint>(&kFormat, &deep, CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT),
            test::device_info<size_t>(device, CL_DEVICE_IMAGE3D_MAX_HEIGHT));
  EXPECT_EQ(info<cl_uint>(nullptr, &deep, CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT),
            test::device_info<size_t>(device, CL_DEVICE_IMAGE3D_MAX_DEPTH));
  EXPECT_EQ(info<cl_uint>(nullptr, &layers, CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT),
            test::device_info<size_t>(device, CL_DEVICE_IMAGE_MAX_ARRAY_SIZE));
}

// A buffer of the size that the query returns can hold the image.
TEST_F(ImageRequirements, SizeIsEnough) {
  cl_image_desc desc = test::image_desc(CL_MEM_OBJECT_IMAGE2D, 40, 30);
  desc.image_row_pitch = 4 * info<size_t>(&kFormat, &desc, CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT);
  const auto size = info<size_t>(&kFormat, &desc, CL_IMAGE_REQUIREMENTS_SIZE_EXT);
  const test::Buffer buffer = make_buffer(size);
  desc.mem_object = buffer;
  const test::Image image = make_image(kFormat, desc);
  size_t found = 0;
  CL_OK(clGetMemObjectInfo(image, CL_MEM_SIZE, sizeof found, &found, nullptr));
  EXPECT_EQ(size, found);
}

// Section 5.3.1.2: descriptors with which no image can be created in a buffer have no size either.
TEST_F(ImageRequirements, DescriptorsWithoutASize) {
  const auto refuses = [&](cl_image_desc desc) {
    info<size_t>(&kFormat, &desc, CL_IMAGE_REQUIREMENTS_SIZE_EXT, CL_INVALID_IMAGE_DESCRIPTOR);
  };
  constexpr size_t kHuge = size_t{1} << 60;
  refuses(test::image_desc(CL_MEM_OBJECT_IMAGE1D, 4 * kHuge));
  refuses(test::image_desc(CL_MEM_OBJECT_IMAGE2D, 4 * kHuge, 4));
  refuses(test::image_desc(CL_MEM_OBJECT_IMAGE2D, 4, 4 * kHuge));
  refuses(test::image_desc(CL_MEM_OBJECT_IMAGE3D, 4, 4, kHuge));
  refuses(test::image_desc(0, 4));
  cl_image_desc flat = test::image_desc(CL_MEM_OBJECT_IMAGE2D, 64, 4),
                volume = test::image_desc(CL_MEM_OBJECT_IMAGE3D, 64, 4, 4);
  for (const size_t pitch : {3, 252, 258}) {
    flat.image_row_pitch = volume.image_row_pitch = pitch;
    refuses(flat);
    refuses(volume);
  }
  volume.image_row_pitch = 0;
  for (const size_t pitch : {5, 768, 1025}) {
    volume.image_slice_pitch = pitch;
    refuses(volume);
  }
  volume.image_slice_pitch = 2048;
  EXPECT_EQ(info<size_t>(&kFormat, &volume, CL_IMAGE_REQUIREMENTS_SIZE_EXT), 4 * 2048u);
  cl_image_desc mipmap = test::image_desc(CL_MEM_OBJECT_IMAGE2D, 64, 4);
  mipmap.num_mip_levels = 2;
  refuses(mipmap);
  info<cl_uint>(&kFormat, &mipmap, CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT);
  cl_image_desc sampled = test::image_desc(CL_MEM_OBJECT_IMAGE2D, 64, 4);
  sampled.num_samples = 4;
  refuses(sampled);
  info<cl_uint>(&kFormat, &sampled, CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, CL_INVALID_IMAGE_DESCRIPTOR);
}

TEST_F(ImageRequirements, Errors) {
  const cl_image_desc line = test::image_desc(CL_MEM_OBJECT_IMAGE1D, 8);
  const cl_image_desc empty = test::image_desc(CL_MEM_OBJECT_IMAGE1D, 0),
                      without_layers = test::image_desc(CL_MEM_OBJECT_IMAGE1D_ARRAY, 8);
  const cl_image_format odd = {CL_RGBA, CL_UNORM_SHORT_565};
  info<size_t>(&kFormat, &empty, CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT, CL_INVALID_IMAGE_DESCRIPTOR);
  info<size_t>(&kFormat, &empty, CL_IMAGE_REQUIREMENTS_SIZE_EXT, CL_INVALID_IMAGE_DESCRIPTOR);
  info<size_t>(&kFormat, &without_layers, CL_IMAGE_REQUIREMENTS_BASE_ADDRESS_ALIGNMENT_EXT,
               CL_INVALID_IMAGE_DESCRIPTOR);
  info<size_t>(nullptr, &line, CL_IMAGE_REQUIREMENTS_SIZE_EXT, CL_INVALID_VALUE);
  info<size_t>(&kFormat, nullptr, CL_IMAGE_REQUIREMENTS_SIZE_EXT, CL_INVALID_VALUE);
  info<cl_uint>(&kFormat, &line, CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT, CL_INVALID_IMAGE_DESCRIPTOR);
  info<cl_uint>(&kFormat, &line, CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT, CL_INVALID_IMAGE_DESCRIPTOR);
  info<cl_uint>(&kFormat, &line, CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT, CL_INVALID_IMAGE_DESCRIPTOR);
  info<cl_uint>(&odd, &line, CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  info<cl_uint>(&kFormat, &line, 7, CL_INVALID_VALUE);
  info<cl_uchar>(&kFormat, &line, CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, CL_INVALID_VALUE);
  const cl_mem_properties unknown[] = {1, 1, 0};
  cl_uint value = 0;
  CL_EXPECT(CL_INVALID_CONTEXT, function(nullptr, nullptr, 0, &kFormat, &line,
                                         CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, sizeof value, &value, nullptr));
  CL_EXPECT(CL_INVALID_PROPERTY,
            function(context, unknown, 0, &kFormat, &line, CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, sizeof value,
                     &value, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, function(context, nullptr, cl_mem_flags{1} << 40, &kFormat, &line,
                                       CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, sizeof value, &value, nullptr));
}

}  // namespace
