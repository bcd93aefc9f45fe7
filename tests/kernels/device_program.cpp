// SPDX-License-Identifier: Apache-2.0
#include "device_program.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "support/program_as_il.h"

namespace clcuda::test {
namespace {

void require(cl_int code, const char* what) {
  if (code != CL_SUCCESS) throw std::runtime_error(std::string(what) + ": " + std::to_string(code));
}

struct Session {
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;

  Session() {
    cl_platform_id platform = nullptr;
    cl_int error = CL_SUCCESS;
    require(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
    require(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "clGetDeviceIDs");
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
    require(error, "clCreateContext");
    queue = clCreateCommandQueueWithProperties(context, device, nullptr, &error);
    require(error, "clCreateCommandQueueWithProperties");
  }
  ~Session() {
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
  }
};

Session& session() {
  static Session the_session;
  return the_session;
}

bool has_name(cl_device_info info, const std::string& name) {
  std::size_t size = 0;
  require(clGetDeviceInfo(session().device, info, 0, nullptr, &size), "clGetDeviceInfo");
  std::vector<cl_name_version> entries(size / sizeof(cl_name_version));
  require(clGetDeviceInfo(session().device, info, size, entries.data(), nullptr), "clGetDeviceInfo");
  return std::any_of(entries.begin(), entries.end(),
                     [&](const cl_name_version& entry) { return name == entry.name; });
}

}  // namespace

bool device_has_extension(const std::string& name) {
  return has_name(CL_DEVICE_EXTENSIONS_WITH_VERSION, name);
}
bool device_has_feature(const std::string& name) { return has_name(CL_DEVICE_OPENCL_C_FEATURES, name); }

bool device_has_non_uniform_work_groups() {
  cl_bool supported = CL_FALSE;
  require(clGetDeviceInfo(session().device, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, sizeof supported,
                          &supported, nullptr),
          "clGetDeviceInfo");
  return supported == CL_TRUE;
}

bool device_is_gpu() {
  cl_device_type type = 0;
  require(clGetDeviceInfo(session().device, CL_DEVICE_TYPE, sizeof type, &type, nullptr), "clGetDeviceInfo");
  return type & CL_DEVICE_TYPE_GPU;
}

std::array<std::size_t, 3> Range::group_size(const std::array<std::size_t, 3>& group) const {
  std::array<std::size_t, 3> size{};
  for (int d = 0; d < 3; ++d) size[d] = std::min(local[d], global[d] - group[d] * local[d]);
  return size;
}

std::string Range::text() const {
  std::string words = "global";
  for (cl_uint d = 0; d < dimensions; ++d) words += ' ' + std::to_string(global[d]);
  words += " local";
  for (cl_uint d = 0; d < dimensions; ++d) words += ' ' + std::to_string(local[d]);
  return words;
}

DeviceProgram::DeviceProgram(const std::string& source, const std::string& options) {
  cl_int error = CL_SUCCESS;
  program_ = ::test::create_program(session().context, session().device, source, options, &error);
  require(error, "creating the program");
  error = clBuildProgram(program_, 1, &session().device, options.c_str(), nullptr, nullptr);
  if (error == CL_SUCCESS) return;
  std::size_t size = 0;
  clGetProgramBuildInfo(program_, session().device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
  std::string log(size, '\0');
  clGetProgramBuildInfo(program_, session().device, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr);
  clReleaseProgram(program_);
  throw std::runtime_error("clBuildProgram: " + log);
}

DeviceProgram::~DeviceProgram() { clReleaseProgram(program_); }

void DeviceProgram::run(const char* name, const Range& range, std::initializer_list<Argument> arguments) {
  cl_int error = CL_SUCCESS;
  cl_kernel kernel = clCreateKernel(program_, name, &error);
  require(error, "clCreateKernel");
  std::vector<cl_mem> buffers;
  for (const Argument& argument : arguments) {
    buffers.push_back(clCreateBuffer(session().context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                     argument.size, argument.data, &error));
    require(error, "clCreateBuffer");
    const auto index = static_cast<cl_uint>(buffers.size() - 1);
    require(clSetKernelArg(kernel, index, sizeof(cl_mem), &buffers.back()), "clSetKernelArg");
  }
  require(clEnqueueNDRangeKernel(session().queue, kernel, range.dimensions, nullptr, range.global.data(),
                                 range.local.data(), 0, nullptr, nullptr),
          "clEnqueueNDRangeKernel");
  auto buffer = buffers.begin();
  for (const Argument& argument : arguments) {
    require(clEnqueueReadBuffer(session().queue, *buffer, CL_TRUE, 0, argument.size, argument.data, 0,
                                nullptr, nullptr),
            "clEnqueueReadBuffer");
    clReleaseMemObject(*buffer++);
  }
  clReleaseKernel(kernel);
}

}  // namespace clcuda::test
