// SPDX-License-Identifier: Apache-2.0
#include "world.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <thread>

namespace faults {
namespace {

// The errors that the specification lists for each function and a driver's error can cause, in addition to the two that every function may
// return.
bool may_answer(const std::string& function, cl_int code) {
  using Codes = std::vector<cl_int>;
  constexpr cl_int kMemory = CL_MEM_OBJECT_ALLOCATION_FAILURE,
                   kEvents = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  static const std::map<std::string, Codes> more = {
      {"clGetDeviceIDs", {CL_DEVICE_NOT_FOUND}},
      {"clCreateSubDevices", {CL_DEVICE_PARTITION_FAILED, CL_INVALID_DEVICE_PARTITION_COUNT}},
      {"clCreateContext", {CL_DEVICE_NOT_AVAILABLE}},
      {"clCreateBuffer", {kMemory}},
      {"clCreateBufferWithProperties", {kMemory}},
      {"clCreateSubBuffer", {kMemory}},
      {"clImportMemoryARM", {kMemory, CL_INVALID_OPERATION}},
      {"clCreateImage", {kMemory}},
      {"clCreatePipe", {kMemory}},
      {"clBuildProgram", {CL_BUILD_PROGRAM_FAILURE}},
      {"clCompileProgram", {CL_COMPILE_PROGRAM_FAILURE}},
      {"clLinkProgram", {CL_LINK_PROGRAM_FAILURE}},
      {"clEnqueueReadBuffer", {kMemory, kEvents}},
      {"clEnqueueWriteBuffer", {kMemory, kEvents}},
      {"clEnqueueReadBufferRect", {kMemory, kEvents}},
      {"clEnqueueWriteBufferRect", {kMemory, kEvents}},
      {"clEnqueueCopyBuffer", {kMemory}},
      {"clEnqueueCopyBufferRect", {kMemory}},
      {"clEnqueueFillBuffer", {kMemory}},
      {"clEnqueueMapBuffer", {kMemory, kEvents, CL_MAP_FAILURE}},
      {"clEnqueueReadImage", {kMemory, kEvents}},
      {"clEnqueueWriteImage", {kMemory, kEvents}},
      {"clEnqueueCopyImage", {kMemory}},
      {"clEnqueueFillImage", {kMemory}},
      {"clEnqueueCopyImageToBuffer", {kMemory}},
      {"clEnqueueCopyBufferToImage", {kMemory}},
      {"clEnqueueMapImage", {kMemory, kEvents, CL_MAP_FAILURE}},
      {"clEnqueueMigrateMemObjects", {kMemory}},
      {"clEnqueueNDRangeKernel", {kMemory}},
      {"clEnqueueNativeKernel", {kMemory}},
      {"clEnqueueMemcpyINTEL", {kEvents}},
      {"clEnqueueSVMMemcpy", {kEvents}},
      {"clEnqueueSVMMap", {kEvents}},
      {"clWaitForEvents", {kEvents}},
  };
  if (code == CL_OUT_OF_RESOURCES || code == CL_OUT_OF_HOST_MEMORY) return true;
  const auto found = more.find(function);
  return found != more.end() && std::ranges::count(found->second, code) > 0;
}

}  // namespace

void World::open() {
  cl_platform_id platform = nullptr;
  call("clGetPlatformIDs", clGetPlatformIDs(1, &platform, nullptr));
  cl_uint count = 0;
  call("clGetDeviceIDs", clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count));
  devices_.resize(count);
  call("clGetDeviceIDs", clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, devices_.data(), nullptr));
  const auto notify = [](const char*, const void*, std::size_t, void* told) {
    static_cast<Told*>(told)->of_error = true;
  };
  context_ = make("clCreateContext", clCreateContext, nullptr, count, devices_.data(), notify, &told_);
  const auto gone = [](cl_context, void* told) { static_cast<Told*>(told)->of_end = true; };
  call("clSetContextDestructorCallback", clSetContextDestructorCallback(context_, gone, &told_));
  watched_ = true;
}

World::~World() {
  if (context_ && clReleaseContext(context_) != CL_SUCCESS) complain("a context cannot be released");
  if (watched_ && !context_ends()) {
    complain("something holds the context for ever");
    return;
  }
  verdict_.told = verdict_.told || told_.of_error;
  for (const auto& [what, holds] : last_)
    if (!holds()) wrong_ = what;
  if (!wrong_.empty() && !verdict_.told) complain("wrong, and nobody was told: " + wrong_);
  delete &told_;
}

// Released objects are destroyed when their commands are complete, the context last.
bool World::context_ends() {
  using namespace std::chrono_literals;
  const auto limit = std::chrono::steady_clock::now() + 20s;
  while (!told_.of_end) {
    if (std::chrono::steady_clock::now() > limit) return false;
    std::this_thread::sleep_for(100us);
  }
  return true;
}

void World::complain(const std::string& text) {
  if (!verdict_.complaint.empty()) verdict_.complaint += "; ";
  verdict_.complaint += text;
}

void World::call(const char* function, cl_int code) {
  if (code == CL_SUCCESS) return;
  if (!may_answer(function, code))
    complain(std::string(function) + " answers " + test::error_name(code) +
             ", which is not among its errors");
  verdict_.told = true;
  throw Refused();
}

void World::wait(const std::vector<cl_event>& events) {
  call("clWaitForEvents", clWaitForEvents(static_cast<cl_uint>(events.size()), events.data()));
}

test::Queue World::queue(cl_queue_properties properties, std::size_t device) {
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
  return make("clCreateCommandQueueWithProperties", clCreateCommandQueueWithProperties, context_,
              devices_[device], list);
}

test::Program World::program(const std::string& source, const char* options) {
  const char* text = source.c_str();
  test::Program program =
      make("clCreateProgramWithSource", clCreateProgramWithSource, context_, 1u, &text, nullptr);
  call("clBuildProgram", clBuildProgram(program, 0, nullptr, options, nullptr, nullptr));
  return program;
}

test::Kernel World::kernel(cl_program program, const char* name) {
  return make("clCreateKernel", clCreateKernel, program, name);
}

test::Buffer World::buffer(std::size_t size, cl_mem_flags flags, const void* host) {
  return make("clCreateBuffer", clCreateBuffer, context_, flags | (host ? CL_MEM_COPY_HOST_PTR : 0), size,
              const_cast<void*>(host));
}

}  // namespace faults
