// SPDX-License-Identifier: Apache-2.0
// clEnqueueCopyImage, clEnqueueCopyImageToBuffer, clEnqueueCopyBufferToImage.
#include <algorithm>
#include <array>

#include "support/images.h"

namespace {

using test::Size3;
constexpr cl_image_format kFormat = {CL_R, CL_UNSIGNED_INT32};
constexpr cl_mem_object_type kTypes[] = {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_ARRAY,
                                         CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE2D_ARRAY,
                                         CL_MEM_OBJECT_IMAGE3D};

class CopyImage : public test::ImageTest {};

size_t index(const Size3& whole, const Size3& origin, size_t x, size_t y, size_t z) {
  return ((origin[2] + z) * whole[1] + origin[1] + y) * whole[0] + origin[0] + x;
}

TEST_F(CopyImage, BetweenAllTypes) {
  for (const cl_mem_object_type from_type : kTypes) {
    for (const cl_mem_object_type to_type : kTypes) {
      SCOPED_TRACE(std::to_string(from_type) + " to " + std::to_string(to_type));
      const cl_image_desc from_desc = test::image_desc(from_type, 14, 9, 6),
                          to_desc = test::image_desc(to_type, 11, 8, 7);
      const Size3 from_size = test::region_of(from_desc), to_size = test::region_of(to_desc);
      const auto texels = test::random_values<std::uint32_t>(from_size[0] * from_size[1] * from_size[2]);
      auto expected = test::random_values<std::uint32_t>(to_size[0] * to_size[1] * to_size[2]);
      const test::Image from = make_image(kFormat, from_desc), to = make_image(kFormat, to_desc);
      write(from, from_size, texels);
      write(to, to_size, expected);
      Size3 from_origin, to_origin, region;
      for (unsigned d = 0; d < 3; ++d) {
        from_origin[d] = from_size[d] > 1 ? 1 : 0;
        to_origin[d] = to_size[d] > 2 ? 2 : 0;
        region[d] = std::min(from_size[d] - from_origin[d], to_size[d] - to_origin[d]);
      }
      CL_OK(clEnqueueCopyImage(queue, from, to, from_origin.data(), to_origin.data(), region.data(), 0,
                               nullptr, nullptr));
      for (size_t z = 0; z < region[2]; ++z)
        for (size_t y = 0; y < region[1]; ++y)
          for (size_t x = 0; x < region[0]; ++x)
            expected[index(to_size, to_origin, x, y, z)] = texels[index(from_size, from_origin, x, y, z)];
      EXPECT_TRUE(read<std::uint32_t>(to, to_size, 1) == expected);
    }
  }
}

TEST_F(CopyImage, WithinAnImage) {
  for (const cl_image_format format : {kFormat, cl_image_format{CL_R, CL_FLOAT}}) {
    for (const cl_mem_object_type type : kTypes) {
      SCOPED_TRACE("type " + std::to_string(type));
      const cl_image_desc desc = test::image_desc(type, 14, 9, 6);
      const Size3 size = test::region_of(desc);
      auto texels = test::random_values<std::uint32_t>(size[0] * size[1] * size[2]);
      const test::Image image = make_image(format, desc);
      write(image, size, texels);
      // Corner to corner, and between slices.
      const std::array<Size3, 3> places[] = {
          {Size3{0, 0, 0}, {7, size[1] > 1 ? 5u : 0, size[2] > 1 ? 3u : 0}, {7, 1, 1}},
          {Size3{1, 0, 0}, {9, 0, 0}, {4, size[1], size[2]}},
          {Size3{2, 0, size[2] - 1}, {11, 0, 0}, {3, size[1], 1}}};
      for (const auto& [from, to, region] : places) {
        CL_OK(clEnqueueCopyImage(queue, image, image, from.data(), to.data(), region.data(), 0, nullptr,
                                 nullptr));
        for (size_t z = 0; z < region[2]; ++z)
          for (size_t y = 0; y < region[1]; ++y)
            for (size_t x = 0; x < region[0]; ++x)
              texels[index(size, to, x, y, z)] = texels[index(size, from, x, y, z)];
        EXPECT_TRUE(read<std::uint32_t>(image, size, 1) == texels);
      }
    }
  }
}

TEST_F(CopyImage, ToAndFromBuffers) {
  for (const cl_mem_object_type type : kTypes) {
    SCOPED_TRACE("type " + std::to_string(type));
    const cl_image_desc desc = test::image_desc(type, 14, 9, 6);
    const Size3 size = test::region_of(desc);
    auto texels = test::random_values<std::uint32_t>(size[0] * size[1] * size[2]);
    const test::Image image = make_image(kFormat, desc);
    write(image, size, texels);
    Size3 origin, region;
    for (unsigned d = 0; d < 3; ++d) {
      origin[d] = size[d] > 1 ? 1 : 0;
      region[d] = size[d] > 1 ? size[d] - 2 : 1;
    }
    const size_t count = region[0] * region[1] * region[2];
    const test::Buffer buffer = make_buffer((count + 3) * 4);
    CL_OK(clEnqueueCopyImageToBuffer(queue, image, buffer, origin.data(), region.data(), 12, 0, nullptr,
                                     nullptr));
    const auto copied = contents<std::uint32_t>(buffer, count + 3);
    const auto news = test::random_values<std::uint32_t>(count + 3);
    CL_OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, news.size() * 4, news.data(), 0, nullptr, nullptr));
    CL_OK(clEnqueueCopyBufferToImage(queue, buffer, image, 12, origin.data(), region.data(), 0, nullptr,
                                     nullptr));
    for (size_t z = 0, i = 3; z < region[2]; ++z)
      for (size_t y = 0; y < region[1]; ++y)
        for (size_t x = 0; x < region[0]; ++x, ++i) {
          std::uint32_t& texel = texels[index(size, origin, x, y, z)];
          ASSERT_EQ(texel, copied[i]);
          texel = news[i];
        }
    EXPECT_TRUE(read<std::uint32_t>(image, size, 1) == texels);
  }
}

TEST_F(CopyImage, Errors) {
  const cl_image_desc desc = test::image_desc(CL_MEM_OBJECT_IMAGE2D, 8, 8);
  const test::Image image = make_image(kFormat, desc), other = make_image(kFormat, desc),
                    odd = make_image({CL_R, CL_SIGNED_INT32}, desc);
  const test::Buffer buffer = make_buffer(256);
  const size_t zero[3] = {}, all[3] = {8, 8, 1}, some[3] = {4, 4, 1}, off[3] = {5, 0, 0}, near[3] = {3, 3, 0},
               flat[3] = {8, 0, 1};
  const auto copy = [&](cl_mem from, cl_mem to, const size_t* from_origin, const size_t* to_origin,
                        const size_t* region) {
    return clEnqueueCopyImage(queue, from, to, from_origin, to_origin, region, 0, nullptr, nullptr);
  };
  CL_EXPECT(CL_SUCCESS, copy(image, other, zero, zero, all));
  CL_EXPECT(CL_INVALID_MEM_OBJECT, copy(buffer, other, zero, zero, all));
  CL_EXPECT(CL_INVALID_MEM_OBJECT, copy(image, nullptr, zero, zero, all));
  CL_EXPECT(CL_IMAGE_FORMAT_MISMATCH, copy(image, odd, zero, zero, all));
  CL_EXPECT(CL_INVALID_VALUE, copy(image, other, nullptr, zero, all));
  CL_EXPECT(CL_INVALID_VALUE, copy(image, other, zero, nullptr, all));
  CL_EXPECT(CL_INVALID_VALUE, copy(image, other, zero, zero, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, copy(image, other, zero, zero, flat));
  CL_EXPECT(CL_INVALID_VALUE, copy(image, other, off, zero, some));
  CL_EXPECT(CL_INVALID_VALUE, copy(image, other, zero, off, some));
  CL_EXPECT(CL_MEM_COPY_OVERLAP, copy(image, image, zero, near, some));
  const auto to_buffer = [&](cl_mem from, cl_mem to, const size_t* origin, const size_t* region,
                             size_t offset) {
    return clEnqueueCopyImageToBuffer(queue, from, to, origin, region, offset, 0, nullptr, nullptr);
  };
  const auto from_buffer = [&](cl_mem from, cl_mem to, const size_t* origin, const size_t* region,
                               size_t offset) {
    return clEnqueueCopyBufferToImage(queue, to, from, offset, origin, region, 0, nullptr, nullptr);
  };
  const auto both = [&](cl_int expected, cl_mem picture, cl_mem memory, const size_t* origin,
                        const size_t* region, size_t offset) {
    CL_EXPECT(expected, to_buffer(picture, memory, origin, region, offset));
    CL_EXPECT(expected, from_buffer(picture, memory, origin, region, offset));
  };
  both(CL_SUCCESS, image, buffer, zero, all, 0);
  both(CL_INVALID_VALUE, image, buffer, zero, all, 1);
  both(CL_INVALID_VALUE, image, buffer, off, some, 0);
  both(CL_INVALID_MEM_OBJECT, buffer, buffer, zero, all, 0);
  both(CL_INVALID_MEM_OBJECT, image, image, zero, all, 0);
  both(CL_INVALID_VALUE, image, buffer, nullptr, all, 0);
  both(CL_INVALID_VALUE, image, buffer, zero, nullptr, 0);
  both(CL_INVALID_VALUE, image, buffer, zero, flat, 0);
  cl_image_desc in_buffer = test::image_desc(CL_MEM_OBJECT_IMAGE1D_BUFFER, 16);
  in_buffer.mem_object = buffer;
  const size_t few[3] = {4, 1, 1};
  both(CL_INVALID_MEM_OBJECT, make_image(kFormat, in_buffer), buffer, zero, few, 128);
}

// Overlap of images in one buffer is a matter of the bytes in the buffer: equal coordinates in two images need not overlap, and an image
// can be copied to another part of its buffer. Only a 1D image buffer cannot be copied to or from its own buffer (section 5.3.5).
TEST_F(CopyImage, ImagesInOneBuffer) {
  constexpr size_t kPart = 4096, kTexels = 16;
  const test::Buffer buffer = make_buffer(2 * kPart);
  test::Buffer parts[2];
  for (size_t i = 0; i < 2; ++i) {
    const cl_buffer_region region{i * kPart, kPart};
    cl_int error = 1;
    parts[i] = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    CL_OK(error);
  }
  const size_t all[3] = {kTexels, 1, 1};
  for (const cl_mem_object_type type : {CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_MEM_OBJECT_IMAGE2D}) {
    SCOPED_TRACE("type " + std::to_string(type));
    test::Image images[2];
    for (size_t i = 0; i < 2; ++i) {
      cl_image_desc desc = test::image_desc(type, kTexels, 1);
      desc.mem_object = parts[i];
      images[i] = make_image(kFormat, desc);
    }
    const auto texels = test::random_values<std::uint32_t>(kTexels);
    write(images[0], {kTexels, 1, 1}, texels);
    CL_EXPECT(CL_SUCCESS,
              clEnqueueCopyImage(queue, images[0], images[1], kNowhere, kNowhere, all, 0, nullptr, nullptr));
    EXPECT_TRUE(contents<std::uint32_t>(parts[1], kTexels) == texels);
    CL_EXPECT(CL_SUCCESS, clEnqueueCopyImageToBuffer(queue, images[0], parts[1], kNowhere, all, 128, 0,
                                                     nullptr, nullptr));
    CL_EXPECT(CL_SUCCESS, clEnqueueCopyBufferToImage(queue, parts[1], images[0], 128, kNowhere, all, 0,
                                                     nullptr, nullptr));
    EXPECT_TRUE(read<std::uint32_t>(images[0], {kTexels, 1, 1}, 1) == texels);
    const cl_int own = type == CL_MEM_OBJECT_IMAGE1D_BUFFER ? CL_INVALID_MEM_OBJECT : CL_SUCCESS;
    CL_EXPECT(own, clEnqueueCopyImageToBuffer(queue, images[0], parts[0], kNowhere, all, 1024, 0, nullptr,
                                              nullptr));
    CL_EXPECT(own, clEnqueueCopyBufferToImage(queue, parts[0], images[0], 1024, kNowhere, all, 0, nullptr,
                                              nullptr));
  }
}

TEST_F(CopyImage, WaitLists) {
  const cl_image_desc desc = test::image_desc(CL_MEM_OBJECT_IMAGE2D, 8, 8);
  const test::Image image = make_image(kFormat, desc), other = make_image(kFormat, desc);
  const test::Buffer buffer = make_buffer(256);
  const size_t all[3] = {8, 8, 1};
  check_wait_list(CL_COMMAND_COPY_IMAGE, [&](cl_command_queue tested, cl_uint count, const cl_event* waits,
                                             cl_event* event) {
    return clEnqueueCopyImage(tested, image, other, kNowhere, kNowhere, all, count, waits, event);
  });
  check_wait_list(CL_COMMAND_COPY_IMAGE_TO_BUFFER, [&](cl_command_queue tested, cl_uint count,
                                                       const cl_event* waits, cl_event* event) {
    return clEnqueueCopyImageToBuffer(tested, image, buffer, kNowhere, all, 0, count, waits, event);
  });
  check_wait_list(CL_COMMAND_COPY_BUFFER_TO_IMAGE, [&](cl_command_queue tested, cl_uint count,
                                                       const cl_event* waits, cl_event* event) {
    return clEnqueueCopyBufferToImage(tested, buffer, image, 0, kNowhere, all, count, waits, event);
  });
}

}  // namespace
