// SPDX-License-Identifier: Apache-2.0
// A device without enough memory for a buffer or an image: commands that need it fail, and all others work.
#include <cstring>

#include "support/images.h"

namespace {

class MemoryExhausted : public test::OpenCL {
 protected:
  void SetUp() override {
    OpenCL::SetUp();
    if (HasFatalFailure()) return;
    cl_device_type type = 0;
    CL_OK(clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, nullptr));
    if (!(type & CL_DEVICE_TYPE_CPU)) GTEST_SKIP() << "others may need the memory of a GPU";
    cl_ulong most = 0;
    CL_OK(clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, nullptr));
    // Memory is allocated at the first use. Some is left for small objects.
    most -= kLeft;
    full = make_buffer(most);
    excess = make_buffer(most);
    small = make_buffer(64);
    CL_OK(fill(small));
    CL_OK(fill(full));
  }
  cl_int fill(cl_mem buffer, cl_uint waits = 0, const cl_event* list = nullptr,
              cl_event* event = nullptr) const {
    const cl_uint value = 1;
    return clEnqueueFillBuffer(queue, buffer, &value, 4, 0, 4, waits, list, event);
  }

  static constexpr std::size_t kLeft = 64 << 20;
  test::Buffer full, excess, small;
};

TEST_F(MemoryExhausted, CommandsAreRefused) {
  constexpr cl_int kCode = CL_MEM_OBJECT_ALLOCATION_FAILURE;
  cl_uint word = 0;
  const std::size_t origin[3] = {}, region[3] = {4, 1, 1}, one = 1;
  CL_EXPECT(kCode, clEnqueueWriteBuffer(queue, excess, CL_TRUE, 0, 4, &word, 0, nullptr, nullptr));
  CL_EXPECT(kCode, clEnqueueReadBuffer(queue, excess, CL_TRUE, 0, 4, &word, 0, nullptr, nullptr));
  CL_EXPECT(kCode, clEnqueueReadBufferRect(queue, excess, CL_TRUE, origin, origin, region, 0, 0, 0, 0, &word,
                                           0, nullptr, nullptr));
  CL_EXPECT(kCode, clEnqueueWriteBufferRect(queue, excess, CL_TRUE, origin, origin, region, 0, 0, 0, 0, &word,
                                            0, nullptr, nullptr));
  CL_EXPECT(kCode, clEnqueueCopyBuffer(queue, small, excess, 0, 0, 4, 0, nullptr, nullptr));
  CL_EXPECT(kCode, clEnqueueCopyBuffer(queue, excess, small, 0, 0, 4, 0, nullptr, nullptr));
  CL_EXPECT(kCode, clEnqueueCopyBufferRect(queue, small, excess, origin, origin, region, 0, 0, 0, 0, 0,
                                           nullptr, nullptr));
  CL_EXPECT(kCode, fill(excess));
  CL_EXPECT(kCode, clEnqueueMigrateMemObjects(queue, 1, excess.list(), 0, 0, nullptr, nullptr));
  const test::Program program = build("kernel void set(global uint* a) { *a = 1; }");
  const test::Kernel kernel = make_kernel(program, "set");
  set_arguments(kernel, excess);
  CL_EXPECT(kCode, clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
  CL_EXPECT(kCode, clEnqueueTask(queue, kernel, 0, nullptr, nullptr));
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clEnqueueMapBuffer(queue, excess, CL_TRUE, CL_MAP_WRITE, 0, 4, 0, nullptr, nullptr, &error),
            nullptr);
  CL_EXPECT(kCode, error);
  cl_uint mapped = 1;
  CL_OK(clGetMemObjectInfo(excess, CL_MEM_MAP_COUNT, sizeof mapped, &mapped, nullptr));
  EXPECT_EQ(mapped, 0u);
  EXPECT_EQ(contents<cl_uint>(small, 1).front(), 1u);
}

// A sub-buffer uses its buffer's memory, which is allocated when a command first needs it; that may fail.
TEST_F(MemoryExhausted, SubBuffersHaveTheMemoryOfTheirBuffers) {
  const cl_buffer_region region{4096, 64};
  cl_int error = CL_SUCCESS;
  const test::Buffer with = clCreateSubBuffer(full, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
  CL_OK(error);
  const test::Buffer without = clCreateSubBuffer(excess, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
  CL_OK(error);
  CL_OK(fill(with));
  CL_EXPECT(CL_MEM_OBJECT_ALLOCATION_FAILURE, fill(without));
  CL_EXPECT(CL_MEM_OBJECT_ALLOCATION_FAILURE,
            clEnqueueCopyBuffer(queue, with, without, 0, 0, 64, 0, nullptr, nullptr));
}

// For commands that run on the host, memory is allocated when they are executed.
TEST_F(MemoryExhausted, NativeKernelsFail) {
  cl_mem argument = excess;
  const void* place = &argument;
  test::Event event;
  CL_OK(clEnqueueNativeKernel(
      queue, [](void*) { ADD_FAILURE(); }, &argument, sizeof argument, 1, excess.list(), &place, 0, nullptr,
      event.out()));
  CL_EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, event.list()));
  CL_EXPECT(CL_MEM_OBJECT_ALLOCATION_FAILURE, test::status_of(event));
}

// A held command fails when it is executed, and so do the commands that wait for it.
TEST_F(MemoryExhausted, HeldCommandsFail) {
  const test::Event gate = make_user_event();
  test::Event held, behind;
  CL_OK(fill(excess, 1, gate.list(), held.out()));
  CL_OK(fill(small, 1, held.list(), behind.out()));
  CL_OK(clSetUserEventStatus(gate, CL_COMPLETE));
  CL_EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, behind.list()));
  CL_EXPECT(CL_MEM_OBJECT_ALLOCATION_FAILURE, test::status_of(held));
  CL_OK(fill(small));
}

// Memory for program-scope variables is allocated when the program is built or a kernel first runs.
TEST_F(MemoryExhausted, ProgramsWithVariables) {
  std::vector<test::Buffer> rest;
  for (std::size_t size = 16 << 20; size >= 1 << 20; size /= 2)
    for (cl_int code = CL_SUCCESS; code == CL_SUCCESS;) {
      rest.push_back(make_buffer(size));
      code = fill(rest.back());
    }
  std::string source = "kernel void k(global uint* a) { *a = 0;";
  for (int i = 0; i < 4; ++i) {
    const std::string name = "v" + std::to_string(i);
    source = "global uint " + name + "[1 << 18];\n" + source + " *a += ++" + name + "[*a];";
  }
  const test::Program program = build(source + " }");
  const test::Kernel kernel = make_kernel(program, "k");
  set_arguments(kernel, small);
  const std::size_t one = 1;
  CL_EXPECT(CL_OUT_OF_RESOURCES,
            clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
  full.reset();
  CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
  EXPECT_EQ(contents<cl_uint>(small, 1).front(), 4u);
}

TEST_F(MemoryExhausted, RoomComesBack) {
  CL_EXPECT(CL_MEM_OBJECT_ALLOCATION_FAILURE, fill(excess));
  full.reset();
  CL_OK(fill(excess));
  EXPECT_EQ(contents<cl_uint>(excess, 1).front(), 1u);
  // A buffer that is created with contents needs its memory immediately.
  std::vector<std::uint8_t> bytes(2 * kLeft);
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, bytes.size(), bytes.data(), &error), nullptr);
  CL_EXPECT(CL_MEM_OBJECT_ALLOCATION_FAILURE, error);
  EXPECT_EQ(clCreatePipe(context, 0, 1024, 2 * kLeft / 1024, nullptr, &error), nullptr);
  CL_EXPECT(CL_MEM_OBJECT_ALLOCATION_FAILURE, error);
}

// The host's memory is exhausted by maps. CL_MAP_WRITE_INVALIDATE_REGION needs no transfer to them.
TEST_F(MemoryExhausted, MapsFail) {
  cl_ulong most = 0;
  CL_OK(clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, nullptr));
  cl_int error = CL_SUCCESS;
  const auto map = [&](cl_mem buffer, std::size_t size) {
    return clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 0, size, 0, nullptr,
                              nullptr, &error);
  };
  std::vector<test::Buffer> mapped;
  while (error == CL_SUCCESS && mapped.size() < 16) {
    mapped.push_back(make_buffer(most));
    EXPECT_EQ(map(mapped.back(), most) != nullptr, error == CL_SUCCESS);
  }
  CL_EXPECT(CL_MAP_FAILURE, error);
  cl_uint maps = 1;
  CL_OK(clGetMemObjectInfo(mapped.back(), CL_MEM_MAP_COUNT, sizeof maps, &maps, nullptr));
  EXPECT_EQ(maps, 0u);
  // Memory of the maps is available again after their buffers have been released.
  mapped.clear();
  full.reset();
  constexpr std::size_t kSize = 256 << 20;
  const test::Buffer buffer = make_buffer(kSize);
  void* const host = map(buffer, kSize);
  CL_OK(error);
  std::memset(host, 5, kSize);
  CL_OK(clEnqueueUnmapMemObject(queue, buffer, host, 0, nullptr, nullptr));
  EXPECT_EQ(contents<std::uint8_t>(buffer, 100), std::vector<std::uint8_t>(100, 5));
}

// An image's memory is allocated when the image is created.
TEST_F(MemoryExhausted, ImagesAreRefused) {
  cl_bool images = CL_FALSE;
  CL_OK(clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof images, &images, nullptr));
  if (!images) GTEST_SKIP() << "the device has no images";
  constexpr cl_image_format kFormat = {CL_RGBA, CL_FLOAT};
  std::vector<float> texels(4 * 4096 * 2048);  // 128 MiB
  for (const cl_mem_object_type type : {CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE2D,
                                        CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D}) {
    const bool flat = type == CL_MEM_OBJECT_IMAGE2D;
    cl_image_desc desc = test::image_desc(type, 4096, flat ? 2048 : 1, flat ? 0 : 2048);
    const auto refused = [&](cl_mem_flags flags, void* host) {
      cl_int error = CL_SUCCESS;
      const test::Image image = clCreateImage(context, flags, &kFormat, &desc, host, &error);
      EXPECT_EQ(nullptr, image.get()) << "type " << type;
      CL_EXPECT(CL_MEM_OBJECT_ALLOCATION_FAILURE, error);
    };
    refused(0, nullptr);
    refused(CL_MEM_COPY_HOST_PTR, texels.data());
    desc.num_mip_levels = 3;
    refused(0, nullptr);
  }
  full.reset();
  cl_int error = 1;
  const cl_image_desc desc = test::image_desc(CL_MEM_OBJECT_IMAGE2D, 4096, 2048);
  const test::Image image = clCreateImage(context, 0, &kFormat, &desc, nullptr, &error);
  CL_EXPECT(CL_SUCCESS, error);
}

// Commands on images go through linear memory, of which they need less than the image has.
TEST_F(MemoryExhausted, ImagesAreFilledAndCopied) {
  cl_bool images = CL_FALSE;
  CL_OK(clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof images, &images, nullptr));
  if (!images) GTEST_SKIP() << "the device has no images";
  constexpr cl_image_format kFormat = {CL_RGBA, CL_FLOAT};
  const std::vector<float> color = {1, 2, 3, 4};
  cl_int error = 1;
  {
    constexpr size_t kTexels = (kLeft - (20 << 20)) / 16, kRow[3] = {kTexels, 1, 1},
                     kLast[3] = {kTexels - 1, 0, 0};
    const test::Buffer buffer = make_buffer(16 * kTexels);
    cl_image_desc desc = test::image_desc(CL_MEM_OBJECT_IMAGE1D_BUFFER, kTexels);
    desc.mem_object = buffer;
    const test::Image line = clCreateImage(context, 0, &kFormat, &desc, nullptr, &error);
    CL_OK(error);
    constexpr size_t kFirst[3] = {}, kOne[3] = {1, 1, 1};
    CL_OK(clEnqueueFillImage(queue, line, color.data(), kFirst, kRow, 0, nullptr, nullptr));
    for (const size_t* texel : {kFirst, kLast}) {
      std::vector<float> found(4);
      CL_OK(clEnqueueReadImage(queue, line, CL_TRUE, texel, kOne, 0, 0, found.data(), 0, nullptr, nullptr));
      EXPECT_EQ(found, color);
    }
  }
  cl_ulong most = 0;
  CL_OK(clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, nullptr));
  full.reset();
  CL_OK(clFinish(queue));
  // Two layers of 128 MiB. Then a third one has no place.
  constexpr size_t kWidth = 4096, kHeight = 2048;
  const cl_image_desc desc = test::image_desc(CL_MEM_OBJECT_IMAGE2D_ARRAY, kWidth, kHeight, 2);
  const test::Image layers = clCreateImage(context, 0, &kFormat, &desc, nullptr, &error);
  CL_OK(error);
  full = make_buffer(most - (352 << 20));
  CL_OK(fill(full));
  constexpr size_t kFrom[3] = {}, kTo[3] = {0, 0, 1}, kLayer[3] = {kWidth, kHeight, 1},
                   kRow[3] = {kWidth, 1, 1}, kLastRow[3] = {0, kHeight - 1, 0},
                   kLastRowThere[3] = {0, kHeight - 1, 1};
  const auto row = test::random_values<float>(4 * kWidth);
  CL_OK(clEnqueueWriteImage(queue, layers, CL_TRUE, kLastRow, kRow, 0, 0, row.data(), 0, nullptr, nullptr));
  CL_OK(clEnqueueCopyImage(queue, layers, layers, kFrom, kTo, kLayer, 0, nullptr, nullptr));
  std::vector<float> found(row.size());
  CL_OK(clEnqueueReadImage(queue, layers, CL_TRUE, kLastRowThere, kRow, 0, 0, found.data(), 0, nullptr,
                           nullptr));
  EXPECT_EQ(std::memcmp(found.data(), row.data(), 4 * row.size()), 0);
}

// Memory of released images, which is kept for new ones of the same shape, is freed when a buffer needs it.
TEST_F(MemoryExhausted, ReleasedImagesMakeRoom) {
  cl_bool images = CL_FALSE;
  CL_OK(clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof images, &images, nullptr));
  if (!images) GTEST_SKIP() << "the device has no images";
  full.reset();
  CL_OK(clFinish(queue));
  constexpr cl_image_format kFormat = {CL_RGBA, CL_FLOAT};
  for (const size_t height : {1024, 1025, 1026, 1027}) {  // 64 MiB each
    const cl_image_desc desc = test::image_desc(CL_MEM_OBJECT_IMAGE2D, 4096, height);
    cl_int error = 1;
    const test::Image image = clCreateImage(context, 0, &kFormat, &desc, nullptr, &error);
    CL_EXPECT(CL_SUCCESS, error);
  }
  CL_OK(fill(excess));
  EXPECT_EQ(contents<cl_uint>(excess, 1).front(), 1u);
}

// SVM cannot be allocated when buffers use the memory, although the driver would overcommit it; it can after they are released.
TEST_F(MemoryExhausted, SharedMemoryIsRefused) {
  CL_OK(clFinish(queue));
  EXPECT_EQ(clSVMAlloc(context, 0, 2 * kLeft, 0), nullptr);
  void* const little = clSVMAlloc(context, 0, kLeft / 4, 0);
  EXPECT_NE(little, nullptr);
  clSVMFree(context, little);
  full.reset();
  void* const much = clSVMAlloc(context, 0, 4 * kLeft, 0);
  EXPECT_NE(much, nullptr);
  clSVMFree(context, much);
}

}  // namespace
