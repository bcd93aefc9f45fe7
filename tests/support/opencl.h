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

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "random.h"

namespace test {

std::string error_name(cl_int code);
// Compares error codes by name, for the macros below.
testing::AssertionResult same_error(const char* wanted_text, const char* call_text, cl_int wanted,
                                    cl_int got);

// Compares error codes by name.
#define CL_EXPECT(code, call) EXPECT_PRED_FORMAT2(test::same_error, code, call)
#define CL_OK(call) ASSERT_PRED_FORMAT2(test::same_error, CL_SUCCESS, call)

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
const std::vector<cl_device_id>& devices();

cl_int status_of(cl_event event);

// A context on the device under test, and an in-order queue.
class OpenCL : public testing::Test {
 protected:
  void SetUp() override;
  // The test releases its objects before the context; commands that it left in the queue are finished here.
  void TearDown() override;

  Queue make_queue(cl_command_queue_properties properties) const;
  Buffer make_buffer(std::size_t size, cl_mem_flags flags = 0, void* host = nullptr) const;
  template <class T>
  Buffer make_buffer(const std::vector<T>& values, cl_mem_flags flags = 0) const {
    return make_buffer(values.size() * sizeof(T), flags | CL_MEM_COPY_HOST_PTR,
                       const_cast<T*>(values.data()));
  }
  Event make_user_event() const;
  template <class T = std::uint8_t>
  std::vector<T> contents(cl_mem buffer, std::size_t count) const {
    std::vector<T> values(count);
    read_buffer(buffer, count * sizeof(T), values.data());
    return values;
  }
  // Builds a program, or fails the test with its log.
  Program build(const std::string& source, const std::string& options = "-cl-std=CL3.0") const;
  Kernel make_kernel(cl_program program, const char* name) const;
  template <class... Arguments>
  static void set_arguments(cl_kernel kernel, const Arguments&... arguments) {
    cl_uint index = 0;
    (set_argument(kernel, index++, arguments), ...);
  }
  template <class T>
  static void set_argument(cl_kernel kernel, cl_uint index, const T& value) {
    set_argument(kernel, index, sizeof value, &value);
  }
  static void set_argument(cl_kernel kernel, cl_uint index, const Buffer& buffer) {
    set_argument(kernel, index, buffer.get());
  }

  cl_device_id device = nullptr;
  Context context;
  Queue queue;

 private:
  void read_buffer(cl_mem buffer, std::size_t size, void* to) const;
  static void set_argument(cl_kernel kernel, cl_uint index, std::size_t size, const void* value);
};

}  // namespace test
