// SPDX-License-Identifier: Apache-2.0
// cl_ext_immutable_memory_objects: buffers and images that are created with contents and cannot be written.
#include <sys/mman.h>

#include <cstring>

#include "support/images.h"

namespace {

constexpr cl_mem_flags kImmutable = 1 << 6;  // the headers of 2023 lack it
constexpr cl_mem_flags kFilled = kImmutable | CL_MEM_COPY_HOST_PTR;
constexpr cl_image_format kFormat{CL_RGBA, CL_UNSIGNED_INT8};
constexpr std::size_t kSide = 16, kSize = kSide * kSide * 4;
constexpr std::size_t kOrigin[3] = {}, kRegion[3] = {kSide, kSide, 1};

class Immutable : public test::ImageTest {
 protected:
  void SetUp() override {
    ImageTest::SetUp();
    if (HasFatalFailure() || IsSkipped()) return;
    std::size_t size = 0;
    CL_OK(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, 0, nullptr, &size));
    std::string names(size, '\0');
    CL_OK(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, size, names.data(), nullptr));
    if (names.find("cl_ext_immutable_memory_objects") == std::string::npos) GTEST_SKIP() << "not offered";
    values = test::random_values(kSize);
    buffer = make_buffer(kSize, kFilled, values.data());
    mutable_buffer = make_buffer(kSize);
    image = make(kFilled, values.data());
    mutable_image = make(0, nullptr);
  }
  test::Image make(cl_mem_flags flags, void* host, cl_mem of = nullptr) {
    cl_image_desc shape = test::image_desc(CL_MEM_OBJECT_IMAGE2D, kSide, kSide);
    shape.mem_object = of;
    return clCreateImage(context, flags, &kFormat, &shape, host, &error);
  }
  void refuses_buffer(cl_mem_flags flags, void* host) {
    error = CL_SUCCESS;
    EXPECT_EQ(nullptr, clCreateBuffer(context, flags, kSize, host, &error));
    CL_EXPECT(CL_INVALID_VALUE, error) << flags;
  }
  void refuses_image(cl_mem_flags flags, void* host, cl_mem of = nullptr) {
    error = CL_SUCCESS;
    EXPECT_EQ(nullptr, make(flags, host, of).get());
    CL_EXPECT(CL_INVALID_VALUE, error) << flags;
  }
  std::vector<std::uint8_t> values, other = test::random_values(kSize);
  test::Buffer buffer, mutable_buffer;
  test::Image image, mutable_image;
  cl_int error = 1;
};

constexpr cl_mem_flags kOfWriters[] = {CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY, CL_MEM_HOST_WRITE_ONLY};

TEST_F(Immutable, Creation) {
  for (const cl_mem_flags flags : kOfWriters) {
    refuses_buffer(kFilled | flags, values.data());
    refuses_image(kFilled | flags, values.data());
  }
  refuses_buffer(kImmutable, nullptr);
  refuses_buffer(kImmutable | CL_MEM_ALLOC_HOST_PTR, nullptr);
  refuses_image(kImmutable, nullptr);
  for (const cl_mem_flags flags :
       {kFilled, kFilled | CL_MEM_READ_ONLY, kFilled | CL_MEM_HOST_READ_ONLY, kFilled | CL_MEM_HOST_NO_ACCESS,
        kFilled | CL_MEM_ALLOC_HOST_PTR, kImmutable | CL_MEM_USE_HOST_PTR}) {
    const test::Buffer made = make_buffer(kSize, flags, values.data());
    const test::Image made_image = make(flags, values.data());
    CL_OK(error);
    cl_mem_flags seen = 0;
    for (cl_mem object : {made.get(), made_image.get()}) {
      CL_OK(clGetMemObjectInfo(object, CL_MEM_FLAGS, sizeof seen, &seen, nullptr));
      EXPECT_EQ(seen, flags);
    }
    if (!(flags & CL_MEM_HOST_NO_ACCESS)) EXPECT_EQ(contents(made, kSize), values);
  }
  EXPECT_EQ(nullptr, clSVMAlloc(context, kImmutable, 64, 0));
  EXPECT_EQ(nullptr, clCreatePipe(context, kImmutable, 4, 4, nullptr, &error));
  CL_EXPECT(CL_INVALID_VALUE, error);
}

TEST_F(Immutable, PartsAndViews) {
  const cl_buffer_region region{128, 256};
  const auto part = [&](cl_mem_flags flags) {
    return test::Buffer(clCreateSubBuffer(buffer, flags, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
  };
  for (const cl_mem_flags flags : kOfWriters) {
    EXPECT_EQ(nullptr, part(flags).get());
    CL_EXPECT(CL_INVALID_VALUE, error);
    refuses_image(kImmutable | flags, nullptr, buffer);
  }
  for (const cl_mem_flags flags : {cl_mem_flags{0}, kImmutable, cl_mem_flags{CL_MEM_READ_ONLY}}) {
    const test::Buffer made = part(flags);
    CL_OK(error);
    EXPECT_EQ(contents(made, 256), std::vector<std::uint8_t>(values.begin() + 128, values.begin() + 384));
    CL_EXPECT(CL_INVALID_OPERATION,
              clEnqueueWriteBuffer(queue, made, CL_TRUE, 0, 64, other.data(), 0, nullptr, nullptr));
  }
  // An image in an immutable buffer or image must be created with the flag.
  refuses_image(0, nullptr, buffer);
  refuses_image(CL_MEM_READ_ONLY, nullptr, buffer);
  refuses_image(0, nullptr, image);
  const test::Image in_buffer = make(kImmutable, nullptr, buffer);
  CL_OK(error);
  CL_EXPECT(CL_INVALID_OPERATION, clEnqueueWriteImage(queue, in_buffer, CL_TRUE, kOrigin, kRegion, 0, 0,
                                                      other.data(), 0, nullptr, nullptr));
}

TEST_F(Immutable, NoCommandWritesBuffers) {
  const auto refused = [](cl_int code) { CL_EXPECT(CL_INVALID_OPERATION, code); };
  const std::size_t box[3] = {16, 2, 2};
  refused(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, kSize, other.data(), 0, nullptr, nullptr));
  refused(clEnqueueWriteBufferRect(queue, buffer, CL_TRUE, kOrigin, kOrigin, box, 0, 0, 0, 0, other.data(), 0,
                                   nullptr, nullptr));
  refused(clEnqueueCopyBuffer(queue, mutable_buffer, buffer, 0, 0, kSize, 0, nullptr, nullptr));
  refused(clEnqueueCopyBufferRect(queue, mutable_buffer, buffer, kOrigin, kOrigin, box, 0, 0, 0, 0, 0,
                                  nullptr, nullptr));
  refused(clEnqueueFillBuffer(queue, buffer, "abcd", 4, 0, kSize, 0, nullptr, nullptr));
  refused(clEnqueueCopyImageToBuffer(queue, mutable_image, buffer, kOrigin, kRegion, 0, 0, nullptr, nullptr));
  for (const cl_map_flags flags : {cl_map_flags{CL_MAP_WRITE}, cl_map_flags{CL_MAP_READ | CL_MAP_WRITE},
                                   cl_map_flags{CL_MAP_WRITE_INVALIDATE_REGION}}) {
    EXPECT_EQ(nullptr,
              clEnqueueMapBuffer(queue, buffer, CL_TRUE, flags, 0, kSize, 0, nullptr, nullptr, &error));
    refused(error);
  }
  EXPECT_EQ(contents(buffer, kSize), values);
}

TEST_F(Immutable, NoCommandWritesImages) {
  const auto refused = [](cl_int code) { CL_EXPECT(CL_INVALID_OPERATION, code); };
  const cl_uint color[4] = {1, 2, 3, 4};
  refused(
      clEnqueueWriteImage(queue, image, CL_TRUE, kOrigin, kRegion, 0, 0, other.data(), 0, nullptr, nullptr));
  refused(clEnqueueCopyImage(queue, mutable_image, image, kOrigin, kOrigin, kRegion, 0, nullptr, nullptr));
  refused(clEnqueueCopyBufferToImage(queue, mutable_buffer, image, 0, kOrigin, kRegion, 0, nullptr, nullptr));
  refused(clEnqueueFillImage(queue, image, color, kOrigin, kRegion, 0, nullptr, nullptr));
  std::size_t row_pitch = 0;
  for (const cl_map_flags flags :
       {cl_map_flags{CL_MAP_WRITE}, cl_map_flags{CL_MAP_WRITE_INVALIDATE_REGION}}) {
    EXPECT_EQ(nullptr, clEnqueueMapImage(queue, image, CL_TRUE, flags, kOrigin, kRegion, &row_pitch, nullptr,
                                         0, nullptr, nullptr, &error));
    refused(error);
  }
  std::vector<std::uint8_t> seen(kSize);
  CL_OK(clEnqueueReadImage(queue, image, CL_TRUE, kOrigin, kRegion, 0, 0, seen.data(), 0, nullptr, nullptr));
  EXPECT_EQ(seen, values);
}

// The contents can be read: by reads, maps, copies and kernels.
TEST_F(Immutable, IsRead) {
  const test::Program program = build(
      "kernel void from_buffer(global const uchar* from, global uchar* to) {\n"
      "  size_t i = get_global_id(0); to[i] = from[i]; }\n"
      "kernel void from_image(read_only image2d_t from, global uchar4* to) {\n"
      "  int2 p = (int2)(get_global_id(0), get_global_id(1));\n"
      "  to[p.y * 16 + p.x] = convert_uchar4(read_imageui(from, p)); }\n"
      "kernel void to_image(write_only image2d_t to) { write_imageui(to, (int2)(0, 0), (uint4)(1)); }\n"
      "kernel void both(read_write image2d_t image) { write_imageui(image, (int2)(0, 0), (uint4)(1)); }\n");
  const test::Kernel from_buffer = make_kernel(program, "from_buffer"),
                     from_image = make_kernel(program, "from_image"),
                     to_image = make_kernel(program, "to_image"), both = make_kernel(program, "both");
  set_arguments(from_buffer, buffer, mutable_buffer);
  CL_OK(clEnqueueNDRangeKernel(queue, from_buffer, 1, nullptr, &kSize, nullptr, 0, nullptr, nullptr));
  EXPECT_EQ(contents(mutable_buffer, kSize), values);
  CL_OK(clEnqueueFillBuffer(queue, mutable_buffer, "a", 1, 0, kSize, 0, nullptr, nullptr));
  set_arguments(from_image, image.get(), mutable_buffer);
  CL_OK(clEnqueueNDRangeKernel(queue, from_image, 2, nullptr, kRegion, nullptr, 0, nullptr, nullptr));
  EXPECT_EQ(contents(mutable_buffer, kSize), values);
  const cl_mem argument = image;
  for (cl_kernel writer : {to_image.get(), both.get()})
    CL_EXPECT(CL_INVALID_ARG_VALUE, clSetKernelArg(writer, 0, sizeof argument, &argument));
  void* const mapped =
      clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0, kSize, 0, nullptr, nullptr, &error);
  CL_OK(error);
  EXPECT_EQ(std::memcmp(mapped, values.data(), kSize), 0);
  CL_OK(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, nullptr, nullptr));
  CL_OK(clEnqueueCopyImageToBuffer(queue, image, mutable_buffer, kOrigin, kRegion, 0, 0, nullptr, nullptr));
  EXPECT_EQ(contents(mutable_buffer, kSize), values);
  cl_uint count = 0;
  CL_OK(clGetSupportedImageFormats(context, kImmutable, CL_MEM_OBJECT_IMAGE2D, 0, nullptr, &count));
  EXPECT_GT(count, 0u);
}

// The memory of the application is never written, so it may be memory that cannot be.
TEST_F(Immutable, LeavesHostMemoryAlone) {
  void* const pages = mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(pages, MAP_FAILED);
  std::memcpy(pages, values.data(), kSize);
  ASSERT_EQ(mprotect(pages, kSize, PROT_READ), 0);
  {
    const test::Buffer over = make_buffer(kSize, kImmutable | CL_MEM_USE_HOST_PTR, pages);
    void* mapped =
        clEnqueueMapBuffer(queue, over, CL_TRUE, CL_MAP_READ, 0, kSize, 0, nullptr, nullptr, &error);
    CL_EXPECT(CL_SUCCESS, error);
    EXPECT_EQ(mapped, pages);
    CL_EXPECT(CL_SUCCESS, clEnqueueUnmapMemObject(queue, over, mapped, 0, nullptr, nullptr));
    const test::Image image_over = make(kImmutable | CL_MEM_USE_HOST_PTR, pages);
    CL_EXPECT(CL_SUCCESS, error);
    std::size_t pitch = 0;
    mapped = clEnqueueMapImage(queue, image_over, CL_TRUE, CL_MAP_READ, kOrigin, kRegion, &pitch, nullptr, 0,
                               nullptr, nullptr, &error);
    CL_EXPECT(CL_SUCCESS, error);
    EXPECT_EQ(mapped, pages);
    CL_EXPECT(CL_SUCCESS, clEnqueueUnmapMemObject(queue, image_over, mapped, 0, nullptr, nullptr));
    EXPECT_EQ(contents(over, kSize), values);
    CL_EXPECT(CL_SUCCESS, clFinish(queue));
  }
  munmap(pages, kSize);
}

}  // namespace
