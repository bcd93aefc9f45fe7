// SPDX-License-Identifier: Apache-2.0
#pragma once

// Shared by all tests that are OpenCL programs: the device under test (CLCUDA_TEST_DEVICE=cpu or gpu;
// otherwise the first on offer), owned handles, names of error codes, and fixtures:
//
//   class ReadBuffer : public test::OpenCL {};
//   TEST_F(ReadBuffer, Reads) {
//     auto buffer = make_buffer(random_bytes(100));
//     CL_OK(clEnqueueReadBuffer(queue, buffer, …));
#include <CL/cl.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "program_as_il.h"

namespace test {

inline std::string error_name(cl_int code) {
  switch (code) {
#define NAME(code) \
  case code:       \
    return #code;
    NAME(CL_SUCCESS)
    NAME(CL_DEVICE_NOT_FOUND)
    NAME(CL_DEVICE_NOT_AVAILABLE)
    NAME(CL_COMPILER_NOT_AVAILABLE)
    NAME(CL_MEM_OBJECT_ALLOCATION_FAILURE)
    NAME(CL_OUT_OF_RESOURCES)
    NAME(CL_OUT_OF_HOST_MEMORY)
    NAME(CL_PROFILING_INFO_NOT_AVAILABLE)
    NAME(CL_MEM_COPY_OVERLAP)
    NAME(CL_IMAGE_FORMAT_MISMATCH)
    NAME(CL_IMAGE_FORMAT_NOT_SUPPORTED)
    NAME(CL_BUILD_PROGRAM_FAILURE)
    NAME(CL_MAP_FAILURE)
    NAME(CL_MISALIGNED_SUB_BUFFER_OFFSET)
    NAME(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
    NAME(CL_COMPILE_PROGRAM_FAILURE)
    NAME(CL_LINKER_NOT_AVAILABLE)
    NAME(CL_LINK_PROGRAM_FAILURE)
    NAME(CL_DEVICE_PARTITION_FAILED)
    NAME(CL_KERNEL_ARG_INFO_NOT_AVAILABLE)
    NAME(CL_INVALID_VALUE)
    NAME(CL_INVALID_DEVICE_TYPE)
    NAME(CL_INVALID_PLATFORM)
    NAME(CL_INVALID_DEVICE)
    NAME(CL_INVALID_CONTEXT)
    NAME(CL_INVALID_QUEUE_PROPERTIES)
    NAME(CL_INVALID_COMMAND_QUEUE)
    NAME(CL_INVALID_HOST_PTR)
    NAME(CL_INVALID_MEM_OBJECT)
    NAME(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR)
    NAME(CL_INVALID_IMAGE_SIZE)
    NAME(CL_INVALID_SAMPLER)
    NAME(CL_INVALID_BINARY)
    NAME(CL_INVALID_BUILD_OPTIONS)
    NAME(CL_INVALID_PROGRAM)
    NAME(CL_INVALID_PROGRAM_EXECUTABLE)
    NAME(CL_INVALID_KERNEL_NAME)
    NAME(CL_INVALID_KERNEL_DEFINITION)
    NAME(CL_INVALID_KERNEL)
    NAME(CL_INVALID_ARG_INDEX)
    NAME(CL_INVALID_ARG_VALUE)
    NAME(CL_INVALID_ARG_SIZE)
    NAME(CL_INVALID_KERNEL_ARGS)
    NAME(CL_INVALID_WORK_DIMENSION)
    NAME(CL_INVALID_WORK_GROUP_SIZE)
    NAME(CL_INVALID_WORK_ITEM_SIZE)
    NAME(CL_INVALID_GLOBAL_OFFSET)
    NAME(CL_INVALID_EVENT_WAIT_LIST)
    NAME(CL_INVALID_EVENT)
    NAME(CL_INVALID_OPERATION)
    NAME(CL_INVALID_GL_OBJECT)
    NAME(CL_INVALID_BUFFER_SIZE)
    NAME(CL_INVALID_MIP_LEVEL)
    NAME(CL_INVALID_GLOBAL_WORK_SIZE)
    NAME(CL_INVALID_PROPERTY)
    NAME(CL_INVALID_IMAGE_DESCRIPTOR)
    NAME(CL_INVALID_COMPILER_OPTIONS)
    NAME(CL_INVALID_LINKER_OPTIONS)
    NAME(CL_INVALID_DEVICE_PARTITION_COUNT)
    NAME(CL_INVALID_PIPE_SIZE)
    NAME(CL_INVALID_DEVICE_QUEUE)
    NAME(CL_INVALID_SPEC_ID)
    NAME(CL_MAX_SIZE_RESTRICTION_EXCEEDED)
#undef NAME
  }
  return std::to_string(code);
}

// Compares error codes by name.
#define CL_EXPECT(code, call) EXPECT_EQ(test::error_name(code), test::error_name(call))
#define CL_OK(call) ASSERT_EQ("CL_SUCCESS", test::error_name(call))

// A handle that the destructor releases.
template <class Handle, cl_int(CL_API_CALL* Release)(Handle)>
class Owned {
 public:
  Owned() = default;
  Owned(Handle handle) : handle_(handle) {}
  Owned(Owned&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Owned() { reset(); }
  operator Handle() const { return handle_; }
  Handle get() const { return handle_; }
  // For functions that return a handle through a pointer.
  Handle* out() {
    reset();
    return &handle_;
  }
  const Handle* list() const { return &handle_; }
  void reset() {
    if (handle_) Release(handle_);
    handle_ = nullptr;
  }

 private:
  Handle handle_ = nullptr;
};
using Context = Owned<cl_context, clReleaseContext>;
using Queue = Owned<cl_command_queue, clReleaseCommandQueue>;
using Buffer = Owned<cl_mem, clReleaseMemObject>;
using Program = Owned<cl_program, clReleaseProgram>;
using Kernel = Owned<cl_kernel, clReleaseKernel>;
using Event = Owned<cl_event, clReleaseEvent>;

// The devices of the platform under test.
inline const std::vector<cl_device_id>& devices() {
  static const std::vector<cl_device_id> found = [] {
    const char* wanted = std::getenv("CLCUDA_TEST_DEVICE");
    if (wanted) setenv("CLCUDA_DEVICES", wanted, 0);
    cl_uint count = 0;
    clGetPlatformIDs(0, nullptr, &count);
    std::vector<cl_platform_id> platforms(count);
    if (count) clGetPlatformIDs(count, platforms.data(), nullptr);
    std::vector<cl_device_id> devices;
    for (cl_platform_id platform : platforms) {
      cl_uint available = 0;
      if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &available) != CL_SUCCESS) continue;
      devices.resize(available);
      clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, available, devices.data(), nullptr);
      break;
    }
    return devices;
  }();
  return found;
}

// Random numbers for the current thread only: in a program with several threads, each one's numbers can be repeated.
//
//   test::RandomEngineOfThread own(seed);
class RandomEngineOfThread {
 public:
  explicit RandomEngineOfThread(std::uint64_t seed) : engine_(seed) { current() = &engine_; }
  ~RandomEngineOfThread() { current() = before_; }
  RandomEngineOfThread(const RandomEngineOfThread&) = delete;
  RandomEngineOfThread& operator=(const RandomEngineOfThread&) = delete;
  static std::mt19937_64*& current() {
    static thread_local std::mt19937_64* engine = nullptr;
    return engine;
  }

 private:
  std::mt19937_64* const before_ = current();
  std::mt19937_64 engine_;
};

// Seeded differently in each run; CLCUDA_TEST_SEED sets the seed.
inline std::mt19937_64& random_engine() {
  if (std::mt19937_64* own = RandomEngineOfThread::current()) return *own;
  static std::mt19937_64 engine = [] {
    const char* wanted = std::getenv("CLCUDA_TEST_SEED");
    const auto seed = wanted ? std::stoul(wanted) : std::random_device{}();
    std::cout << "random seed " << seed << std::endl;
    testing::Test::RecordProperty("random_seed", std::to_string(seed));
    return std::mt19937_64(seed);
  }();
  return engine;
}

template <class T = std::uint8_t>
std::vector<T> random_values(std::size_t count) {
  std::vector<T> values(count);
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    // Uses all bytes of each random number, because the engine is slow under a sanitizer.
    for (std::size_t filled = 0; filled < count * sizeof(T); filled += sizeof(std::uint64_t)) {
      const std::uint64_t word = random_engine()();
      std::memcpy(reinterpret_cast<std::byte*>(values.data()) + filled, &word,
                  std::min(sizeof word, count * sizeof(T) - filled));
    }
  } else {
    for (T& value : values) value = static_cast<T>(random_engine()());
  }
  return values;
}

inline cl_int status_of(cl_event event) {
  cl_int status = CL_INVALID_EVENT;
  clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
  return status;
}

// A context on the device under test, and an in-order queue.
class OpenCL : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_FALSE(devices().empty()) << "no OpenCL device of the kind asked for";
    device = devices().front();
    cl_int error = CL_SUCCESS;
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
    CL_OK(error);
    queue = make_queue(0);
    ASSERT_NE(queue.get(), nullptr);
  }
  // The test releases its objects before the context; commands that it left in the queue are finished here.
  void TearDown() override {
    if (queue) CL_EXPECT(CL_SUCCESS, clFinish(queue));
  }

  Queue make_queue(cl_command_queue_properties properties) const {
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
    cl_int error = CL_SUCCESS;
    Queue made = clCreateCommandQueueWithProperties(context, device, list, &error);
    CL_EXPECT(CL_SUCCESS, error);
    return made;
  }
  Buffer make_buffer(std::size_t size, cl_mem_flags flags = 0, void* host = nullptr) const {
    cl_int error = CL_SUCCESS;
    Buffer made = clCreateBuffer(context, flags, size, host, &error);
    CL_EXPECT(CL_SUCCESS, error);
    return made;
  }
  template <class T>
  Buffer make_buffer(const std::vector<T>& values, cl_mem_flags flags = 0) const {
    return make_buffer(values.size() * sizeof(T), flags | CL_MEM_COPY_HOST_PTR,
                       const_cast<T*>(values.data()));
  }
  Event make_user_event() const {
    cl_int error = CL_SUCCESS;
    Event made = clCreateUserEvent(context, &error);
    CL_EXPECT(CL_SUCCESS, error);
    return made;
  }
  template <class T = std::uint8_t>
  std::vector<T> contents(cl_mem buffer, std::size_t count) const {
    std::vector<T> values(count);
    CL_EXPECT(CL_SUCCESS, clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, count * sizeof(T), values.data(), 0,
                                              nullptr, nullptr));
    return values;
  }
  // Builds a program, or fails the test with its log.
  Program build(const std::string& source, const std::string& options = "-cl-std=CL3.0") const {
    cl_int error = CL_SUCCESS;
    Program program = create_program(context, device, source, options, &error);
    CL_EXPECT(CL_SUCCESS, error);
    if (clBuildProgram(program, 1, &device, options.c_str(), nullptr, nullptr) != CL_SUCCESS) {
      std::size_t size = 0;
      clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
      std::string log(size, '\0');
      clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr);
      ADD_FAILURE() << "the program does not build:\n" << log;
    }
    return program;
  }
  Kernel make_kernel(cl_program program, const char* name) const {
    cl_int error = CL_SUCCESS;
    Kernel made = clCreateKernel(program, name, &error);
    CL_EXPECT(CL_SUCCESS, error);
    return made;
  }
  template <class... Arguments>
  static void set_arguments(cl_kernel kernel, const Arguments&... arguments) {
    cl_uint index = 0;
    (set_argument(kernel, index++, arguments), ...);
  }
  template <class T>
  static void set_argument(cl_kernel kernel, cl_uint index, const T& value) {
    CL_EXPECT(CL_SUCCESS, clSetKernelArg(kernel, index, sizeof value, &value));
  }
  static void set_argument(cl_kernel kernel, cl_uint index, const Buffer& buffer) {
    set_argument(kernel, index, buffer.get());
  }

  cl_device_id device = nullptr;
  Context context;
  Queue queue;
};

}  // namespace test
