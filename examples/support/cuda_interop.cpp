// SPDX-License-Identifier: Apache-2.0
#include "support/cuda_interop.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace client {
namespace {

template <typename Function>
void find(cl_device_id device, const char* name, Function& function) {
  cl_platform_id platform = nullptr;
  check(clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof(cl_platform_id), static_cast<void*>(&platform),
                        nullptr),
        "clGetDeviceInfo");
  function = reinterpret_cast<Function>(clGetExtensionFunctionAddressForPlatform(platform, name));
  if (!function) throw std::runtime_error(std::string("the platform has no ") + name);
}

std::vector<cl_mem> objects_of(const std::vector<CudaUse>& uses) {
  std::vector<cl_mem> objects(uses.size());
  std::ranges::transform(uses, objects.begin(), &CudaUse::object);
  return objects;
}

}  // namespace

bool CudaInterop::supported(cl_device_id device) {
  size_t size = 0;
  check(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, 0, nullptr, &size), "clGetDeviceInfo");
  std::string names(size, '\0');
  check(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, size, names.data(), nullptr), "clGetDeviceInfo");
  return names.find(CL_CLCUDA_CUDA_INTEROP_EXTENSION_NAME) != std::string::npos;
}

CudaInterop::CudaInterop(cl_device_id device) : device_(device) {
  if (!supported(device)) throw std::runtime_error("the OpenCL device has no cl_clcuda_cuda_interop");
  find(device, "clGetCudaFunctionCLCUDA", function_);
  find(device, "clEnqueueAcquireCudaObjectsCLCUDA", acquire_);
  find(device, "clEnqueueReleaseCudaObjectsCLCUDA", release_);
  find(device, "clGetMemObjectCudaPointerCLCUDA", pointer_);
}

void CudaInterop::acquire(cl_command_queue queue, const std::vector<CudaUse>& uses, CUstream_st* stream,
                          const Event& after) const {
  const std::vector<cl_mem> objects = objects_of(uses);
  std::vector<cl_mem_flags> accesses(uses.size());
  std::ranges::transform(uses, accesses.begin(), &CudaUse::access);
  const cl_event event = after.get();
  check(acquire_(queue, static_cast<cl_uint>(objects.size()), objects.data(), accesses.data(), stream,
                 event ? 1 : 0, event ? &event : nullptr),
        "clEnqueueAcquireCudaObjectsCLCUDA");
}

void CudaInterop::release(cl_command_queue queue, const std::vector<CudaUse>& uses, CUstream_st* stream,
                          cl_event* event) const {
  const std::vector<cl_mem> objects = objects_of(uses);
  check(release_(queue, static_cast<cl_uint>(objects.size()), objects.data(), stream, 0, nullptr, event),
        "clEnqueueReleaseCudaObjectsCLCUDA");
}

Event CudaInterop::release(cl_command_queue queue, const std::vector<CudaUse>& uses,
                           CUstream_st* stream) const {
  cl_event event = nullptr;
  release(queue, uses, stream, &event);
  return Event(event);
}

void CudaInterop::release_without_event(cl_command_queue queue, const std::vector<CudaUse>& uses,
                                        CUstream_st* stream) const {
  release(queue, uses, stream, nullptr);
}

void* CudaInterop::pointer(const Buffer& buffer) const {
  unsigned long long address = 0;
  check(pointer_(buffer.get(), device_, &address), "clGetMemObjectCudaPointerCLCUDA");
  return reinterpret_cast<void*>(address);
}

CUstream_st* CudaInterop::stream(cl_command_queue queue) {
  CUstream_st* stream = nullptr;
  check(clGetCommandQueueInfo(queue, CL_QUEUE_CUDA_STREAM_CLCUDA, sizeof(CUstream_st*),
                              static_cast<void*>(&stream), nullptr),
        "clGetCommandQueueInfo");
  return stream;
}

int CudaInterop::ordinal() const {
  int number = 0;
  check(clGetDeviceInfo(device_, CL_DEVICE_CUDA_DEVICE_CLCUDA, sizeof number, &number, nullptr),
        "clGetDeviceInfo");
  return number;
}

void CudaInterop::make_current() const {
  void* context = nullptr;
  check(clGetDeviceInfo(device_, CL_DEVICE_CUDA_CONTEXT_CLCUDA, sizeof(void*), static_cast<void*>(&context),
                        nullptr),
        "clGetDeviceInfo");
  const auto set_current = reinterpret_cast<int (*)(void*)>(function_(device_, "cuCtxSetCurrent"));
  if (!set_current || set_current(context) != 0) throw std::runtime_error("cuCtxSetCurrent failed");
}

}  // namespace client
