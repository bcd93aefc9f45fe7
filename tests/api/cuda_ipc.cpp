// SPDX-License-Identifier: Apache-2.0
// cl_clcuda_cuda_interop: a buffer in device memory that another process shares (cuIpcOpenMemHandle). Needs a GPU: memory of the CPU device
// is private to its process.
#include <CL/cl_clcuda.h>
#include <cuda.h>
#include <dlfcn.h>

#include <cstdio>

#include "support/opencl.h"
#include "support/own_process.h"

namespace {

#define CUDA_OK(call) ASSERT_EQ(CUDA_SUCCESS, call)

constexpr std::size_t kWords = 1 << 16, kBytes = kWords * sizeof(cl_uint);
constexpr char kHandle[] =
    "CLCUDA_TEST_IPC_HANDLE";  // in the environment of the second process, in hexadecimal digits

// The driver's IPC functions, which the library does not use.
struct Driver {
  template <class Function>
  static Function* find(const char* name) {
    static void* const library = dlopen("libcuda.so.1", RTLD_NOW);
    return library ? reinterpret_cast<Function*>(dlsym(library, name)) : nullptr;
  }
  decltype(&::cuCtxSetCurrent) set_current = find<decltype(::cuCtxSetCurrent)>("cuCtxSetCurrent");
  decltype(&::cuMemAlloc) allocate = find<decltype(::cuMemAlloc)>("cuMemAlloc_v2");
  decltype(&::cuMemFree) free = find<decltype(::cuMemFree)>("cuMemFree_v2");
  decltype(&::cuIpcGetMemHandle) get_handle = find<decltype(::cuIpcGetMemHandle)>("cuIpcGetMemHandle");
  decltype(&::cuIpcOpenMemHandle) open_handle = find<decltype(::cuIpcOpenMemHandle)>("cuIpcOpenMemHandle_v2");
  decltype(&::cuIpcCloseMemHandle) close_handle =
      find<decltype(::cuIpcCloseMemHandle)>("cuIpcCloseMemHandle");
};

class CudaIpc : public test::OpenCL {
 protected:
  void SetUp() override {
    OpenCL::SetUp();
    if (HasFatalFailure()) return;
    cl_device_type type = 0;
    CL_OK(clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, nullptr));
    if (!(type & CL_DEVICE_TYPE_GPU)) GTEST_SKIP() << "memory of one process";
    CUcontext primary = nullptr;
    CL_OK(clGetDeviceInfo(device, CL_DEVICE_CUDA_CONTEXT_CLCUDA, sizeof primary, &primary, nullptr));
    CUDA_OK(driver.set_current(primary));
    program = build("kernel void add(global uint* p, uint v) { p[get_global_id(0)] += v; }\n");
    add = make_kernel(program, "add");
  }
  test::Buffer wrap(CUdeviceptr memory, std::size_t size) const {
    const cl_mem_properties properties[] = {CL_MEM_CUDA_POINTER_CLCUDA, memory, 0};
    cl_int error = 1;
    test::Buffer made = clCreateBufferWithProperties(context, properties, 0, size, nullptr, &error);
    CL_EXPECT(CL_SUCCESS, error);
    return made;
  }
  void launch_add(cl_mem buffer, cl_uint value) const {
    set_arguments(add, buffer, value);
    const std::size_t items = kWords;
    CL_OK(clEnqueueNDRangeKernel(queue, add, 1, nullptr, &items, nullptr, 0, nullptr, nullptr));
  }

  const Driver driver;
  test::Program program;
  test::Kernel add;
};

// The second process checks what the first one has written, and adds to it.
TEST_F(CudaIpc, DISABLED_SecondProcess) {
  const char* digits = std::getenv(kHandle);
  ASSERT_NE(digits, nullptr);
  CUipcMemHandle handle{};
  for (std::size_t i = 0; i < sizeof handle.reserved; ++i) {
    unsigned byte = 0;
    ASSERT_EQ(1, std::sscanf(digits + 2 * i, "%2x", &byte));
    handle.reserved[i] = static_cast<char>(byte);
  }
  CUdeviceptr memory = 0;
  CUDA_OK(driver.open_handle(&memory, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
  {
    const test::Buffer buffer = wrap(memory, kBytes);
    EXPECT_EQ(contents<cl_uint>(buffer, kWords), std::vector<cl_uint>(kWords, 40));
    launch_add(buffer, 2);
    CL_OK(clFinish(queue));
    // A buffer that exceeds the exported memory is rejected.
    const cl_mem_properties properties[] = {CL_MEM_CUDA_POINTER_CLCUDA, memory, 0};
    cl_int error = 1;
    EXPECT_EQ(nullptr,
              clCreateBufferWithProperties(context, properties, 0, kBytes + (4 << 20), nullptr, &error));
    CL_EXPECT(CL_INVALID_BUFFER_SIZE, error);
  }
  CUDA_OK(driver.close_handle(memory));
  const cl_mem_properties closed[] = {CL_MEM_CUDA_POINTER_CLCUDA, memory, 0};
  cl_int error = 1;
  EXPECT_EQ(nullptr, clCreateBufferWithProperties(context, closed, 0, kBytes, nullptr, &error));
  CL_EXPECT(CL_INVALID_PROPERTY, error);
}

TEST_F(CudaIpc, TwoProcesses) {
  CUdeviceptr memory = 0;
  CUDA_OK(driver.allocate(&memory, kBytes));
  {
    const test::Buffer buffer = wrap(memory, kBytes);
    const cl_uint value = 30;
    CL_OK(clEnqueueFillBuffer(queue, buffer, &value, sizeof value, 0, kBytes, 0, nullptr, nullptr));
    launch_add(buffer, 10);
    CL_OK(clFinish(queue));
    CUipcMemHandle handle{};
    CUDA_OK(driver.get_handle(&handle, memory));
    std::string digits;
    for (const char byte : handle.reserved) {
      char two[3];
      std::snprintf(two, sizeof two, "%02x", static_cast<unsigned char>(byte));
      digits += two;
    }
    setenv(kHandle, digits.c_str(), 1);
    const pid_t child = test::start_test("/proc/self/exe", "CudaIpc.DISABLED_SecondProcess");
    ASSERT_NE(child, 0);
    EXPECT_EQ(0, test::exit_code_of(child, std::chrono::seconds(100)));
    EXPECT_EQ(contents<cl_uint>(buffer, kWords), std::vector<cl_uint>(kWords, 42));
  }
  CUDA_OK(driver.free(memory));
}

}  // namespace
