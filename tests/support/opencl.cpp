// SPDX-License-Identifier: Apache-2.0
#include "opencl.h"

#include <cstdlib>
#include <string>
#include <vector>

#include "program_as_il.h"

namespace test {

std::string error_name(cl_int code) {
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

testing::AssertionResult same_error(const char* wanted_text, const char* call_text, cl_int wanted,
                                    cl_int got) {
  if (wanted == got) return testing::AssertionSuccess();
  return testing::AssertionFailure() << call_text << "\n  returns " << error_name(got)
                                     << "\n  expected: " << error_name(wanted) << " (" << wanted_text << ")";
}

const std::vector<cl_device_id>& devices() {
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

cl_int status_of(cl_event event) {
  cl_int status = CL_INVALID_EVENT;
  clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
  return status;
}

void OpenCL::SetUp() {
  ASSERT_FALSE(devices().empty()) << "no OpenCL device of the kind asked for";
  device = devices().front();
  cl_int error = CL_SUCCESS;
  context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  CL_OK(error);
  queue = make_queue(0);
  ASSERT_NE(queue.get(), nullptr);
}

void OpenCL::TearDown() {
  if (queue) CL_EXPECT(CL_SUCCESS, clFinish(queue));
}

Queue OpenCL::make_queue(cl_command_queue_properties properties) const {
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
  cl_int error = CL_SUCCESS;
  Queue made = clCreateCommandQueueWithProperties(context, device, list, &error);
  CL_EXPECT(CL_SUCCESS, error);
  return made;
}

Buffer OpenCL::make_buffer(std::size_t size, cl_mem_flags flags, void* host) const {
  cl_int error = CL_SUCCESS;
  Buffer made = clCreateBuffer(context, flags, size, host, &error);
  CL_EXPECT(CL_SUCCESS, error);
  return made;
}

Event OpenCL::make_user_event() const {
  cl_int error = CL_SUCCESS;
  Event made = clCreateUserEvent(context, &error);
  CL_EXPECT(CL_SUCCESS, error);
  return made;
}

void OpenCL::read_buffer(cl_mem buffer, std::size_t size, void* to) const {
  CL_EXPECT(CL_SUCCESS, clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, size, to, 0, nullptr, nullptr));
}

Program OpenCL::build(const std::string& source, const std::string& options) const {
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

Kernel OpenCL::make_kernel(cl_program program, const char* name) const {
  cl_int error = CL_SUCCESS;
  Kernel made = clCreateKernel(program, name, &error);
  CL_EXPECT(CL_SUCCESS, error);
  return made;
}

void OpenCL::set_argument(cl_kernel kernel, cl_uint index, std::size_t size, const void* value) {
  CL_EXPECT(CL_SUCCESS, clSetKernelArg(kernel, index, size, value));
}

}  // namespace test
