// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "support/opencl.h"

namespace {

class CreateBuffer : public test::OpenCL {
 protected:
  // The error code of both functions, which must be the same.
  cl_int error_of(cl_context in, cl_mem_flags flags, std::size_t size, void* host) {
    cl_int error = 1, other = 2;
    const test::Buffer made = clCreateBuffer(in, flags, size, host, &error);
    const test::Buffer with_properties = clCreateBufferWithProperties(in, nullptr, flags, size, host, &other);
    EXPECT_EQ(made.get() != nullptr, error == CL_SUCCESS);
    EXPECT_EQ(with_properties.get() != nullptr, error == CL_SUCCESS);
    CL_EXPECT(error, other);
    return error;
  }
  template <class T>
  T info(cl_mem memory, cl_mem_info name) {
    T value{};
    CL_EXPECT(CL_SUCCESS, clGetMemObjectInfo(memory, name, sizeof value, &value, nullptr));
    return value;
  }
};

TEST_F(CreateBuffer, TakesTheHostsBytes) {
  for (const std::size_t size : {1ul, 4095ul, 300'000ul, 9'000'001ul}) {
    auto bytes = test::random_values(size);
    const test::Buffer copied = make_buffer(size, CL_MEM_COPY_HOST_PTR, bytes.data());
    const test::Buffer pinned = make_buffer(size, CL_MEM_COPY_HOST_PTR | CL_MEM_ALLOC_HOST_PTR, bytes.data());
    auto kept = bytes;
    const test::Buffer used = make_buffer(size, CL_MEM_USE_HOST_PTR, kept.data());
    const auto expected = bytes;
    bytes.assign(size, 0);  // the contents of the first two must have been copied before
    EXPECT_EQ(contents(copied, size), expected);
    EXPECT_EQ(contents(pinned, size), expected);
    EXPECT_EQ(contents(used, size), expected);
  }
}

// Section 5.2.1: CL_MEM_COPY_HOST_PTR copies during the call, even from memory that the device could read later, and while it is busy with
// the contents of other buffers.
TEST_F(CreateBuffer, TakesBytesOfMemoryThatTheDeviceReaches) {
  constexpr std::size_t kMost = 64 << 10;
  const auto busy = test::random_values(2 << 20);
  const test::Buffer host = make_buffer(kMost, CL_MEM_ALLOC_HOST_PTR);
  cl_int error = 1;
  auto* mapped = static_cast<unsigned char*>(clEnqueueMapBuffer(
      queue, host, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, kMost, 0, nullptr, nullptr, &error));
  CL_OK(error);
  auto* shared = static_cast<unsigned char*>(clSVMAlloc(context, CL_MEM_READ_WRITE, kMost, 0));
  if (shared) CL_OK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, shared, kMost, 0, nullptr, nullptr));
  for (unsigned char* memory : {mapped, shared}) {
    if (!memory) continue;
    for (const std::size_t size : {std::size_t{4}, std::size_t{4096}, kMost}) {
      for (int i = 0; i < 10; ++i) {
        const auto bytes = test::random_values(size);
        std::ranges::copy(bytes, memory);
        const test::Buffer others[] = {make_buffer(busy), make_buffer(busy), make_buffer(busy)};
        const test::Buffer copied = make_buffer(size, CL_MEM_COPY_HOST_PTR, memory);
        std::fill_n(memory, size, 0);
        ASSERT_EQ(contents(copied, size), bytes) << size << " bytes" << (memory == shared ? ", shared" : "");
      }
    }
  }
  if (shared) {
    CL_OK(clEnqueueSVMUnmap(queue, shared, 0, nullptr, nullptr));
    CL_OK(clFinish(queue));
    clSVMFree(context, shared);
  }
  CL_OK(clEnqueueUnmapMemObject(queue, host, mapped, 0, nullptr, nullptr));
}

TEST_F(CreateBuffer, Info) {
  std::vector<std::uint8_t> host(1000);
  const test::Buffer plain = make_buffer(1000);
  const test::Buffer used = make_buffer(1000, CL_MEM_USE_HOST_PTR | CL_MEM_READ_ONLY, host.data());
  EXPECT_EQ(info<cl_mem_object_type>(plain, CL_MEM_TYPE),
            static_cast<cl_mem_object_type>(CL_MEM_OBJECT_BUFFER));
  EXPECT_EQ(info<std::size_t>(plain, CL_MEM_SIZE), 1000u);
  EXPECT_EQ(info<void*>(plain, CL_MEM_HOST_PTR), nullptr);
  EXPECT_EQ(info<void*>(used, CL_MEM_HOST_PTR), host.data());
  EXPECT_EQ(info<cl_mem_flags>(used, CL_MEM_FLAGS), cl_mem_flags{CL_MEM_USE_HOST_PTR | CL_MEM_READ_ONLY});
  EXPECT_EQ(info<cl_uint>(plain, CL_MEM_MAP_COUNT), 0u);
  EXPECT_EQ(info<cl_uint>(plain, CL_MEM_REFERENCE_COUNT), 1u);
  EXPECT_EQ(info<cl_context>(plain, CL_MEM_CONTEXT), context.get());
  EXPECT_EQ(info<cl_mem>(plain, CL_MEM_ASSOCIATED_MEMOBJECT), nullptr);
  EXPECT_EQ(info<std::size_t>(plain, CL_MEM_OFFSET), 0u);
  EXPECT_EQ(info<cl_bool>(plain, CL_MEM_USES_SVM_POINTER), cl_bool{CL_FALSE});
  cl_uint value = 0;
  CL_EXPECT(CL_INVALID_VALUE, clGetMemObjectInfo(plain, 0x1, sizeof value, &value, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clGetMemObjectInfo(plain, CL_MEM_SIZE, 1, &value, nullptr));
  CL_EXPECT(CL_INVALID_MEM_OBJECT, clGetMemObjectInfo(nullptr, CL_MEM_SIZE, 0, nullptr, nullptr));
}

TEST_F(CreateBuffer, Errors) {
  std::uint8_t host[16] = {};
  CL_EXPECT(CL_INVALID_CONTEXT, error_of(nullptr, 0, 16, nullptr));
  CL_EXPECT(CL_INVALID_BUFFER_SIZE, error_of(context, 0, 0, nullptr));
  CL_EXPECT(CL_INVALID_BUFFER_SIZE, error_of(context, 0, ~std::size_t{0}, nullptr));
  CL_EXPECT(CL_INVALID_HOST_PTR, error_of(context, 0, 16, host));
  CL_EXPECT(CL_INVALID_HOST_PTR, error_of(context, CL_MEM_ALLOC_HOST_PTR, 16, host));
  CL_EXPECT(CL_INVALID_HOST_PTR, error_of(context, CL_MEM_COPY_HOST_PTR, 16, nullptr));
  CL_EXPECT(CL_INVALID_HOST_PTR, error_of(context, CL_MEM_USE_HOST_PTR, 16, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, error_of(context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 16, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, error_of(context, CL_MEM_READ_WRITE | CL_MEM_READ_ONLY, 16, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, error_of(context, CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS, 16, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, error_of(context, CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR, 16, host));
  CL_EXPECT(CL_INVALID_VALUE, error_of(context, CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, 16, host));
  CL_EXPECT(CL_INVALID_VALUE, error_of(context, cl_mem_flags{1} << 40, 16, nullptr));
}

TEST_F(CreateBuffer, WithProperties) {
  const cl_mem_properties none[] = {0};
  const cl_mem_properties unknown[] = {0x4321, 1, 0};
  cl_int error = CL_SUCCESS;
  const test::Buffer made = clCreateBufferWithProperties(context, none, 0, 16, nullptr, &error);
  CL_OK(error);
  std::size_t size = 0;
  cl_mem_properties list = 1;
  CL_OK(clGetMemObjectInfo(made, CL_MEM_PROPERTIES, sizeof list, &list, &size));
  EXPECT_EQ(size, sizeof list);
  EXPECT_EQ(list, 0u);
  EXPECT_EQ(clCreateBufferWithProperties(context, unknown, 0, 16, nullptr, &error), nullptr);
  CL_EXPECT(CL_INVALID_PROPERTY, error);
  CL_OK(clGetMemObjectInfo(make_buffer(16), CL_MEM_PROPERTIES, 0, nullptr, &size));
  EXPECT_EQ(size, 0u);
}

// Large buffers begin at pages, where a GPU's caches are used evenly (src/cuda/page.h), also when small ones are allocated between them.
TEST_F(CreateBuffer, ThoseOfAGpuBeginAtPages) {
  cl_device_type type = 0;
  CL_OK(clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, nullptr));
  if (!(type & CL_DEVICE_TYPE_GPU)) GTEST_SKIP() << "the CPU device gives what is asked for";
  const test::Program program =
      build("kernel void place(global uchar* memory, global ulong* place) { *place = (ulong)memory; }");
  const test::Kernel kernel = make_kernel(program, "place");
  const test::Buffer place = make_buffer(sizeof(cl_ulong));
  constexpr std::size_t kPage = 64 << 10, kOne = 1;
  std::vector<test::Buffer> buffers;
  for (int turn = 0; turn < 40; ++turn) {
    for (const std::size_t size : {std::size_t{1000}, kPage + 1, 3 * kPage, std::size_t{3'333'333}}) {
      buffers.push_back(make_buffer(size));
      set_arguments(kernel, buffers.back(), place);
      CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &kOne, nullptr, 0, nullptr, nullptr));
      if (size >= kPage)
        EXPECT_EQ(contents<cl_ulong>(place, 1).front() % kPage, 0u) << buffers.size() << " of " << size;
    }
  }
}

TEST_F(CreateBuffer, RetainAndRelease) {
  const cl_mem made = clCreateBuffer(context, 0, 16, nullptr, nullptr);
  CL_OK(clRetainMemObject(made));
  EXPECT_EQ(info<cl_uint>(made, CL_MEM_REFERENCE_COUNT), 2u);
  CL_OK(clReleaseMemObject(made));
  CL_OK(clReleaseMemObject(made));
  CL_EXPECT(CL_INVALID_MEM_OBJECT, clReleaseMemObject(made));
  CL_EXPECT(CL_INVALID_MEM_OBJECT, clRetainMemObject(made));
}

TEST_F(CreateBuffer, SubBuffersShareTheirBytes) {
  const auto bytes = test::random_values(4096);
  const test::Buffer whole = make_buffer(bytes);
  const cl_buffer_region region{1024, 512};
  cl_int error = CL_SUCCESS;
  const test::Buffer part =
      clCreateSubBuffer(whole, CL_MEM_READ_ONLY, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
  CL_OK(error);
  EXPECT_EQ(contents(part, 512), std::vector<std::uint8_t>(bytes.begin() + 1024, bytes.begin() + 1536));
  const auto news = test::random_values(100);
  CL_OK(clEnqueueWriteBuffer(queue, part, CL_TRUE, 7, news.size(), news.data(), 0, nullptr, nullptr));
  auto expected = bytes;
  std::copy(news.begin(), news.end(), expected.begin() + 1031);
  EXPECT_EQ(contents(whole, 4096), expected);
  EXPECT_EQ(info<cl_mem>(part, CL_MEM_ASSOCIATED_MEMOBJECT), whole.get());
  EXPECT_EQ(info<std::size_t>(part, CL_MEM_OFFSET), 1024u);
  EXPECT_EQ(info<std::size_t>(part, CL_MEM_SIZE), 512u);
}

TEST_F(CreateBuffer, SubBufferOutlivesItsParent) {
  const auto bytes = test::random_values(1024);
  test::Buffer whole = make_buffer(bytes);
  const cl_buffer_region region{512, 512};
  const test::Buffer part = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr);
  whole.reset();
  EXPECT_EQ(contents(part, 512), std::vector<std::uint8_t>(bytes.begin() + 512, bytes.end()));
}

TEST_F(CreateBuffer, SubBuffersHaveNoMoreAccessThanTheirBuffers) {
  struct {
    cl_mem_flags of_buffer, refused;
  } const cases[] = {
      {CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE},          {CL_MEM_WRITE_ONLY, CL_MEM_READ_ONLY},
      {CL_MEM_READ_ONLY, CL_MEM_READ_WRITE},           {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY},
      {CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY}, {CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY},
      {CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_READ_ONLY},  {CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_WRITE_ONLY},
      {CL_MEM_READ_WRITE, CL_MEM_ALLOC_HOST_PTR},      {CL_MEM_READ_WRITE, CL_MEM_COPY_HOST_PTR},
  };
  const cl_buffer_region region{0, 64};
  for (const auto& each : cases) {
    const test::Buffer whole = make_buffer(4096, each.of_buffer);
    cl_int error = 1;
    EXPECT_EQ(nullptr, clCreateSubBuffer(whole, each.refused, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
    CL_EXPECT(CL_INVALID_VALUE, error);
    const test::Buffer part = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    CL_OK(error);
    EXPECT_EQ(each.of_buffer, info<cl_mem_flags>(part, CL_MEM_FLAGS) & each.of_buffer);
  }
  // A sub-buffer of a buffer that allows every access may be restricted.
  const test::Buffer whole = make_buffer(4096);
  for (const cl_mem_flags flags : {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_HOST_WRITE_ONLY,
                                   CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_NO_ACCESS}) {
    cl_int error = 1;
    const test::Buffer part = clCreateSubBuffer(whole, flags, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    CL_OK(error);
    EXPECT_EQ(flags, info<cl_mem_flags>(part, CL_MEM_FLAGS) & flags);
  }
}

TEST_F(CreateBuffer, SubBufferErrors) {
  const test::Buffer whole = make_buffer(4096, CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY);
  const auto error_of_sub = [&](cl_mem of, cl_mem_flags flags, cl_buffer_region region) {
    cl_int error = CL_SUCCESS;
    const test::Buffer made = clCreateSubBuffer(of, flags, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    return error;
  };
  CL_EXPECT(CL_SUCCESS, error_of_sub(whole, 0, {0, 4096}));
  CL_EXPECT(CL_INVALID_MEM_OBJECT, error_of_sub(nullptr, 0, {0, 64}));
  CL_EXPECT(CL_INVALID_VALUE, error_of_sub(whole, 0, {4096, 1}));
  CL_EXPECT(CL_INVALID_VALUE, error_of_sub(whole, 0, {128, 4096}));
  CL_EXPECT(CL_INVALID_VALUE, error_of_sub(whole, 0, {128, ~std::size_t{0} - 64}));
  CL_EXPECT(CL_INVALID_BUFFER_SIZE, error_of_sub(whole, 0, {0, 0}));
  CL_EXPECT(CL_MISALIGNED_SUB_BUFFER_OFFSET, error_of_sub(whole, 0, {4, 64}));
  CL_EXPECT(CL_INVALID_VALUE, error_of_sub(whole, CL_MEM_WRITE_ONLY, {0, 64}));
  CL_EXPECT(CL_INVALID_VALUE, error_of_sub(whole, CL_MEM_READ_WRITE, {0, 64}));
  CL_EXPECT(CL_INVALID_VALUE, error_of_sub(whole, CL_MEM_HOST_WRITE_ONLY, {0, 64}));
  CL_EXPECT(CL_INVALID_VALUE, error_of_sub(whole, CL_MEM_USE_HOST_PTR, {0, 64}));
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, nullptr, &error), nullptr);
  CL_EXPECT(CL_INVALID_VALUE, error);
  const cl_buffer_region region{0, 64};
  EXPECT_EQ(clCreateSubBuffer(whole, 0, 0x77, &region, &error), nullptr);
  CL_EXPECT(CL_INVALID_VALUE, error);
  const test::Buffer part = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr);
  CL_EXPECT(CL_INVALID_MEM_OBJECT, error_of_sub(part, 0, {0, 64}));
}

}  // namespace
