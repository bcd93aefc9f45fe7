// SPDX-License-Identifier: Apache-2.0
#include "support/client.h"

#include <stdexcept>
#include <utility>
#include <vector>

namespace client {
namespace {

std::string trimmed(std::vector<char> text) {
  return std::string(text.data());  // ends at the null terminator, which the size includes
}

std::string platform_text(cl_platform_id platform, cl_platform_info what) {
  size_t size = 0;
  check(clGetPlatformInfo(platform, what, 0, nullptr, &size), "clGetPlatformInfo");
  std::vector<char> text(size + 1);
  check(clGetPlatformInfo(platform, what, size, text.data(), nullptr), "clGetPlatformInfo");
  return trimmed(std::move(text));
}

std::string device_text(cl_device_id device, cl_device_info what) {
  size_t size = 0;
  check(clGetDeviceInfo(device, what, 0, nullptr, &size), "clGetDeviceInfo");
  std::vector<char> text(size + 1);
  check(clGetDeviceInfo(device, what, size, text.data(), nullptr), "clGetDeviceInfo");
  return trimmed(std::move(text));
}

cl_device_type type_of(cl_device_id device) {
  cl_device_type type = 0;
  check(clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, nullptr), "clGetDeviceInfo");
  return type;
}

cl_platform_id platform_of(cl_device_id device) {
  cl_platform_id platform = nullptr;
  check(clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr), "clGetDeviceInfo");
  return platform;
}

std::vector<cl_device_id> all_devices() {
  cl_uint platform_count = 0;
  check(clGetPlatformIDs(0, nullptr, &platform_count), "clGetPlatformIDs");
  std::vector<cl_platform_id> platforms(platform_count);
  check(clGetPlatformIDs(platform_count, platforms.data(), nullptr), "clGetPlatformIDs");
  std::vector<cl_device_id> devices;
  for (cl_platform_id platform : platforms) {
    cl_uint count = 0;
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS) continue;
    std::vector<cl_device_id> found(count);
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, found.data(), nullptr), "clGetDeviceIDs");
    devices.insert(devices.end(), found.begin(), found.end());
  }
  return devices;
}

bool matches(cl_device_id device, std::string_view wanted) {
  if (wanted == "gpu") return (type_of(device) & CL_DEVICE_TYPE_GPU) != 0;
  if (wanted == "cpu") return (type_of(device) & CL_DEVICE_TYPE_CPU) != 0;
  return device_text(device, CL_DEVICE_NAME).find(wanted) != std::string::npos ||
         platform_text(platform_of(device), CL_PLATFORM_NAME).find(wanted) != std::string::npos;
}

}  // namespace

void check(cl_int error, const char* call) {
  if (error != CL_SUCCESS) throw std::runtime_error(std::string(call) + ": error " + std::to_string(error));
}

std::vector<cl_device_id> devices(std::string_view wanted) {
  std::vector<cl_device_id> found = all_devices();
  std::erase_if(found, [wanted](cl_device_id device) { return !matches(device, wanted); });
  if (found.empty())
    throw std::runtime_error("there is no OpenCL device" +
                             (wanted.empty() ? "" : " '" + std::string(wanted) + "'"));
  return found;
}

Session::Session(std::string_view wanted, cl_command_queue_properties properties)
    : Session(devices(wanted).front(), properties) {}

Session::Session(cl_device_id device, cl_command_queue_properties properties) : device_(device) {
  cl_int error = CL_SUCCESS;
  context_.reset(clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &error));
  check(error, "clCreateContext");
  queue_.reset(clCreateCommandQueue(context(), device_, properties, &error));
  check(error, "clCreateCommandQueue");
}

Program Session::build(std::string_view source, const std::string& options) const {
  cl_int error = CL_SUCCESS;
  const char* text = source.data();
  const size_t length = source.size();
  Program program(clCreateProgramWithSource(context(), 1, &text, &length, &error));
  check(error, "clCreateProgramWithSource");
  build(program, options);
  return program;
}

Program Session::build_il(std::string_view words, const std::string& options) const {
  cl_int error = CL_SUCCESS;
  Program program(clCreateProgramWithIL(context(), words.data(), words.size(), &error));
  check(error, "clCreateProgramWithIL");
  build(program, options);
  return program;
}

void Session::build(const Program& program, const std::string& options) const {
  const cl_int error = clBuildProgram(program.get(), 1, &device_, options.c_str(), nullptr, nullptr);
  if (error == CL_BUILD_PROGRAM_FAILURE) {
    size_t size = 0;
    clGetProgramBuildInfo(program.get(), device_, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
    std::vector<char> log(size + 1);
    clGetProgramBuildInfo(program.get(), device_, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr);
    throw std::runtime_error("clBuildProgram:\n" + trimmed(std::move(log)));
  }
  check(error, "clBuildProgram");
}

Kernel Session::kernel(const Program& program, const char* name) const {
  cl_int error = CL_SUCCESS;
  Kernel kernel(clCreateKernel(program.get(), name, &error));
  check(error, "clCreateKernel");
  return kernel;
}

Buffer Session::buffer(size_t bytes, cl_mem_flags flags) const {
  cl_int error = CL_SUCCESS;
  Buffer buffer(clCreateBuffer(context(), flags, bytes, nullptr, &error));
  check(error, "clCreateBuffer");
  return buffer;
}

std::string Session::platform_name() const { return platform_text(platform_of(device_), CL_PLATFORM_NAME); }
std::string Session::device_name() const { return device_text(device_, CL_DEVICE_NAME); }
bool Session::is_gpu() const { return (type_of(device_) & CL_DEVICE_TYPE_GPU) != 0; }

}  // namespace client
