// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "support/images.h"

namespace {

using test::Size3;

class FillImage : public test::ImageTest {};

TEST_F(FillImage, PartsOfEveryType) {
  for (const cl_mem_object_type type :
       {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE2D,
        CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D}) {
    for (const size_t width : {size_t{15}, size_t{3000}}) {
      SCOPED_TRACE("type " + std::to_string(type) + ", width " + std::to_string(width));
      const cl_image_desc desc = test::image_desc(type, width, 9, 6);
      const Size3 size = test::region_of(desc);
      auto expected = test::random_values<std::uint32_t>(size[0] * size[1] * size[2] * 4);
      const test::Image image = make_image({CL_RGBA, CL_UNSIGNED_INT32}, desc);
      write(image, size, expected);
      const auto color = test::random_values<std::uint32_t>(4);
      Size3 origin, region;
      for (unsigned d = 0; d < 3; ++d) {
        origin[d] = size[d] > 1 ? 1 : 0;
        region[d] = size[d] > 1 ? size[d] - 2 : 1;
      }
      CL_OK(
          clEnqueueFillImage(queue, image, color.data(), origin.data(), region.data(), 0, nullptr, nullptr));
      for (size_t z = 0; z < region[2]; ++z)
        for (size_t y = 0; y < region[1]; ++y)
          for (size_t x = 0; x < region[0]; ++x)
            std::copy(color.begin(), color.end(),
                      &expected[(((origin[2] + z) * size[1] + origin[1] + y) * size[0] + origin[0] + x) * 4]);
      EXPECT_TRUE(read<std::uint32_t>(image, size, 4) == expected);
    }
  }
}

// Fill colours are converted as write_image does.
TEST_F(FillImage, ConvertsColours) {
  const float color[4] = {0.5f, -1.0f, 2.0f, 0.25f};
  const size_t all[3] = {2, 2, 1};
  const auto filled = [&](cl_channel_order order, cl_channel_type type, size_t bytes) {
    const test::Image image = make_image({order, type}, test::image_desc(CL_MEM_OBJECT_IMAGE2D, 2, 2));
    CL_EXPECT(CL_SUCCESS, clEnqueueFillImage(queue, image, color, kNowhere, all, 0, nullptr, nullptr));
    return read<std::uint8_t>(image, {1, 1, 1}, bytes);
  };
  using Bytes = std::vector<std::uint8_t>;
  EXPECT_EQ(filled(CL_RGBA, CL_UNORM_INT8, 4), (Bytes{128, 0, 255, 64}));
  EXPECT_EQ(filled(CL_BGRA, CL_UNORM_INT8, 4), (Bytes{255, 0, 128, 64}));
  EXPECT_EQ(filled(CL_RGBA, CL_SNORM_INT8, 4), (Bytes{64, 0x81, 127, 32}));
  EXPECT_EQ(filled(CL_A, CL_UNORM_INT8, 1), (Bytes{64}));
  EXPECT_EQ(filled(CL_R, CL_UNORM_INT16, 2), (Bytes{0x00, 0x80}));
  EXPECT_EQ(filled(CL_R, CL_HALF_FLOAT, 2), (Bytes{0x00, 0x38}));
  EXPECT_EQ(filled(CL_RG, CL_FLOAT, 8), (Bytes{0, 0, 0, 0x3f, 0, 0, 0x80, 0xbf}));
}

TEST_F(FillImage, Errors) {
  const test::Image image =
      make_image({CL_RGBA, CL_UNORM_INT8}, test::image_desc(CL_MEM_OBJECT_IMAGE2D, 8, 8));
  const test::Buffer buffer = make_buffer(64);
  const float color[4] = {};
  const size_t zero[3] = {}, all[3] = {8, 8, 1}, off[3] = {1, 0, 0}, none[3] = {8, 0, 1};
  const auto fill = [&](cl_mem memory, const void* with, const size_t* origin, const size_t* region) {
    return clEnqueueFillImage(queue, memory, with, origin, region, 0, nullptr, nullptr);
  };
  CL_EXPECT(CL_SUCCESS, fill(image, color, zero, all));
  CL_EXPECT(CL_INVALID_MEM_OBJECT, fill(buffer, color, zero, all));
  CL_EXPECT(CL_INVALID_VALUE, fill(image, nullptr, zero, all));
  CL_EXPECT(CL_INVALID_MEM_OBJECT, fill(nullptr, color, zero, all));
  CL_EXPECT(CL_INVALID_VALUE, fill(image, color, nullptr, all));
  CL_EXPECT(CL_INVALID_VALUE, fill(image, color, zero, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, fill(image, color, off, all));
  CL_EXPECT(CL_INVALID_VALUE, fill(image, color, zero, none));
}

TEST_F(FillImage, WaitList) {
  const test::Image image =
      make_image({CL_RGBA, CL_UNORM_INT8}, test::image_desc(CL_MEM_OBJECT_IMAGE2D, 8, 8));
  const float color[4] = {};
  const size_t all[3] = {8, 8, 1};
  check_wait_list(CL_COMMAND_FILL_IMAGE,
                  [&](cl_command_queue tested, cl_uint count, const cl_event* waits, cl_event* event) {
                    return clEnqueueFillImage(tested, image, color, kNowhere, all, count, waits, event);
                  });
}

}  // namespace
