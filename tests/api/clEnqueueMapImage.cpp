// SPDX-License-Identifier: Apache-2.0
// clEnqueueMapImage, and clEnqueueUnmapMemObject for images.
#include <cstring>

#include "support/images.h"

namespace {

using test::Size3;
constexpr cl_image_format kFormat = {CL_RGBA, CL_UNORM_INT8};

class MapImage : public test::ImageTest {
 protected:
  std::uint8_t* map(cl_mem image, cl_map_flags flags, const Size3& origin, const Size3& region, size_t* row,
                    size_t* slice, cl_int expected = CL_SUCCESS) {
    cl_int error = 1;
    void* mapped = clEnqueueMapImage(queue, image, CL_TRUE, flags, origin.data(), region.data(), row, slice,
                                     0, nullptr, nullptr, &error);
    CL_EXPECT(expected, error);
    return static_cast<std::uint8_t*>(mapped);
  }
  void unmap(cl_mem image, void* mapped) {
    CL_EXPECT(CL_SUCCESS, clEnqueueUnmapMemObject(queue, image, mapped, 0, nullptr, nullptr));
  }
};

// For each type of image and each flag of host memory: the mapping has the image's contents, and writes to it reach the image.
TEST_F(MapImage, ReadsAndWritesThroughTheMapping) {
  for (const cl_mem_object_type type :
       {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE2D,
        CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D}) {
    const cl_image_desc desc = test::image_desc(type, 12, 9, 6);
    const Size3 whole = test::region_of(desc);
    std::vector<std::uint8_t> host(whole[0] * whole[1] * whole[2] * 4);
    for (const cl_mem_flags flags :
         {cl_mem_flags{0}, cl_mem_flags{CL_MEM_ALLOC_HOST_PTR}, cl_mem_flags{CL_MEM_USE_HOST_PTR}}) {
      SCOPED_TRACE("type " + std::to_string(type) + ", flags " + std::to_string(flags));
      const bool uses_host = (flags & CL_MEM_USE_HOST_PTR) != 0;
      const test::Image image = make_image(kFormat, desc, flags, uses_host ? host.data() : nullptr);
      auto texels = test::random_values<std::uint8_t>(host.size());
      write(image, whole, texels);
      Size3 origin, region;
      for (unsigned d = 0; d < 3; ++d) {
        origin[d] = whole[d] > 1 ? 1 : 0;
        region[d] = whole[d] > 1 ? whole[d] - 2 : 1;
      }
      size_t row = 0, slice = 77;
      std::uint8_t* mapped = map(image, CL_MAP_READ | CL_MAP_WRITE, origin, region, &row, &slice);
      ASSERT_NE(mapped, nullptr);
      const bool layered_rows = type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
      if (!layered_rows && whole[2] == 1) EXPECT_EQ(slice, 0u);
      const size_t step = layered_rows ? slice : row;
      for (size_t z = 0; z < region[2]; ++z)
        for (size_t y = 0; y < region[1]; ++y)
          for (size_t x = 0; x < region[0] * 4; ++x) {
            std::uint8_t& expected =
                texels[((origin[2] + z) * whole[1] + origin[1] + y) * whole[0] * 4 + origin[0] * 4 + x];
            std::uint8_t& found = mapped[z * slice + y * step + x];
            ASSERT_EQ(expected, found);
            expected = found = static_cast<std::uint8_t>(found + 1);
          }
      unmap(image, mapped);
      EXPECT_TRUE(read<std::uint8_t>(image, whole, 4) == texels);
    }
  }
}

// Host memory that the library allocates is large enough for the pitches of the initial contents, and does not overlap that of another
// image.
TEST_F(MapImage, KeepsPitchesInItsOwnMemory) {
  constexpr size_t kRow = 640, kSlice = 1024 * kRow, kImages = 4;
  cl_image_desc desc = test::image_desc(CL_MEM_OBJECT_IMAGE3D, 12, 9, 6);
  desc.image_row_pitch = kRow;
  desc.image_slice_pitch = kSlice;
  struct Mapped {
    test::Image image;
    std::vector<std::uint8_t> host;
    std::uint8_t* memory;
  };
  std::vector<Mapped> all;
  size_t row = 0, slice = 0;
  for (size_t i = 0; i < kImages; ++i) {
    Mapped made{{}, test::random_values<std::uint8_t>(kSlice * 6), nullptr};
    made.image = make_image(kFormat, desc, CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR, made.host.data());
    made.memory = map(made.image, CL_MAP_READ, {}, {12, 9, 6}, &row, &slice);
    ASSERT_NE(made.memory, nullptr);
    all.push_back(std::move(made));
  }
  for (const Mapped& made : all) {
    for (size_t z = 0; z < 6; ++z)
      for (size_t y = 0; y < 9; ++y)
        ASSERT_EQ(0,
                  std::memcmp(made.memory + z * slice + y * row, &made.host[z * kSlice + y * kRow], 12 * 4))
            << z << ' ' << y;
    unmap(made.image, made.memory);
  }
}

// With CL_MEM_ALLOC_HOST_PTR an image has one host memory for its lifetime: all maps return addresses in it.
TEST_F(MapImage, StaysWhereItIsInItsOwnMemory) {
  const test::Image image =
      make_image(kFormat, test::image_desc(CL_MEM_OBJECT_IMAGE2D, 8, 8), CL_MEM_ALLOC_HOST_PTR);
  size_t row = 0, one_row = 0;
  std::uint8_t* const first = map(image, CL_MAP_WRITE, {}, {8, 8, 1}, &row, nullptr);
  ASSERT_NE(first, nullptr);
  unmap(image, first);
  std::uint8_t* const whole = map(image, CL_MAP_READ, {}, {8, 8, 1}, &row, nullptr);
  std::uint8_t* const part = map(image, CL_MAP_READ, {2, 3, 0}, {4, 1, 1}, &one_row, nullptr);
  EXPECT_EQ(first, whole);
  EXPECT_EQ(row, one_row);
  EXPECT_EQ(whole + 3 * row + 2 * 4, part);
  unmap(image, whole);
  unmap(image, part);
}

TEST_F(MapImage, WritesOverlapNot) {
  const test::Image image = make_image(kFormat, test::image_desc(CL_MEM_OBJECT_IMAGE2D, 8, 8));
  size_t row = 0;
  std::uint8_t* first = map(image, CL_MAP_WRITE, {0, 0, 0}, {4, 8, 1}, &row, nullptr);
  map(image, CL_MAP_WRITE, {3, 0, 0}, {4, 8, 1}, &row, nullptr, CL_INVALID_OPERATION);
  std::uint8_t* second = map(image, CL_MAP_WRITE_INVALIDATE_REGION, {4, 0, 0}, {4, 8, 1}, &row, nullptr);
  cl_uint count = 0;
  CL_OK(clGetMemObjectInfo(image, CL_MEM_MAP_COUNT, sizeof count, &count, nullptr));
  EXPECT_EQ(count, 2u);
  unmap(image, first);
  unmap(image, second);
}

// Section 5.5.4: nor do they overlap those of the buffer of a 1D image, its sub-buffers and its other images.
TEST_F(MapImage, WritesOverlapNotThoseOfTheBuffer) {
  const test::Buffer buffer = make_buffer(256);
  size_t row = 0;
  cl_image_desc desc = test::image_desc(CL_MEM_OBJECT_IMAGE1D_BUFFER, 32);
  desc.buffer = buffer;
  const test::Image image = make_image(kFormat, desc), other = make_image(kFormat, desc);
  const auto map_buffer = [&](std::size_t offset, cl_int expected) {
    cl_int error = 1;
    void* mapped =
        clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE, offset, 64, 0, nullptr, nullptr, &error);
    CL_EXPECT(expected, error);
    return mapped;
  };
  void* whole = map_buffer(0, CL_SUCCESS);
  map(image, CL_MAP_WRITE, {15, 0, 0}, {2, 1, 1}, &row, nullptr, CL_INVALID_OPERATION);
  std::uint8_t* behind = map(image, CL_MAP_WRITE, {16, 0, 0}, {4, 1, 1}, &row, nullptr);
  map(other, CL_MAP_WRITE, {19, 0, 0}, {4, 1, 1}, &row, nullptr, CL_INVALID_OPERATION);
  map_buffer(64, CL_INVALID_OPERATION);
  unmap(image, behind);
  CL_OK(clEnqueueUnmapMemObject(queue, buffer, whole, 0, nullptr, nullptr));
  void* free_again = map_buffer(64, CL_SUCCESS);
  CL_OK(clEnqueueUnmapMemObject(queue, buffer, free_again, 0, nullptr, nullptr));
  unmap(other, map(other, CL_MAP_WRITE, {0, 0, 0}, {32, 1, 1}, &row, nullptr));
}

// An image, or a sub-buffer, that is released while it is mapped leaves its buffer free.
TEST_F(MapImage, ReleasedWhileItIsMapped) {
  const test::Buffer buffer = make_buffer(256);
  size_t row = 0;
  cl_int error = 1;
  {
    cl_image_desc desc = test::image_desc(CL_MEM_OBJECT_IMAGE1D_BUFFER, 16);
    desc.buffer = buffer;
    map(make_image(kFormat, desc), CL_MAP_WRITE, {0, 0, 0}, {16, 1, 1}, &row, nullptr);
    const cl_buffer_region region{0, 64};
    const test::Buffer part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    CL_EXPECT(CL_SUCCESS, error);
    CL_OK(clFinish(queue));
    clEnqueueMapBuffer(queue, part, CL_TRUE, CL_MAP_WRITE, 0, 64, 0, nullptr, nullptr, &error);
    CL_EXPECT(CL_SUCCESS, error);
  }
  CL_OK(clFinish(queue));
  void* mapped =
      clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE, 0, 256, 0, nullptr, nullptr, &error);
  CL_EXPECT(CL_SUCCESS, error);
  CL_OK(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, nullptr, nullptr));
}

TEST_F(MapImage, Errors) {
  const cl_image_desc desc = test::image_desc(CL_MEM_OBJECT_IMAGE2D, 8, 8);
  const test::Image image = make_image(kFormat, desc),
                    unread = make_image(kFormat, desc, CL_MEM_HOST_WRITE_ONLY),
                    unwritten = make_image(kFormat, desc, CL_MEM_HOST_READ_ONLY),
                    deep = make_image(kFormat, test::image_desc(CL_MEM_OBJECT_IMAGE3D, 8, 8, 8));
  const test::Buffer buffer = make_buffer(256);
  size_t row = 0;
  const Size3 zero = {}, all = {8, 8, 1};
  map(nullptr, CL_MAP_READ, zero, all, &row, nullptr, CL_INVALID_MEM_OBJECT);
  map(buffer, CL_MAP_READ, zero, all, &row, nullptr, CL_INVALID_MEM_OBJECT);
  map(image, CL_MAP_READ, {1, 0, 0}, all, &row, nullptr, CL_INVALID_VALUE);
  map(image, CL_MAP_READ, zero, {8, 0, 1}, &row, nullptr, CL_INVALID_VALUE);
  map(image, CL_MAP_READ, zero, all, nullptr, nullptr, CL_INVALID_VALUE);
  map(deep, CL_MAP_READ, zero, all, &row, nullptr, CL_INVALID_VALUE);
  map(image, 1 << 10, zero, all, &row, nullptr, CL_INVALID_VALUE);
  map(unread, CL_MAP_READ, zero, all, &row, nullptr, CL_INVALID_OPERATION);
  map(unwritten, CL_MAP_WRITE, zero, all, &row, nullptr, CL_INVALID_OPERATION);
  CL_EXPECT(CL_INVALID_VALUE, clEnqueueUnmapMemObject(queue, image, &row, 0, nullptr, nullptr));
}

TEST_F(MapImage, WaitList) {
  const test::Image image = make_image(kFormat, test::image_desc(CL_MEM_OBJECT_IMAGE2D, 8, 8));
  const size_t all[3] = {8, 8, 1};
  check_wait_list(CL_COMMAND_MAP_IMAGE,
                  [&](cl_command_queue tested, cl_uint count, const cl_event* waits, cl_event* event) {
                    cl_int error = CL_SUCCESS;
                    size_t row = 0;
                    clEnqueueMapImage(tested, image, CL_FALSE, CL_MAP_READ, kNowhere, all, &row, nullptr,
                                      count, waits, event, &error);
                    return error;
                  });
}

}  // namespace
