// SPDX-License-Identifier: Apache-2.0
// clCreateImage, clCreateImageWithProperties, clCreateImage2D, clCreateImage3D, clGetImageInfo.
#include <algorithm>
#include <functional>

#include "support/device_info.h"
#include "support/images.h"

namespace {

constexpr cl_image_format kColor = {CL_RGBA, CL_UNORM_INT8};

class CreateImage : public test::ImageTest {
 protected:
  template <class T>
  T info(cl_mem image, cl_image_info name) const {
    T value{};
    CL_EXPECT(CL_SUCCESS, clGetImageInfo(image, name, sizeof value, &value, nullptr));
    return value;
  }
  template <class T>
  T memory_info(cl_mem image, cl_mem_info name) const {
    T value{};
    CL_EXPECT(CL_SUCCESS, clGetMemObjectInfo(image, name, sizeof value, &value, nullptr));
    return value;
  }
  size_t limit(cl_device_info name) const { return test::device_info<size_t>(device, name); }
};

TEST_F(CreateImage, InfoOfEveryType) {
  struct Expected {
    cl_mem_object_type type;
    size_t width, height, depth, layers, slice_pitch;
  };
  for (const Expected& e : {Expected{CL_MEM_OBJECT_IMAGE1D, 20, 0, 0, 0, 0},
                            Expected{CL_MEM_OBJECT_IMAGE1D_ARRAY, 20, 0, 0, 7, 80},
                            Expected{CL_MEM_OBJECT_IMAGE2D, 20, 10, 0, 0, 0},
                            Expected{CL_MEM_OBJECT_IMAGE2D_ARRAY, 20, 10, 0, 7, 800},
                            Expected{CL_MEM_OBJECT_IMAGE3D, 20, 10, 7, 0, 800}}) {
    SCOPED_TRACE("type " + std::to_string(e.type));
    const test::Image image = make_image(kColor, test::image_desc(e.type, 20, 10, 7), CL_MEM_READ_ONLY);
    EXPECT_EQ(info<size_t>(image, CL_IMAGE_WIDTH), e.width);
    EXPECT_EQ(info<size_t>(image, CL_IMAGE_HEIGHT), e.height);
    EXPECT_EQ(info<size_t>(image, CL_IMAGE_DEPTH), e.depth);
    EXPECT_EQ(info<size_t>(image, CL_IMAGE_ARRAY_SIZE), e.layers);
    EXPECT_EQ(info<size_t>(image, CL_IMAGE_ROW_PITCH), 80u);
    EXPECT_EQ(info<size_t>(image, CL_IMAGE_SLICE_PITCH), e.slice_pitch);
    EXPECT_EQ(info<size_t>(image, CL_IMAGE_ELEMENT_SIZE), 4u);
    EXPECT_EQ(info<cl_uint>(image, CL_IMAGE_NUM_MIP_LEVELS), 0u);
    EXPECT_EQ(info<cl_uint>(image, CL_IMAGE_NUM_SAMPLES), 0u);
    EXPECT_EQ(info<cl_mem>(image, CL_IMAGE_BUFFER), nullptr);
    const auto format = info<cl_image_format>(image, CL_IMAGE_FORMAT);
    EXPECT_EQ(format.image_channel_order, kColor.image_channel_order);
    EXPECT_EQ(format.image_channel_data_type, kColor.image_channel_data_type);
    EXPECT_EQ(memory_info<cl_mem_object_type>(image, CL_MEM_TYPE), e.type);
    EXPECT_EQ(memory_info<cl_mem_flags>(image, CL_MEM_FLAGS), cl_mem_flags{CL_MEM_READ_ONLY});
    EXPECT_EQ(
        memory_info<size_t>(image, CL_MEM_SIZE),
        80 * std::max<size_t>(e.height, 1) * std::max<size_t>(e.depth, 1) * std::max<size_t>(e.layers, 1));
    EXPECT_EQ(memory_info<cl_context>(image, CL_MEM_CONTEXT), context.get());
    EXPECT_EQ(memory_info<cl_uint>(image, CL_MEM_REFERENCE_COUNT), 1u);
  }
}

TEST_F(CreateImage, TakesHostMemoryWithItsPitches) {
  const size_t width = 9, height = 5, depth = 3, row = 64, slice = 64 * 6;
  auto host = test::random_values<std::uint8_t>(slice * depth);
  cl_image_desc desc = test::image_desc(CL_MEM_OBJECT_IMAGE3D, width, height, depth);
  desc.image_row_pitch = row;
  desc.image_slice_pitch = slice;
  std::vector<std::uint8_t> expected;
  for (size_t z = 0; z < depth; ++z)
    for (size_t y = 0; y < height; ++y)
      expected.insert(expected.end(), &host[z * slice + y * row], &host[z * slice + y * row] + width * 4);
  for (const cl_mem_flags flags : {CL_MEM_COPY_HOST_PTR, CL_MEM_USE_HOST_PTR}) {
    const test::Image image = make_image(kColor, desc, flags, host.data());
    EXPECT_EQ(read<std::uint8_t>(image, {width, height, depth}, 4), expected);
    EXPECT_EQ(info<size_t>(image, CL_IMAGE_ROW_PITCH), row);
    EXPECT_EQ(info<size_t>(image, CL_IMAGE_SLICE_PITCH), slice);
    EXPECT_EQ(memory_info<void*>(image, CL_MEM_HOST_PTR),
              flags & CL_MEM_USE_HOST_PTR ? host.data() : nullptr);
  }
}

// Section 5.5.6: the pointer that was given when the image was made, which is none.
TEST_F(CreateImage, InABufferOfHostMemoryHasNoPointer) {
  alignas(4096) static std::array<std::uint8_t, 4096> host;
  cl_int error = 1;
  const test::Buffer buffer = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, host.size(), host.data(), &error);
  CL_EXPECT(CL_SUCCESS, error);
  cl_image_desc desc = test::image_desc(CL_MEM_OBJECT_IMAGE1D_BUFFER, 16);
  desc.mem_object = buffer;
  const test::Image image = make_image(kColor, desc);
  EXPECT_EQ(nullptr, memory_info<void*>(image, CL_MEM_HOST_PTR));
  EXPECT_EQ(cl_bool{CL_FALSE}, memory_info<cl_bool>(image, CL_MEM_USES_SVM_POINTER));
  // It is mapped to the buffer's memory all the same.
  const size_t origin[3] = {2, 0, 0}, region[3] = {4, 1, 1};
  size_t pitch = 0;
  void* mapped = clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_READ, origin, region, &pitch, nullptr, 0,
                                   nullptr, nullptr, &error);
  EXPECT_EQ(host.data() + 8, mapped);
  CL_OK(clEnqueueUnmapMemObject(queue, image, mapped, 0, nullptr, nullptr));
  CL_OK(clFinish(queue));
}

TEST_F(CreateImage, InABuffer) {
  const auto bytes = test::random_values<std::uint8_t>(64 * 32 * 4);
  const test::Buffer buffer = make_buffer(bytes);
  cl_image_desc desc = test::image_desc(CL_MEM_OBJECT_IMAGE1D_BUFFER, 100);
  desc.mem_object = buffer;
  const test::Image line = make_image(kColor, desc);
  EXPECT_EQ(read<std::uint8_t>(line, {100, 1, 1}, 4),
            std::vector<std::uint8_t>(bytes.begin(), bytes.begin() + 400));
  EXPECT_EQ(info<cl_mem>(line, CL_IMAGE_BUFFER), buffer.get());
  EXPECT_EQ(memory_info<cl_mem>(line, CL_MEM_ASSOCIATED_MEMOBJECT), buffer.get());
  desc = test::image_desc(CL_MEM_OBJECT_IMAGE2D, 30, 10);
  desc.mem_object = buffer;
  desc.image_row_pitch = 32 * 4;
  const test::Image picture = make_image(kColor, desc);
  const auto news = test::random_values<std::uint8_t>(30 * 10 * 4);
  write(picture, {30, 10, 1}, news);
  const auto after = contents<std::uint8_t>(buffer, bytes.size());
  for (size_t y = 0; y < 10; ++y) {
    EXPECT_TRUE(std::equal(&news[y * 120], &news[y * 120] + 120, &after[y * 128])) << "row " << y;
    EXPECT_TRUE(std::equal(&bytes[y * 128 + 120], &bytes[y * 128] + 128, &after[y * 128 + 120]))
        << "row " << y;
  }
  desc.image_row_pitch = 31 * 4;
  make_image(kColor, desc, 0, nullptr, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  desc.image_row_pitch = 32 * 4;
  desc.image_height = 1000;
  make_image(kColor, desc, 0, nullptr, CL_INVALID_IMAGE_SIZE);
}

TEST_F(CreateImage, ErrorsOfImagesInBuffers) {
  const test::Buffer buffer = make_buffer(4096);
  const auto refused = [&](cl_image_desc desc, cl_int expected) {
    desc.mem_object = buffer;
    make_image(kColor, desc, 0, nullptr, expected);
  };
  cl_image_desc desc = test::image_desc(CL_MEM_OBJECT_IMAGE3D, 8, 4, 4);
  desc.image_row_pitch = 8 * 4 + 1;
  refused(desc, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  desc.image_row_pitch = 8 * 4 - 4;
  refused(desc, CL_INVALID_IMAGE_DESCRIPTOR);
  desc.image_row_pitch = 9 * 4;
  desc.image_slice_pitch = 4 * 9 * 4 + 1;
  refused(desc, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  desc.image_slice_pitch = 4 * 9 * 4 + 4;
  refused(desc, CL_INVALID_IMAGE_DESCRIPTOR);
  desc.image_slice_pitch = 4096;
  refused(desc, CL_INVALID_IMAGE_DESCRIPTOR);
  desc.image_slice_pitch = 36 * 32;
  refused(desc, CL_INVALID_IMAGE_SIZE);
  refused(test::image_desc(CL_MEM_OBJECT_IMAGE1D, 1025), CL_INVALID_IMAGE_SIZE);
  refused(test::image_desc(CL_MEM_OBJECT_IMAGE1D_ARRAY, 32, 0, 33), CL_INVALID_IMAGE_SIZE);
  refused(test::image_desc(CL_MEM_OBJECT_IMAGE2D_ARRAY, 16, 16, 5), CL_INVALID_IMAGE_SIZE);
  desc = test::image_desc(CL_MEM_OBJECT_IMAGE2D, 16, 16);
  desc.num_mip_levels = 2;
  refused(desc, CL_INVALID_IMAGE_DESCRIPTOR);
  alignas(4096) static std::uint8_t host[4096 + 4];
  cl_int error = CL_SUCCESS;
  const test::Buffer odd = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 4096, host + 4, &error);
  CL_OK(error);
  desc = test::image_desc(CL_MEM_OBJECT_IMAGE2D, 16, 16);
  desc.mem_object = odd;
  make_image(kColor, desc, 0, nullptr, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
}

// An image in a buffer can be sampled and written like any other.
TEST_F(CreateImage, KernelsUseImagesInBuffers) {
  const auto bytes = test::random_values<std::uint8_t>(64 * 16 * 4);
  const test::Buffer buffer = make_buffer(bytes), target = make_buffer(64 * 16 * 4),
                     list = make_buffer(64 * 4);
  cl_image_desc desc = test::image_desc(CL_MEM_OBJECT_IMAGE2D, 60, 16);
  desc.image_row_pitch = 64 * 4;
  desc.mem_object = buffer;
  const test::Image from = make_image(kColor, desc);
  desc.mem_object = target;
  const test::Image to = make_image(kColor, desc);
  desc = test::image_desc(CL_MEM_OBJECT_IMAGE1D_BUFFER, 64);
  desc.mem_object = list;
  const test::Image line = make_image(kColor, desc);
  const test::Program program = build(R"(
    constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
    kernel void copy(read_only image2d_t from, write_only image2d_t to, write_only image1d_buffer_t line) {
      int2 c = (int2)(get_global_id(0), get_global_id(1));
      write_imagef(to, c, read_imagef(from, s, c));
      if (c.y == 0) write_imagef(line, c.x, read_imagef(from, c));
    })");
  const test::Kernel kernel = make_kernel(program, "copy");
  set_arguments(kernel, from.get(), to.get(), line.get());
  run(kernel, {60, 16, 1});
  const auto after = contents<std::uint8_t>(target, bytes.size()),
             first = contents<std::uint8_t>(list, 64 * 4);
  for (size_t y = 0; y < 16; ++y)
    EXPECT_TRUE(std::equal(&bytes[y * 256], &bytes[y * 256] + 240, &after[y * 256])) << "row " << y;
  EXPECT_TRUE(std::equal(bytes.begin(), bytes.begin() + 240, first.begin()));
}

TEST_F(CreateImage, ViewsOfAnImage) {
  const auto bytes = test::random_values<std::uint8_t>(8 * 8 * 4);
  cl_image_desc desc = test::image_desc(CL_MEM_OBJECT_IMAGE2D, 8, 8);
  const test::Image image = make_image(kColor, desc);
  write(image, {8, 8, 1}, bytes);
  desc.mem_object = image;
  const test::Image view = make_image({CL_sRGBA, CL_UNORM_INT8}, desc);
  EXPECT_EQ(read<std::uint8_t>(view, {8, 8, 1}, 4), bytes);
  EXPECT_EQ(memory_info<cl_mem>(view, CL_MEM_ASSOCIATED_MEMOBJECT), image.get());
  make_image({CL_BGRA, CL_UNORM_INT8}, desc, 0, nullptr, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  desc.image_width = 7;
  make_image({CL_sRGBA, CL_UNORM_INT8}, desc, 0, nullptr, CL_INVALID_IMAGE_DESCRIPTOR);
}

// A single channel is seen as depth, but a mipmap is not (section 5.3.1).
TEST_F(CreateImage, ViewsAsDepth) {
  for (const cl_uint levels : {1u, 3u}) {
    cl_image_desc desc = test::image_desc(CL_MEM_OBJECT_IMAGE2D, 8, 8);
    desc.num_mip_levels = levels;
    const test::Image image = make_image({CL_R, CL_FLOAT}, desc);
    desc.mem_object = image;
    make_image({CL_DEPTH, CL_FLOAT}, desc, 0, nullptr,
               levels == 1 ? CL_SUCCESS : CL_INVALID_IMAGE_DESCRIPTOR);
  }
}

// Section 5.3.1.2: num_mip_levels of 0 and 1 mean the same; the query returns the value that was passed (section 5.3.8).
TEST_F(CreateImage, OneLevelIsNoMipmap) {
  for (const cl_uint levels : {0u, 1u}) {
    cl_image_desc desc = test::image_desc(CL_MEM_OBJECT_IMAGE2D, 8, 8);
    desc.num_mip_levels = levels;
    auto bytes = test::random_values<std::uint8_t>(256);
    const test::Image image = make_image(kColor, desc, CL_MEM_COPY_HOST_PTR, bytes.data());
    EXPECT_EQ(info<cl_uint>(image, CL_IMAGE_NUM_MIP_LEVELS), levels);
    desc.mem_object = image;
    for (const cl_uint of_view : {0u, 1u}) {
      desc.num_mip_levels = of_view;
      const test::Image view = make_image({CL_sRGBA, CL_UNORM_INT8}, desc);
      EXPECT_EQ(read<std::uint8_t>(view, {8, 8, 1}, 4), bytes);
    }
    desc.num_mip_levels = 2;
    make_image({CL_sRGBA, CL_UNORM_INT8}, desc, 0, nullptr, CL_INVALID_IMAGE_DESCRIPTOR);
  }
}

TEST_F(CreateImage, Errors) {
  cl_int error = CL_SUCCESS;
  const cl_image_desc desc = test::image_desc(CL_MEM_OBJECT_IMAGE2D, 8, 8);
  std::uint8_t host[8 * 8 * 4] = {};
  EXPECT_EQ(nullptr, clCreateImage(nullptr, 0, &kColor, &desc, nullptr, &error));
  CL_EXPECT(CL_INVALID_CONTEXT, error);
  make_image(kColor, desc, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, nullptr, CL_INVALID_VALUE);
  make_image(kColor, desc, cl_mem_flags{1} << 40, nullptr, CL_INVALID_VALUE);
  EXPECT_EQ(nullptr, clCreateImage(context, 0, nullptr, &desc, nullptr, &error));
  CL_EXPECT(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, error);
  make_image({CL_RGBA, CL_UNORM_SHORT_565}, desc, 0, nullptr, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  make_image({CL_RGBA, 1}, desc, 0, nullptr, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  make_image({CL_Rx, CL_UNORM_INT8}, desc, 0, nullptr, CL_IMAGE_FORMAT_NOT_SUPPORTED);
  // An image that a kernel both reads and writes cannot have an sRGB format.
  make_image({CL_sRGBA, CL_UNORM_INT8}, desc, CL_MEM_KERNEL_READ_AND_WRITE, nullptr,
             CL_IMAGE_FORMAT_NOT_SUPPORTED);
  make_image(kColor, desc, CL_MEM_KERNEL_READ_AND_WRITE);
  EXPECT_EQ(nullptr, clCreateImage(context, 0, &kColor, nullptr, nullptr, &error));
  CL_EXPECT(CL_INVALID_IMAGE_DESCRIPTOR, error);
  make_image(kColor, test::image_desc(CL_MEM_OBJECT_BUFFER, 8, 8), 0, nullptr, CL_INVALID_IMAGE_DESCRIPTOR);
  make_image(kColor, test::image_desc(CL_MEM_OBJECT_IMAGE1D_BUFFER, 8), 0, nullptr,
             CL_INVALID_IMAGE_DESCRIPTOR);
  make_image(kColor, test::image_desc(CL_MEM_OBJECT_IMAGE2D, 0, 8), 0, nullptr, CL_INVALID_IMAGE_DESCRIPTOR);
  make_image(kColor, test::image_desc(CL_MEM_OBJECT_IMAGE2D, limit(CL_DEVICE_IMAGE2D_MAX_WIDTH) + 1, 8), 0,
             nullptr, CL_INVALID_IMAGE_SIZE);
  make_image(kColor, test::image_desc(CL_MEM_OBJECT_IMAGE3D, 8, limit(CL_DEVICE_IMAGE3D_MAX_HEIGHT) + 1, 8),
             0, nullptr, CL_INVALID_IMAGE_SIZE);
  make_image(kColor,
             test::image_desc(CL_MEM_OBJECT_IMAGE1D_ARRAY, 8, 0, limit(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE) + 1),
             0, nullptr, CL_INVALID_IMAGE_SIZE);
  // The device's maximum sizes are valid.
  make_image(kColor, test::image_desc(CL_MEM_OBJECT_IMAGE2D, limit(CL_DEVICE_IMAGE2D_MAX_WIDTH), 1));
  make_image(kColor, test::image_desc(CL_MEM_OBJECT_IMAGE2D, 1, limit(CL_DEVICE_IMAGE2D_MAX_HEIGHT)));
  make_image(kColor, test::image_desc(CL_MEM_OBJECT_IMAGE3D, 1, 1, limit(CL_DEVICE_IMAGE3D_MAX_DEPTH)));
  cl_image_desc odd = desc;
  odd.image_row_pitch = 64;
  make_image(kColor, odd, 0, nullptr, CL_INVALID_IMAGE_DESCRIPTOR);
  odd.image_row_pitch = 16;
  make_image(kColor, odd, CL_MEM_COPY_HOST_PTR, host, CL_INVALID_IMAGE_DESCRIPTOR);
  // Row pitches with which an image exceeds any memory, whether or not the product overflows.
  for (const int bits : {62, 60, 46}) {
    odd.image_row_pitch = size_t{1} << bits;
    make_image(kColor, odd, CL_MEM_COPY_HOST_PTR, host, CL_INVALID_IMAGE_DESCRIPTOR);
  }
  odd = test::image_desc(CL_MEM_OBJECT_IMAGE3D, 8, 4, 4);
  odd.image_slice_pitch = size_t{1} << 62;
  make_image(kColor, odd, CL_MEM_COPY_HOST_PTR, host, CL_INVALID_IMAGE_DESCRIPTOR);
  odd = desc;
  odd.num_samples = 2;
  make_image(kColor, odd, 0, nullptr, CL_INVALID_IMAGE_DESCRIPTOR);
  make_image(kColor, desc, 0, host, CL_INVALID_HOST_PTR);
  make_image(kColor, desc, CL_MEM_COPY_HOST_PTR, nullptr, CL_INVALID_HOST_PTR);
  odd = desc;
  odd.mem_object = reinterpret_cast<cl_mem>(context.get());
  make_image(kColor, odd, 0, nullptr, CL_INVALID_IMAGE_DESCRIPTOR);
  const test::Buffer pipe = clCreatePipe(context, 0, 1024, 64, nullptr, &error);
  CL_OK(error);
  odd.mem_object = pipe;
  make_image(kColor, odd, 0, nullptr, CL_INVALID_IMAGE_DESCRIPTOR);
  const cl_mem_properties unknown[] = {1, 1, 0}, none[] = {0};
  EXPECT_EQ(nullptr, clCreateImageWithProperties(context, unknown, 0, &kColor, &desc, nullptr, &error));
  CL_EXPECT(CL_INVALID_PROPERTY, error);
  const test::Image image = clCreateImageWithProperties(context, none, 0, &kColor, &desc, nullptr, &error);
  CL_OK(error);
  cl_uint value = 0;
  CL_EXPECT(CL_INVALID_VALUE, clGetImageInfo(image, CL_IMAGE_WIDTH, 1, &value, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clGetImageInfo(image, CL_MEM_TYPE, sizeof value, &value, nullptr));
  const test::Buffer buffer = make_buffer(64);
  CL_EXPECT(CL_INVALID_MEM_OBJECT, clGetImageInfo(buffer, CL_IMAGE_WIDTH, sizeof value, &value, nullptr));
  CL_EXPECT(CL_INVALID_MEM_OBJECT,
            clEnqueueReadBuffer(queue, image, CL_TRUE, 0, 1, host, 0, nullptr, nullptr));
}

// Section 5.5.6: that it uses SVM is a property of a buffer, not of an image in it.
TEST_F(CreateImage, InABufferOnSharedMemory) {
  void* const memory = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0);
  ASSERT_NE(nullptr, memory);
  {
    const test::Buffer shared = make_buffer(4096, CL_MEM_USE_HOST_PTR, memory), plain = make_buffer(4096);
    cl_image_desc desc = test::image_desc(CL_MEM_OBJECT_IMAGE1D_BUFFER, 16);
    desc.mem_object = shared;
    EXPECT_EQ(cl_bool{CL_FALSE}, memory_info<cl_bool>(make_image(kColor, desc), CL_MEM_USES_SVM_POINTER));
    desc.mem_object = plain;
    EXPECT_EQ(cl_bool{CL_FALSE}, memory_info<cl_bool>(make_image(kColor, desc), CL_MEM_USES_SVM_POINTER));
    const test::Image own = make_image(kColor, test::image_desc(CL_MEM_OBJECT_IMAGE2D, 8, 8));
    EXPECT_EQ(cl_bool{CL_FALSE}, memory_info<cl_bool>(own, CL_MEM_USES_SVM_POINTER));
  }
  clSVMFree(context, memory);
}

// Flags of an image must not allow more access than those of its buffer.
TEST_F(CreateImage, FlagsOfImagesInOtherMemory) {
  struct Case {
    cl_mem_flags parent, own;
  };
  const auto refused = [&](cl_image_desc desc, cl_mem memory, const Case& c) {
    SCOPED_TRACE(std::to_string(c.parent) + ", " + std::to_string(c.own));
    desc.mem_object = memory;
    make_image(kColor, desc, c.own, nullptr, CL_INVALID_VALUE);
  };
  const cl_image_desc line = test::image_desc(CL_MEM_OBJECT_IMAGE1D_BUFFER, 16),
                      flat = test::image_desc(CL_MEM_OBJECT_IMAGE2D, 8, 8);
  for (const Case& c :
       {Case{CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE}, Case{CL_MEM_WRITE_ONLY, CL_MEM_READ_ONLY},
        Case{CL_MEM_READ_ONLY, CL_MEM_READ_WRITE}, Case{CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY},
        Case{CL_MEM_READ_WRITE, CL_MEM_ALLOC_HOST_PTR}, Case{CL_MEM_READ_WRITE, CL_MEM_USE_HOST_PTR},
        Case{CL_MEM_READ_WRITE, CL_MEM_COPY_HOST_PTR}, Case{CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY},
        Case{CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY},
        Case{CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_READ_ONLY},
        Case{CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_WRITE_ONLY}}) {
    cl_int error = 1;
    const test::Buffer buffer = clCreateBuffer(context, c.parent, 256, nullptr, &error);
    CL_OK(error);
    refused(line, buffer, c);
    const test::Image image = make_image(kColor, flat, c.parent);
    refused(flat, image, c);
  }
}

TEST_F(CreateImage, OtherMemoryOfAnotherContext) {
  cl_int error = 1;
  const test::Context other = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  CL_OK(error);
  cl_image_desc flat = test::image_desc(CL_MEM_OBJECT_IMAGE2D, 8, 8);
  const test::Buffer buffer = clCreateBuffer(other, 0, 256, nullptr, &error);
  CL_OK(error);
  const test::Image image = clCreateImage(other, 0, &kColor, &flat, nullptr, &error);
  CL_OK(error);
  cl_image_desc line = test::image_desc(CL_MEM_OBJECT_IMAGE1D_BUFFER, 16);
  line.mem_object = buffer;
  make_image(kColor, line, 0, nullptr, CL_INVALID_CONTEXT);
  flat.mem_object = image;
  make_image(kColor, flat, 0, nullptr, CL_INVALID_CONTEXT);
}

// The deprecated functions check pitches, too (section 5.3.1 of OpenCL 1.1).
TEST_F(CreateImage, OldForms) {
  cl_int error = 1;
  const test::Image flat = clCreateImage2D(context, CL_MEM_READ_ONLY, &kColor, 8, 4, 0, nullptr, &error);
  CL_OK(error);
  EXPECT_EQ(info<size_t>(flat, CL_IMAGE_HEIGHT), 4u);
  const test::Image deep =
      clCreateImage3D(context, CL_MEM_READ_ONLY, &kColor, 8, 4, 2, 0, 0, nullptr, &error);
  CL_OK(error);
  EXPECT_EQ(info<size_t>(deep, CL_IMAGE_DEPTH), 2u);
  EXPECT_EQ(nullptr, clCreateImage2D(context, 0, &kColor, 0, 4, 0, nullptr, &error));
  CL_EXPECT(CL_INVALID_IMAGE_SIZE, error);
  EXPECT_EQ(nullptr, clCreateImage3D(context, 0, &kColor, 8, 4, 1, 0, 0, nullptr, &error));
  CL_EXPECT(CL_INVALID_IMAGE_SIZE, error);
  std::uint8_t host[64 * 4 * 2] = {};
  for (const size_t row : {31, 33, 28}) {
    EXPECT_EQ(nullptr, clCreateImage2D(context, CL_MEM_COPY_HOST_PTR, &kColor, 8, 4, row, host, &error));
    CL_EXPECT(CL_INVALID_IMAGE_SIZE, error);
    EXPECT_EQ(nullptr,
              clCreateImage3D(context, CL_MEM_COPY_HOST_PTR, &kColor, 8, 4, 2, row, 0, host, &error));
    CL_EXPECT(CL_INVALID_IMAGE_SIZE, error);
  }
  EXPECT_EQ(nullptr, clCreateImage2D(context, 0, &kColor, 8, 4, 32, nullptr, &error));
  CL_EXPECT(CL_INVALID_IMAGE_SIZE, error);
  EXPECT_EQ(nullptr, clCreateImage3D(context, CL_MEM_COPY_HOST_PTR, &kColor, 8, 4, 2, 32, 100, host, &error));
  CL_EXPECT(CL_INVALID_IMAGE_SIZE, error);
  EXPECT_EQ(nullptr, clCreateImage2D(nullptr, 0, &kColor, 8, 4, 0, nullptr, &error));
  CL_EXPECT(CL_INVALID_CONTEXT, error);
  EXPECT_EQ(nullptr, clCreateImage2D(context, cl_mem_flags{1} << 40, &kColor, 8, 4, 0, nullptr, &error));
  CL_EXPECT(CL_INVALID_VALUE, error);
  EXPECT_EQ(nullptr, clCreateImage2D(context, 0, nullptr, 8, 4, 0, nullptr, &error));
  CL_EXPECT(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, error);
  EXPECT_EQ(nullptr, clCreateImage2D(context, 0, &kColor, 8, 4, 0, host, &error));
  CL_EXPECT(CL_INVALID_HOST_PTR, error);
}

// Section 5.9.2: access qualifiers and types of images as kernel arguments.
TEST_F(CreateImage, AsAnArgumentOfAKernel) {
  const test::Program program = build(
      "kernel void f(read_only image2d_t in, write_only image2d_t out, sampler_t s) {"
      "  write_imagef(out, (int2)(0), read_imagef(in, s, (float2)(0.5f))); }");
  const test::Kernel kernel = make_kernel(program, "f");
  const cl_image_desc desc = test::image_desc(CL_MEM_OBJECT_IMAGE2D, 8, 8);
  const test::Image readable = make_image(kColor, desc, CL_MEM_READ_ONLY),
                    writable = make_image(kColor, desc, CL_MEM_WRITE_ONLY),
                    deep = make_image(kColor, test::image_desc(CL_MEM_OBJECT_IMAGE3D, 8, 8, 8));
  const test::Buffer buffer = make_buffer(64);
  const test::Sampler sampler = make_sampler(false, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST);
  const auto set = [&](cl_uint index, const void* value, size_t size = sizeof(cl_mem)) {
    return clSetKernelArg(kernel, index, size, value);
  };
  CL_EXPECT(CL_SUCCESS, set(0, &readable));
  CL_EXPECT(CL_SUCCESS, set(1, &writable));
  CL_EXPECT(CL_SUCCESS, set(2, &sampler));
  CL_EXPECT(CL_INVALID_ARG_VALUE, set(0, &writable));
  CL_EXPECT(CL_INVALID_ARG_VALUE, set(1, &readable));
  CL_EXPECT(CL_INVALID_MEM_OBJECT, set(0, &deep));
  CL_EXPECT(CL_INVALID_ARG_SIZE, set(0, &readable, 4));
  CL_EXPECT(CL_INVALID_MEM_OBJECT, set(0, &buffer));
  CL_EXPECT(CL_INVALID_SAMPLER, set(2, &buffer));
  CL_EXPECT(CL_INVALID_SAMPLER, set(2, nullptr));
  CL_EXPECT(CL_INVALID_ARG_SIZE, set(2, &sampler, 4));
  run(kernel, {1, 1, 1});
}

// Every function that creates images reports the same errors.
TEST_F(CreateImage, EveryFormHasTheErrors) {
  using Create = std::function<test::Image(cl_mem_flags, const cl_image_format*, size_t, void*, cl_int*)>;
  const cl_mem_properties none[] = {0};
  const Create forms[] = {
      [&](cl_mem_flags flags, const cl_image_format* format, size_t width, void* host, cl_int* error) {
        const cl_image_desc desc = test::image_desc(CL_MEM_OBJECT_IMAGE2D, width, 4);
        return clCreateImageWithProperties(context, none, flags, format, &desc, host, error);
      },
      [&](cl_mem_flags flags, const cl_image_format* format, size_t width, void* host, cl_int* error) {
        return clCreateImage2D(context, flags, format, width, 4, 0, host, error);
      },
      [&](cl_mem_flags flags, const cl_image_format* format, size_t width, void* host, cl_int* error) {
        return clCreateImage3D(context, flags, format, width, 4, 2, 0, 0, host, error);
      }};
  std::uint8_t host[8 * 4 * 2 * 4] = {};
  const size_t too_wide =
      1 + std::max(limit(CL_DEVICE_IMAGE2D_MAX_WIDTH), limit(CL_DEVICE_IMAGE3D_MAX_WIDTH));
  const cl_image_format odd = {CL_RGBA, 1}, rare = {CL_Rx, CL_UNORM_INT8};
  for (const Create& create : forms) {
    const auto refused = [&](cl_int code, cl_mem_flags flags, const cl_image_format* format, size_t width,
                             void* memory) {
      cl_int error = 1;
      EXPECT_EQ(nullptr, create(flags, format, width, memory, &error).get());
      CL_EXPECT(code, error);
    };
    cl_int error = 1;
    EXPECT_NE(nullptr, create(CL_MEM_COPY_HOST_PTR, &kColor, 8, host, &error).get());
    CL_EXPECT(CL_SUCCESS, error);
    refused(CL_INVALID_VALUE, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, &kColor, 8, nullptr);
    refused(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, 0, nullptr, 8, nullptr);
    refused(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, 0, &odd, 8, nullptr);
    refused(CL_IMAGE_FORMAT_NOT_SUPPORTED, 0, &rare, 8, nullptr);
    refused(CL_INVALID_IMAGE_SIZE, 0, &kColor, too_wide, nullptr);
    refused(CL_INVALID_HOST_PTR, 0, &kColor, 8, host);
    refused(CL_INVALID_HOST_PTR, CL_MEM_USE_HOST_PTR, &kColor, 8, nullptr);
  }
}

}  // namespace
