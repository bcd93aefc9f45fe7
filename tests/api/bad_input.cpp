// SPDX-License-Identifier: Apache-2.0
// Invalid input of any kind gives an error code, and valid commands still work afterwards.
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <ctime>

#include "support/programs.h"
#include "support/sanitized.h"

namespace {

constexpr std::size_t kHuge = ~std::size_t{0};

class BadInput : public test::Programs {
 protected:
  void SetUp() override {
    test::Programs::SetUp();
    if (HasFatalFailure()) return;
    program = build("kernel void add(global uint* a, uint v) { a[get_global_id(0)] += v; }");
    kernel = make_kernel(program, "add");
  }
  // Checks that a kernel still runs after each test.
  void TearDown() override {
    const std::vector<cl_uint> values = test::random_values<cl_uint>(100);
    const test::Buffer buffer = make_buffer(values);
    set_arguments(kernel, buffer, cl_uint{7});
    const std::size_t size = values.size();
    CL_EXPECT(CL_SUCCESS,
              clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &size, nullptr, 0, nullptr, nullptr));
    const auto seen = contents<cl_uint>(buffer, size);
    for (std::size_t i = 0; i < size; ++i) EXPECT_EQ(seen[i], values[i] + 7);
    test::Programs::TearDown();
  }

  test::Program program;
  test::Kernel kernel;
};

// Handles that are foreign, released or of another type. Each begins with a valid dispatch table, because the ICD loader dereferences it.
TEST_F(BadInput, HandlesOfEveryKind) {
  alignas(64) std::array<void*, 16> stack{};
  std::copy_n(static_cast<void**>(static_cast<void*>(device)), 2, stack.begin());
  const test::Buffer buffer = make_buffer(64);
  const test::Event event = make_user_event();
  cl_mem freed = clCreateBuffer(context, 0, 64, nullptr, nullptr);
  CL_OK(clReleaseMemObject(freed));
  CL_OK(clFinish(queue));
  std::vector<void*> odd = {stack.data(), device,       context.get(), queue.get(), program.get(),
                            kernel.get(), buffer.get(), event.get(),   freed};
  for (void* handle : odd) {
    std::uint8_t bytes[64] = {};
    std::size_t size = 64;
    const std::size_t one = 1;
    cl_int error = 0;
    const auto as = [&]<class Handle>(Handle) { return static_cast<Handle>(handle); };
    const auto made = [&](const void* object, cl_int code) {
      EXPECT_EQ(object, nullptr);
      EXPECT_EQ(error, code) << test::error_name(error);
    };
    if (handle != context.get()) {
      const cl_context c = as(cl_context{});
      made(clCreateBuffer(c, 0, 4, nullptr, &error), CL_INVALID_CONTEXT);
      made(clCreateCommandQueueWithProperties(c, device, nullptr, &error), CL_INVALID_CONTEXT);
      made(clCreateUserEvent(c, &error), CL_INVALID_CONTEXT);
      CL_EXPECT(CL_INVALID_CONTEXT, clRetainContext(c));
      CL_EXPECT(CL_INVALID_CONTEXT, clReleaseContext(c));
    }
    if (handle != queue.get()) {
      const cl_command_queue q = as(cl_command_queue{});
      CL_EXPECT(CL_INVALID_COMMAND_QUEUE, clFlush(q));
      CL_EXPECT(CL_INVALID_COMMAND_QUEUE, clFinish(q));
      CL_EXPECT(CL_INVALID_COMMAND_QUEUE, clRetainCommandQueue(q));
      CL_EXPECT(CL_INVALID_COMMAND_QUEUE, clReleaseCommandQueue(q));
      CL_EXPECT(CL_INVALID_COMMAND_QUEUE, clGetCommandQueueInfo(q, CL_QUEUE_SIZE, 64, bytes, nullptr));
      CL_EXPECT(CL_INVALID_COMMAND_QUEUE,
                clEnqueueReadBuffer(q, buffer, 1, 0, 4, bytes, 0, nullptr, nullptr));
      CL_EXPECT(CL_INVALID_COMMAND_QUEUE,
                clEnqueueNDRangeKernel(q, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
    }
    if (handle != buffer.get()) {
      const cl_mem m = as(cl_mem{});
      CL_EXPECT(CL_INVALID_MEM_OBJECT, clRetainMemObject(m));
      CL_EXPECT(CL_INVALID_MEM_OBJECT, clReleaseMemObject(m));
      CL_EXPECT(CL_INVALID_MEM_OBJECT, clGetMemObjectInfo(m, CL_MEM_SIZE, 64, bytes, nullptr));
      CL_EXPECT(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, 0, sizeof m, &m));
      CL_EXPECT(CL_INVALID_MEM_OBJECT, clEnqueueWriteBuffer(queue, m, 1, 0, 4, bytes, 0, nullptr, nullptr));
      CL_EXPECT(CL_INVALID_MEM_OBJECT, clEnqueueCopyBuffer(queue, buffer, m, 0, 0, 4, 0, nullptr, nullptr));
      CL_EXPECT(CL_INVALID_MEM_OBJECT, clEnqueueFillBuffer(queue, m, bytes, 4, 0, 4, 0, nullptr, nullptr));
      made(clEnqueueMapBuffer(queue, m, 1, CL_MAP_READ, 0, 4, 0, nullptr, nullptr, &error),
           CL_INVALID_MEM_OBJECT);
      CL_EXPECT(CL_INVALID_MEM_OBJECT, clEnqueueUnmapMemObject(queue, m, bytes, 0, nullptr, nullptr));
    }
    if (handle != program.get()) {
      const cl_program p = as(cl_program{});
      made(clCreateKernel(p, "add", &error), CL_INVALID_PROGRAM);
      CL_EXPECT(CL_INVALID_PROGRAM, clBuildProgram(p, 0, nullptr, nullptr, nullptr, nullptr));
      CL_EXPECT(CL_INVALID_PROGRAM, clReleaseProgram(p));
      CL_EXPECT(CL_INVALID_PROGRAM, clGetProgramInfo(p, CL_PROGRAM_NUM_DEVICES, 64, bytes, &size));
    }
    if (handle != kernel.get()) {
      const cl_kernel k = as(cl_kernel{});
      CL_EXPECT(CL_INVALID_KERNEL, clSetKernelArg(k, 0, 4, bytes));
      CL_EXPECT(CL_INVALID_KERNEL, clReleaseKernel(k));
      CL_EXPECT(CL_INVALID_KERNEL,
                clEnqueueNDRangeKernel(queue, k, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
      CL_EXPECT(CL_INVALID_KERNEL,
                clGetKernelWorkGroupInfo(k, device, CL_KERNEL_WORK_GROUP_SIZE, 64, bytes, nullptr));
    }
    if (handle != event.get()) {
      const cl_event e = as(cl_event{});
      CL_EXPECT(CL_INVALID_EVENT, clWaitForEvents(1, &e));
      CL_EXPECT(CL_INVALID_EVENT, clRetainEvent(e));
      CL_EXPECT(CL_INVALID_EVENT, clReleaseEvent(e));
      CL_EXPECT(CL_INVALID_EVENT, clSetUserEventStatus(e, CL_COMPLETE));
      CL_EXPECT(CL_INVALID_EVENT, clGetEventInfo(e, CL_EVENT_COMMAND_TYPE, 64, bytes, nullptr));
      CL_EXPECT(CL_INVALID_EVENT_WAIT_LIST, clEnqueueMarkerWithWaitList(queue, 1, &e, nullptr));
    }
    if (handle != device) {
      const cl_device_id d = as(cl_device_id{});
      CL_EXPECT(CL_INVALID_DEVICE, clGetDeviceInfo(d, CL_DEVICE_NAME, 64, bytes, &size));
      made(clCreateContext(nullptr, 1, &d, nullptr, nullptr, &error), CL_INVALID_DEVICE);
      made(clCreateCommandQueueWithProperties(context, d, nullptr, &error), CL_INVALID_DEVICE);
      CL_EXPECT(CL_INVALID_DEVICE, clBuildProgram(create(""), 1, &d, nullptr, nullptr, nullptr));
    }
  }
  CL_OK(clSetUserEventStatus(event, CL_COMPLETE));
}

TEST_F(BadInput, NothingWhereSomethingIsNeeded) {
  const test::Buffer buffer = make_buffer(64);
  cl_int error = CL_SUCCESS;
  const std::size_t one = 1;
  CL_EXPECT(CL_INVALID_VALUE, clGetPlatformIDs(0, nullptr, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clEnqueueReadBuffer(queue, buffer, 1, 0, 4, nullptr, 0, nullptr, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clEnqueueWriteBuffer(queue, buffer, 1, 0, 4, nullptr, 0, nullptr, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, buffer, nullptr, 4, 0, 4, 0, nullptr, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clEnqueueReadBufferRect(queue, buffer, 1, nullptr, nullptr, nullptr, 0, 0, 0, 0,
                                                      nullptr, 0, nullptr, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clEnqueueCopyBufferRect(queue, buffer, buffer, nullptr, nullptr, nullptr, 0, 0,
                                                      0, 0, 0, nullptr, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clEnqueueUnmapMemObject(queue, buffer, nullptr, 0, nullptr, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clEnqueueMigrateMemObjects(queue, 1, nullptr, 0, 0, nullptr, nullptr));
  CL_EXPECT(CL_INVALID_VALUE,
            clEnqueueNativeKernel(queue, nullptr, nullptr, 0, 0, nullptr, nullptr, 0, nullptr, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clWaitForEvents(1, nullptr));
  CL_EXPECT(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 1, 4, nullptr));
  EXPECT_EQ(nullptr, clCreateProgramWithSource(context, 1, nullptr, nullptr, &error));
  EXPECT_EQ(error, CL_INVALID_VALUE);
  EXPECT_EQ(nullptr, clCreateKernel(program, nullptr, &error));
  EXPECT_EQ(error, CL_INVALID_VALUE);
  EXPECT_EQ(nullptr, clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4, nullptr, nullptr));
  EXPECT_EQ(nullptr, clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, nullptr, &error));
  EXPECT_EQ(error, CL_INVALID_VALUE);
  EXPECT_EQ(nullptr, clGetExtensionFunctionAddressForPlatform(nullptr, nullptr));
  CL_EXPECT(CL_INVALID_KERNEL_ARGS, clEnqueueNDRangeKernel(queue, make_kernel(program, "add"), 1, nullptr,
                                                           &one, nullptr, 0, nullptr, nullptr));
}

TEST_F(BadInput, SizesThatOverflow) {
  const test::Buffer buffer = make_buffer(4096);
  std::vector<std::uint8_t> host(4096);
  const std::uint32_t word = 0;
  cl_int error = CL_SUCCESS;
  for (const auto& [offset, size] : {std::pair{kHuge, std::size_t{4}},
                                     {std::size_t{4}, kHuge},
                                     {kHuge, kHuge},
                                     {kHuge - 3, std::size_t{4}},
                                     {std::size_t{4092}, std::size_t{8}}}) {
    CL_EXPECT(CL_INVALID_VALUE,
              clEnqueueReadBuffer(queue, buffer, 1, offset, size, host.data(), 0, nullptr, nullptr));
    CL_EXPECT(CL_INVALID_VALUE,
              clEnqueueWriteBuffer(queue, buffer, 1, offset, size, host.data(), 0, nullptr, nullptr));
    CL_EXPECT(CL_INVALID_VALUE,
              clEnqueueCopyBuffer(queue, buffer, buffer, offset, 0, size, 0, nullptr, nullptr));
    CL_EXPECT(CL_INVALID_VALUE,
              clEnqueueFillBuffer(queue, buffer, &word, 4, offset, size, 0, nullptr, nullptr));
    EXPECT_EQ(nullptr,
              clEnqueueMapBuffer(queue, buffer, 1, CL_MAP_READ, offset, size, 0, nullptr, nullptr, &error));
    EXPECT_EQ(error, CL_INVALID_VALUE);
    const cl_buffer_region region{offset, size};
    EXPECT_EQ(nullptr, clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
    EXPECT_NE(error, CL_SUCCESS);
  }
  const std::array<std::size_t, 3> zero{}, half{std::size_t{1} << 32, std::size_t{1} << 32, 1},
      rows{4, kHuge / 4, 4};
  for (const auto* region : {half.data(), rows.data()})
    CL_EXPECT(CL_INVALID_VALUE, clEnqueueReadBufferRect(queue, buffer, 1, zero.data(), zero.data(), region, 0,
                                                        0, 0, 0, host.data(), 0, nullptr, nullptr));
  const std::array<std::size_t, 3> small{4, 2, 2};
  for (const std::size_t pitch : {kHuge, kHuge / 2, kHuge / 4 + 1})
    CL_EXPECT(CL_INVALID_VALUE,
              clEnqueueReadBufferRect(queue, buffer, 1, zero.data(), zero.data(), small.data(), pitch, 0, 0,
                                      0, host.data(), 0, nullptr, nullptr));
  EXPECT_EQ(nullptr, clCreateBuffer(context, 0, 0, nullptr, &error));
  EXPECT_EQ(error, CL_INVALID_BUFFER_SIZE);
  EXPECT_EQ(nullptr, clCreateBuffer(context, 0, kHuge, nullptr, &error));
  EXPECT_EQ(error, CL_INVALID_BUFFER_SIZE);
}

TEST_F(BadInput, Ranges) {
  const test::Buffer buffer = make_buffer(4096);
  set_arguments(kernel, buffer, cl_uint{1});
  const auto enqueue = [&](cl_uint dimensions, const std::size_t* offset, const std::size_t* global,
                           const std::size_t* local) {
    return clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, 0, nullptr, nullptr);
  };
  const std::size_t zero[3] = {}, huge[3] = {kHuge, kHuge, kHuge}, one[3] = {1, 1, 1},
                    wide[3] = {std::size_t{1} << 62, 1, 1};
  CL_EXPECT(CL_INVALID_WORK_DIMENSION, enqueue(0, nullptr, one, nullptr));
  CL_EXPECT(CL_INVALID_WORK_DIMENSION, enqueue(4, nullptr, one, nullptr));
  CL_EXPECT(CL_SUCCESS, enqueue(1, nullptr, zero, nullptr));
  CL_EXPECT(CL_SUCCESS, enqueue(3, nullptr, nullptr, nullptr));
  EXPECT_LT(enqueue(3, nullptr, huge, nullptr), 0);
  EXPECT_LT(enqueue(1, nullptr, wide, nullptr), 0);
  CL_EXPECT(CL_INVALID_GLOBAL_OFFSET, enqueue(1, huge, one, nullptr));
  CL_EXPECT(CL_INVALID_WORK_GROUP_SIZE, enqueue(1, nullptr, one, zero));
  EXPECT_LT(enqueue(1, nullptr, one, huge), 0);
}

std::chrono::nanoseconds processor_time() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

class BrokenSource : public BadInput, public testing::WithParamInterface<int> {};

std::string repeated(int count, const std::string& text) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

std::string broken_source(int kind) {
  switch (kind) {
    case 0: {
      std::string garbage;
      for (int i = 0; i < 100'000; ++i) garbage += static_cast<char>(1 + test::random_engine()() % 255);
      return garbage;
    }
    case 1: {
      std::string text = "#define M0 1,\n";
      for (int i = 1; i < 40; ++i)
        text += "#define M" + std::to_string(i) + " M" + std::to_string(i - 1) + " M" +
                std::to_string(i - 1) + "\n";
      return text + "constant int a[] = {M39};\nkernel void k(global int* o) { *o = a[0]; }";
    }
    case 2:
      return "kernel void k(global int* o) { *o = " + repeated(40'000, "-~") + "*o; }";
    case 3:
      return "kernel void k(global int* o) { if (*o == 1) *o = 2; " +
             repeated(20'000, "else if (*o == 3) *o = 4;\n") + "}";
    default:
      return "kernel void k(global int* o) {\n" + repeated(400'000, "  o[1] = o[2] * 3 + o[4];\n") + "}";
  }
}

// The build succeeds, or fails with a build log, within ten seconds of processor time and 2 GiB of memory. (Elapsed time depends on other
// processes; CTest's time limit catches a build that hangs.)
TEST_P(BrokenSource, EndsInTime) {
  const std::string source = broken_source(GetParam());
  const std::chrono::nanoseconds begin = processor_time();
  const test::Program broken = create(source);
  const cl_int result = clBuildProgram(broken, 1, &device, "", nullptr, nullptr);
  EXPECT_LT(processor_time() - begin, std::chrono::seconds(test::kSanitized ? 120 : 10));
  if (result != CL_SUCCESS) {
    EXPECT_EQ(result, CL_BUILD_PROGRAM_FAILURE) << test::error_name(result);
    EXPECT_FALSE(info(broken, CL_PROGRAM_BUILD_LOG).empty());
    EXPECT_EQ(status(broken), CL_BUILD_ERROR);
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  // ThreadSanitizer's own memory would be counted too.
  if (!test::kSanitized) EXPECT_LT(usage.ru_maxrss, 2 << 20) << "KiB";
}
INSTANTIATE_TEST_SUITE_P(Kinds, BrokenSource, testing::Range(0, 5));

// Binaries that are truncated, have a flipped bit or are random are rejected by clCreateProgramWithBinary.
TEST_F(BadInput, DamagedBinaries) {
  const std::vector<unsigned char> whole = binary(program);
  const auto load = [&](const std::vector<unsigned char>& bytes) {
    const unsigned char* data = bytes.data();
    const std::size_t size = bytes.size();
    cl_int status = CL_SUCCESS, error = CL_SUCCESS;
    const test::Program loaded =
        clCreateProgramWithBinary(context, 1, &device, &size, &data, &status, &error);
    EXPECT_EQ(error, CL_INVALID_BINARY) << test::error_name(error);
    EXPECT_EQ(status, CL_INVALID_BINARY);
    EXPECT_EQ(loaded.get(), nullptr);
  };
  for (int i = 0; i < 200; ++i) {
    auto damaged = whole;
    damaged.resize(1 + test::random_engine()() % (whole.size() - 1));
    load(damaged);
    damaged = whole;
    damaged[test::random_engine()() % whole.size()] ^=
        static_cast<unsigned char>(1u << test::random_engine()() % 8);
    load(damaged);
    load(test::random_values<unsigned char>(1 + test::random_engine()() % 1000));
  }
}

}  // namespace
