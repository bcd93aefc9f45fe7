// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of cl_clcuda_cuda_interop: the extension's functions, and the driver functions that it returns.
#pragma once

#include <CL/cl_clcuda.h>
#include <CL/cl_ext.h>
#include <cuda.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include "support/wait_list.h"

namespace test {

#define CUDA_OK(call) ASSERT_EQ(CUDA_SUCCESS, call)
#define CUDA_EXPECT(code, call) EXPECT_EQ(code, call)

inline constexpr std::size_t kWords = 1 << 16, kBytes = kWords * sizeof(cl_uint);
inline constexpr char kSource[] =
    "kernel void add(global uint* p, uint v) { p[get_global_id(0)] += v; }\n"
    "kernel void sum(read_only image2d_t image, global uint* out) {\n"
    "  int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "  out[at.y * get_global_size(0) + at.x] = read_imageui(image, at).x;\n"
    "}\n"
    "kernel void hold(global atomic_int* opened) {\n"
    "  while (!atomic_load_explicit(opened, memory_order_acquire, memory_scope_all_svm_devices));\n"
    "}\n";

class CudaInterop : public WaitListTest {
 protected:
  void SetUp() override {
    WaitListTest::SetUp();
    if (HasFatalFailure()) return;
    cl_platform_id platform = nullptr;
    CL_OK(clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr));
#define FIND(member, name) \
  member = reinterpret_cast<name##_fn>(clGetExtensionFunctionAddressForPlatform(platform, #name))
    FIND(function, clGetCudaFunctionCLCUDA);
    FIND(acquire, clEnqueueAcquireCudaObjectsCLCUDA);
    FIND(release, clEnqueueReleaseCudaObjectsCLCUDA);
    FIND(wait_for_cuda, clEnqueueWaitForCudaEventCLCUDA);
    FIND(hold_back, clCudaStreamWaitForEventsCLCUDA);
    FIND(pointer_of, clGetMemObjectCudaPointerCLCUDA);
    FIND(array_of, clGetImageCudaArrayCLCUDA);
#undef FIND
    if (!function) GTEST_SKIP() << "not offered";
#define DRIVER(name)                                                          \
  driver.name = reinterpret_cast<decltype(&::name)>(function(device, #name)); \
  ASSERT_NE(driver.name, nullptr)
    DRIVER(cuCtxGetCurrent);
    DRIVER(cuCtxSetCurrent);
    DRIVER(cuStreamCreateWithPriority);
    DRIVER(cuStreamDestroy);
    DRIVER(cuStreamQuery);
    DRIVER(cuStreamSynchronize);
    DRIVER(cuLaunchHostFunc);
    DRIVER(cuEventCreate);
    DRIVER(cuEventDestroy);
    DRIVER(cuEventRecord);
    DRIVER(cuEventQuery);
    DRIVER(cuMemAlloc);
    DRIVER(cuMemFree);
    DRIVER(cuMemcpyDtoDAsync);
    DRIVER(cuMemcpyDtoHAsync);
    DRIVER(cuMemcpyHtoDAsync);
    DRIVER(cuMemcpy3DAsync);
    DRIVER(cuMemsetD32Async);
    DRIVER(cuArray3DCreate);
    DRIVER(cuArrayDestroy);
#undef DRIVER
    CL_OK(clGetDeviceInfo(device, CL_DEVICE_CUDA_CONTEXT_CLCUDA, sizeof primary, &primary, nullptr));
    CUDA_OK(driver.cuCtxSetCurrent(primary));
    CUDA_OK(driver.cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, 0));
    program = build(kSource);
    add = make_kernel(program, "add");
    opened = static_cast<cl_int*>(clSVMAlloc(
        context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS, sizeof(cl_int), 0));
  }
  void TearDown() override {
    if (stream) {
      CUDA_EXPECT(CUDA_SUCCESS, driver.cuStreamSynchronize(stream));
      CUDA_EXPECT(CUDA_SUCCESS, driver.cuStreamDestroy(stream));
      CUDA_EXPECT(CUDA_SUCCESS, driver.cuCtxSetCurrent(nullptr));
    }
    if (opened) {
      open_gate();
      clFinish(queue);
      clSVMFree(context, opened);
    }
  }

  // Of an in-order queue.
  static CUstream stream_of(cl_command_queue where) {
    CUstream own = nullptr;
    CL_EXPECT(CL_SUCCESS, clGetCommandQueueInfo(where, CL_QUEUE_CUDA_STREAM_CLCUDA, sizeof(CUstream),
                                                static_cast<void*>(&own), nullptr));
    EXPECT_NE(own, nullptr);
    return own;
  }
  // Adds `value` to each word of the buffer.
  void launch_add(cl_mem buffer, cl_uint value, cl_command_queue where) const {
    set_arguments(add, buffer, value);
    const std::size_t items = kWords;
    CL_EXPECT(CL_SUCCESS,
              clEnqueueNDRangeKernel(where, add, 1, nullptr, &items, nullptr, 0, nullptr, nullptr));
  }
  // Commands that are enqueued after this stay in flight until the gate is opened.
  bool close_gate(cl_command_queue where) {
    if (!opened) return false;
    __atomic_store_n(opened, 0, __ATOMIC_RELEASE);
    hold = make_kernel(program, "hold");
    CL_EXPECT(CL_SUCCESS, clSetKernelArgSVMPointer(hold, 0, opened));
    const std::size_t one = 1;
    CL_EXPECT(CL_SUCCESS,
              clEnqueueNDRangeKernel(where, hold, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
    return true;
  }
  void open_gate() const { __atomic_store_n(opened, 1, __ATOMIC_RELEASE); }
  CUdeviceptr pointer(cl_mem buffer, cl_device_id where = nullptr) const {
    unsigned long long found = 0;
    CL_EXPECT(CL_SUCCESS, pointer_of(buffer, where ? where : device, &found));
    EXPECT_NE(found, 0u);
    return found;
  }
  Buffer make(std::size_t size) const {
    cl_int error = 1;
    Buffer made = clCreateBuffer(context, CL_MEM_READ_WRITE, size, nullptr, &error);
    CL_EXPECT(CL_SUCCESS, error);
    return made;
  }
  Buffer wrap(CUdeviceptr memory, std::size_t size, cl_mem_flags flags = CL_MEM_READ_WRITE) const {
    const cl_mem_properties properties[] = {CL_MEM_CUDA_POINTER_CLCUDA, memory, 0};
    cl_int error = 1;
    Buffer made = clCreateBufferWithProperties(context, properties, flags, size, nullptr, &error);
    CL_EXPECT(CL_SUCCESS, error);
    return made;
  }
  void refuses(cl_int code, const cl_mem_properties* properties, std::size_t size, cl_mem_flags flags = 0,
               void* host = nullptr) const {
    cl_int error = 1;
    EXPECT_EQ(nullptr, clCreateBufferWithProperties(context, properties, flags, size, host, &error));
    CL_EXPECT(code, error);
  }

  struct Driver {
    decltype(&::cuCtxGetCurrent) cuCtxGetCurrent;
    decltype(&::cuCtxSetCurrent) cuCtxSetCurrent;
    decltype(&::cuStreamCreateWithPriority) cuStreamCreateWithPriority;
    decltype(&::cuStreamDestroy) cuStreamDestroy;
    decltype(&::cuStreamQuery) cuStreamQuery;
    decltype(&::cuStreamSynchronize) cuStreamSynchronize;
    decltype(&::cuLaunchHostFunc) cuLaunchHostFunc;
    decltype(&::cuEventCreate) cuEventCreate;
    decltype(&::cuEventDestroy) cuEventDestroy;
    decltype(&::cuEventRecord) cuEventRecord;
    decltype(&::cuEventQuery) cuEventQuery;
    decltype(&::cuMemAlloc) cuMemAlloc;
    decltype(&::cuMemFree) cuMemFree;
    decltype(&::cuMemcpyDtoDAsync) cuMemcpyDtoDAsync;
    decltype(&::cuMemcpyDtoHAsync) cuMemcpyDtoHAsync;
    decltype(&::cuMemcpyHtoDAsync) cuMemcpyHtoDAsync;
    decltype(&::cuMemcpy3DAsync) cuMemcpy3DAsync;
    decltype(&::cuMemsetD32Async) cuMemsetD32Async;
    decltype(&::cuArray3DCreate) cuArray3DCreate;
    decltype(&::cuArrayDestroy) cuArrayDestroy;
  } driver{};
  clGetCudaFunctionCLCUDA_fn function = nullptr;
  clEnqueueAcquireCudaObjectsCLCUDA_fn acquire = nullptr;
  clEnqueueReleaseCudaObjectsCLCUDA_fn release = nullptr;
  clEnqueueWaitForCudaEventCLCUDA_fn wait_for_cuda = nullptr;
  clCudaStreamWaitForEventsCLCUDA_fn hold_back = nullptr;
  clGetMemObjectCudaPointerCLCUDA_fn pointer_of = nullptr;
  clGetImageCudaArrayCLCUDA_fn array_of = nullptr;
  CUcontext primary = nullptr;
  CUstream stream = nullptr;
  Program program;
  Kernel add, hold;
  cl_int* opened = nullptr;  // null if the device has no such memory
};

// Device memory that the application allocates with CUDA.
class CudaMemory {
 public:
  CudaMemory(decltype(&::cuMemAlloc) allocate, decltype(&::cuMemFree) free, std::size_t size) : free_(free) {
    CUDA_EXPECT(CUDA_SUCCESS, allocate(&address_, size));
  }
  ~CudaMemory() { CUDA_EXPECT(CUDA_SUCCESS, free_(address_)); }
  CudaMemory(const CudaMemory&) = delete;
  CudaMemory& operator=(const CudaMemory&) = delete;
  operator CUdeviceptr() const { return address_; }

 private:
  decltype(&::cuMemFree) free_;
  CUdeviceptr address_ = 0;
};

// Work of CUDA's in a stream that does not end until it is told to, or this object is gone.
class LateWork {
 public:
  LateWork(decltype(&::cuLaunchHostFunc) launch, CUstream stream) {
    auto copy = std::make_unique<std::shared_ptr<std::atomic<bool>>>(ends_);
    CUDA_EXPECT(CUDA_SUCCESS, launch(stream, wait, copy.get()));
    (void)copy.release();
  }
  ~LateWork() { end(); }
  LateWork(const LateWork&) = delete;
  LateWork& operator=(const LateWork&) = delete;
  void end() { *ends_ = true; }
  bool has_been_ended() const { return *ends_; }

 private:
  static void CUDA_CB wait(void* copy) {
    const std::unique_ptr<std::shared_ptr<std::atomic<bool>>> ends(
        static_cast<std::shared_ptr<std::atomic<bool>>*>(copy));
    while (!**ends) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  const std::shared_ptr<std::atomic<bool>> ends_ = std::make_shared<std::atomic<bool>>(false);
};

inline std::vector<cl_uint> plus(std::vector<cl_uint> values, cl_uint value) {
  for (cl_uint& one : values) one += value;
  return values;
}

}  // namespace test
