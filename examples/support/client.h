// SPDX-License-Identifier: Apache-2.0
// Shared by the OpenCL programs of this project: handles that are released automatically, errors as exceptions, a selected device. Nothing
// here is specific to clcuda; the programs also run with other implementations.
//
//   client::Session session("gpu");
//   client::Program program = session.build(source, "-DN=4");
//   client::Kernel kernel = session.kernel(program, "scale");
//   client::set_arguments(kernel, buffer, client::Local{1024}, 2.0f);
#pragma once

#include <CL/opencl.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace client {

// Throws std::runtime_error, naming the call, unless `error` is CL_SUCCESS.
void check(cl_int error, const char* call);

template <auto release>
struct Releaser {
  template <typename Object>
  void operator()(Object* object) const {
    release(object);
  }
};
using Context = std::unique_ptr<_cl_context, Releaser<clReleaseContext>>;
using Queue = std::unique_ptr<_cl_command_queue, Releaser<clReleaseCommandQueue>>;
using Buffer = std::unique_ptr<_cl_mem, Releaser<clReleaseMemObject>>;
using Program = std::unique_ptr<_cl_program, Releaser<clReleaseProgram>>;
using Kernel = std::unique_ptr<_cl_kernel, Releaser<clReleaseKernel>>;
using Event = std::unique_ptr<_cl_event, Releaser<clReleaseEvent>>;

// The devices of all platforms that are `wanted`: "gpu", "cpu", or a part of a platform's or device's name;
// empty: all. Throws std::runtime_error if there is none.
std::vector<cl_device_id> devices(std::string_view wanted);

// One device with a context and an in-order queue.
class Session {
 public:
  // The first of devices(wanted).
  explicit Session(std::string_view wanted, cl_command_queue_properties properties = 0);
  explicit Session(cl_device_id device, cl_command_queue_properties properties = 0);

  Program build(std::string_view source, const std::string& options = {}) const;
  // Of a module of SPIR-V.
  Program build_il(std::string_view words, const std::string& options = {}) const;
  Kernel kernel(const Program& program, const char* name) const;
  Buffer buffer(size_t bytes, cl_mem_flags flags = CL_MEM_READ_WRITE) const;

  cl_device_id device() const { return device_; }
  cl_context context() const { return context_.get(); }
  cl_command_queue queue() const { return queue_.get(); }
  std::string platform_name() const;
  std::string device_name() const;
  bool is_gpu() const;

 private:
  void build(const Program& program, const std::string& options) const;

  cl_device_id device_;
  Context context_;
  Queue queue_;
};

// The size of a local argument, in bytes.
struct Local {
  size_t bytes;
};

namespace detail {
inline void set_argument(cl_kernel kernel, cl_uint index, const Buffer& buffer) {
  cl_mem handle = buffer.get();
  check(clSetKernelArg(kernel, index, sizeof handle, &handle), "clSetKernelArg");
}
inline void set_argument(cl_kernel kernel, cl_uint index, Local local) {
  check(clSetKernelArg(kernel, index, local.bytes, nullptr), "clSetKernelArg");
}
template <typename Value>
void set_argument(cl_kernel kernel, cl_uint index, const Value& value) {
  check(clSetKernelArg(kernel, index, sizeof value, &value), "clSetKernelArg");
}
}  // namespace detail

template <typename... Arguments>
void set_arguments(const Kernel& kernel, const Arguments&... arguments) {
  cl_uint index = 0;
  (detail::set_argument(kernel.get(), index++, arguments), ...);
}

}  // namespace client
