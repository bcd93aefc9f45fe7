// SPDX-License-Identifier: Apache-2.0
// clEnqueueReadImage and clEnqueueWriteImage.
#include <algorithm>

#include "support/images.h"

namespace {

using test::Size3;
constexpr cl_image_format kFormat = {CL_RG, CL_UNSIGNED_INT16};
constexpr size_t kTexel = 4;

class ReadImage : public test::ImageTest {};

// Parts of each type of image, with any pitches of the host memory, small and so large that the transfer is split.
TEST_F(ReadImage, PartsOfEveryType) {
  for (const cl_mem_object_type type :
       {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE2D,
        CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D}) {
    for (const size_t width : {size_t{17}, size_t{700}}) {
      SCOPED_TRACE("type " + std::to_string(type) + ", width " + std::to_string(width));
      const cl_image_desc desc = test::image_desc(type, width, width > 100 ? 120 : 9, 5);
      const Size3 whole = test::region_of(desc);
      auto texels = test::random_values<std::uint8_t>(whole[0] * whole[1] * whole[2] * kTexel);
      const test::Image image = make_image(kFormat, desc);
      write(image, whole, texels);
      EXPECT_TRUE(read<std::uint8_t>(image, whole, kTexel) == texels);
      Size3 origin, region;
      for (unsigned d = 0; d < 3; ++d) {
        origin[d] = whole[d] > 3 ? 2 : 0;
        region[d] = whole[d] > 3 ? whole[d] - 3 : 1;
      }
      const bool layered_rows = type == CL_MEM_OBJECT_IMAGE1D_ARRAY, slices = layered_rows || whole[2] > 1;
      const size_t row = (region[0] + 5) * kTexel, slice = layered_rows ? row + 8 : row * (region[1] + 1);
      const size_t step_y = layered_rows ? slice : row;
      std::vector<std::uint8_t> host(slice * (layered_rows ? region[1] : region[2]) + row);
      const auto expected_at = [&](size_t x, size_t y, size_t z) {
        return (((origin[2] + z) * whole[1] + origin[1] + y) * whole[0] + origin[0]) * kTexel + x;
      };
      CL_OK(clEnqueueReadImage(queue, image, CL_TRUE, origin.data(), region.data(), row, slices ? slice : 0,
                               host.data(), 0, nullptr, nullptr));
      for (size_t z = 0; z < region[2]; ++z)
        for (size_t y = 0; y < region[1]; ++y)
          ASSERT_TRUE(std::equal(&texels[expected_at(0, y, z)],
                                 &texels[expected_at(0, y, z)] + region[0] * kTexel,
                                 &host[z * slice + y * step_y]));
      for (std::uint8_t& byte : host) byte = static_cast<std::uint8_t>(~byte);
      CL_OK(clEnqueueWriteImage(queue, image, CL_TRUE, origin.data(), region.data(), row, slices ? slice : 0,
                                host.data(), 0, nullptr, nullptr));
      for (size_t z = 0; z < region[2]; ++z)
        for (size_t y = 0; y < region[1]; ++y)
          for (size_t x = 0; x < region[0] * kTexel; ++x)
            texels[expected_at(x, y, z)] = static_cast<std::uint8_t>(~texels[expected_at(x, y, z)]);
      EXPECT_TRUE(read<std::uint8_t>(image, whole, kTexel) == texels);
    }
  }
}

// Section 5.2.2: a blocking write is complete when it returns, so commands of other queues see it without synchronization.
TEST_F(ReadImage, OtherQueuesSeeBlockingWrites) {
  constexpr size_t kBusy = 32 << 20;
  const test::Queue other = make_queue(0);
  const test::Buffer busy = make_buffer(kBusy);
  const cl_uint pattern = 7;
  for (const size_t width : {size_t{16}, size_t{300}}) {
    const cl_image_desc desc = test::image_desc(CL_MEM_OBJECT_IMAGE2D, width, width);
    const Size3 whole = test::region_of(desc);
    const size_t size = width * width * kTexel;
    const test::Image image = make_image(kFormat, desc);
    const test::Buffer copy = make_buffer(size);
    for (int round = 0; round < 10; ++round) {
      auto texels = test::random_values<std::uint8_t>(size);
      const auto expected = texels;
      CL_OK(clEnqueueFillBuffer(queue, busy, &pattern, sizeof pattern, 0, kBusy, 0, nullptr, nullptr));
      CL_OK(clEnqueueWriteImage(queue, image, CL_TRUE, Size3{}.data(), whole.data(), 0, 0, texels.data(), 0,
                                nullptr, nullptr));
      std::ranges::fill(texels, std::uint8_t{0});
      CL_OK(clEnqueueCopyImageToBuffer(other, image, copy, Size3{}.data(), whole.data(), 0, 0, nullptr,
                                       nullptr));
      CL_OK(clFinish(other));
      ASSERT_TRUE(contents(copy, size) == expected) << width << ", round " << round;
    }
  }
}

TEST_F(ReadImage, Errors) {
  const cl_image_desc desc = test::image_desc(CL_MEM_OBJECT_IMAGE2D, 8, 8);
  const test::Image image = make_image(kFormat, desc),
                    unread = make_image(kFormat, desc, CL_MEM_HOST_WRITE_ONLY),
                    unwritten = make_image(kFormat, desc, CL_MEM_HOST_READ_ONLY),
                    deep = make_image(kFormat, test::image_desc(CL_MEM_OBJECT_IMAGE3D, 8, 8, 8));
  const test::Buffer buffer = make_buffer(256);
  std::vector<std::uint8_t> host(4096);
  const size_t zero[3] = {}, one[3] = {1, 1, 1}, all[3] = {8, 8, 1}, off[3] = {1, 0, 0}, low[3] = {0, 0, 1},
               flat[3] = {8, 0, 1}, far[3] = {~size_t{0}, 0, 0};
  const auto both = [&](cl_int expected, cl_mem memory, const size_t* origin, const size_t* region,
                        size_t row = 0, size_t slice = 0, bool has_host = true) {
    void* memory_of_host = has_host ? host.data() : nullptr;
    CL_EXPECT(expected, clEnqueueReadImage(queue, memory, CL_TRUE, origin, region, row, slice, memory_of_host,
                                           0, nullptr, nullptr));
    CL_EXPECT(expected, clEnqueueWriteImage(queue, memory, CL_TRUE, origin, region, row, slice,
                                            memory_of_host, 0, nullptr, nullptr));
  };
  both(CL_SUCCESS, image, zero, all);
  both(CL_INVALID_MEM_OBJECT, nullptr, zero, one);
  both(CL_INVALID_MEM_OBJECT, buffer, zero, one);
  both(CL_INVALID_VALUE, image, nullptr, one);
  both(CL_INVALID_VALUE, image, zero, nullptr);
  both(CL_INVALID_VALUE, image, off, all);
  both(CL_INVALID_VALUE, image, far, one);
  both(CL_INVALID_VALUE, image, low, one);
  both(CL_INVALID_VALUE, image, zero, flat);
  both(CL_INVALID_VALUE, image, zero, all, 31);
  both(CL_INVALID_VALUE, image, zero, all, size_t{1} << 60);
  both(CL_INVALID_VALUE, deep, zero, all, 32, size_t{1} << 60);
  both(CL_INVALID_VALUE, image, zero, all, 32, 32 * 8);
  both(CL_INVALID_VALUE, deep, zero, all, 32, 32 * 7);
  both(CL_INVALID_VALUE, image, zero, all, 0, 0, false);
  CL_EXPECT(CL_INVALID_OPERATION,
            clEnqueueReadImage(queue, unread, CL_TRUE, zero, all, 0, 0, host.data(), 0, nullptr, nullptr));
  CL_EXPECT(CL_INVALID_OPERATION, clEnqueueWriteImage(queue, unwritten, CL_TRUE, zero, all, 0, 0, host.data(),
                                                      0, nullptr, nullptr));
}

TEST_F(ReadImage, OfAnotherContext) {
  cl_int error = 1;
  const test::Context other = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  CL_OK(error);
  const cl_image_desc desc = test::image_desc(CL_MEM_OBJECT_IMAGE2D, 8, 8);
  const test::Image foreign = clCreateImage(other, 0, &kFormat, &desc, nullptr, &error),
                    own = make_image(kFormat, desc);
  CL_OK(error);
  const test::Buffer foreign_buffer = clCreateBuffer(other, 0, 256, nullptr, &error),
                     buffer = make_buffer(256);
  CL_OK(error);
  std::vector<std::uint8_t> host(256);
  const size_t all[3] = {8, 8, 1};
  constexpr cl_int kCode = CL_INVALID_CONTEXT;
  CL_EXPECT(kCode, clEnqueueReadImage(queue, foreign, CL_TRUE, kNowhere, all, 0, 0, host.data(), 0, nullptr,
                                      nullptr));
  CL_EXPECT(kCode, clEnqueueWriteImage(queue, foreign, CL_TRUE, kNowhere, all, 0, 0, host.data(), 0, nullptr,
                                       nullptr));
  CL_EXPECT(kCode, clEnqueueFillImage(queue, foreign, host.data(), kNowhere, all, 0, nullptr, nullptr));
  CL_EXPECT(kCode, clEnqueueCopyImage(queue, foreign, own, kNowhere, kNowhere, all, 0, nullptr, nullptr));
  CL_EXPECT(kCode, clEnqueueCopyImage(queue, own, foreign, kNowhere, kNowhere, all, 0, nullptr, nullptr));
  CL_EXPECT(kCode, clEnqueueCopyImageToBuffer(queue, foreign, buffer, kNowhere, all, 0, 0, nullptr, nullptr));
  CL_EXPECT(kCode,
            clEnqueueCopyImageToBuffer(queue, own, foreign_buffer, kNowhere, all, 0, 0, nullptr, nullptr));
  CL_EXPECT(kCode, clEnqueueCopyBufferToImage(queue, buffer, foreign, 0, kNowhere, all, 0, nullptr, nullptr));
  CL_EXPECT(kCode,
            clEnqueueCopyBufferToImage(queue, foreign_buffer, own, 0, kNowhere, all, 0, nullptr, nullptr));
  size_t row = 0;
  EXPECT_EQ(nullptr, clEnqueueMapImage(queue, foreign, CL_TRUE, CL_MAP_READ, kNowhere, all, &row, nullptr, 0,
                                       nullptr, nullptr, &error));
  CL_EXPECT(kCode, error);
}

// A blocking command reports that an event in its wait list failed.
TEST_F(ReadImage, BehindAFailure) {
  const test::Image image = make_image(kFormat, test::image_desc(CL_MEM_OBJECT_IMAGE2D, 8, 8));
  std::vector<std::uint8_t> host(256);
  const size_t all[3] = {8, 8, 1};
  const test::Event failed = make_user_event();
  CL_OK(clSetUserEventStatus(failed, -1));
  constexpr cl_int kCode = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  CL_EXPECT(kCode, clEnqueueReadImage(queue, image, CL_TRUE, kNowhere, all, 0, 0, host.data(), 1,
                                      failed.list(), nullptr));
  CL_EXPECT(kCode, clEnqueueWriteImage(queue, image, CL_TRUE, kNowhere, all, 0, 0, host.data(), 1,
                                       failed.list(), nullptr));
  cl_int error = CL_SUCCESS;
  size_t row = 0;
  EXPECT_EQ(nullptr, clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_READ, kNowhere, all, &row, nullptr, 1,
                                       failed.list(), nullptr, &error));
  CL_EXPECT(kCode, error);
  cl_uint mapped = 1;
  CL_OK(clGetMemObjectInfo(image, CL_MEM_MAP_COUNT, sizeof mapped, &mapped, nullptr));
  EXPECT_EQ(mapped, 0u);
}

TEST_F(ReadImage, WaitLists) {
  const test::Image image = make_image(kFormat, test::image_desc(CL_MEM_OBJECT_IMAGE2D, 8, 8));
  std::vector<std::uint8_t> host(256);
  const size_t all[3] = {8, 8, 1};
  check_wait_list(CL_COMMAND_READ_IMAGE, [&](cl_command_queue tested, cl_uint count, const cl_event* waits,
                                             cl_event* event) {
    return clEnqueueReadImage(tested, image, CL_FALSE, kNowhere, all, 0, 0, host.data(), count, waits, event);
  });
  check_wait_list(CL_COMMAND_WRITE_IMAGE,
                  [&](cl_command_queue tested, cl_uint count, const cl_event* waits, cl_event* event) {
                    return clEnqueueWriteImage(tested, image, CL_FALSE, kNowhere, all, 0, 0, host.data(),
                                               count, waits, event);
                  });
}

}  // namespace
