// SPDX-License-Identifier: Apache-2.0
// The layout of handles for an ICD loader (cl_khr_icd): the first word points to the dispatch table; the second is for loaders that
// recognize the tag of version 2.0 in that table.
#include <CL/cl_icd.h>
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>

namespace {

// The value of CL_ICD2_TAG_KHR on 64-bit machines: "OPENCL31".
constexpr std::uintptr_t kTag = 0x4F50454E434C3331;

struct Handle {
  const cl_icd_dispatch* table;
  void* loader_data;
};

template <class Function>
std::uintptr_t word(Function* function) {
  return reinterpret_cast<std::uintptr_t>(function);
}

const Handle& words(const void* handle) { return *static_cast<const Handle*>(handle); }

class IcdLayout : public testing::Test {
 protected:
  void SetUp() override {
    const char* path = std::getenv("OCL_ICD_FILENAMES");
    if (!path) GTEST_SKIP() << "OCL_ICD_FILENAMES does not say which library";
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library, nullptr) << dlerror();
    const auto find =
        reinterpret_cast<void* (*)(const char*)>(dlsym(library, "clGetExtensionFunctionAddress"));
    ASSERT_NE(find, nullptr);
    const auto platforms =
        reinterpret_cast<cl_int (*)(cl_uint, cl_platform_id*, cl_uint*)>(find("clIcdGetPlatformIDsKHR"));
    ASSERT_EQ(platforms(1, &platform, nullptr), CL_SUCCESS);
    table = words(platform).table;
  }
  void* library = nullptr;
  cl_platform_id platform = nullptr;
  const cl_icd_dispatch* table = nullptr;
};

TEST_F(IcdLayout, TheTableCallsAndIsMarked) {
  EXPECT_EQ(word(table->clGetPlatformIDs), kTag);
  EXPECT_EQ(word(table->clUnloadCompiler), kTag);
  char name[64] = {};
  EXPECT_EQ(table->clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, nullptr), CL_SUCCESS);
  EXPECT_EQ(std::string(name).substr(0, 6), "clcuda");
}

TEST_F(IcdLayout, EveryHandleHasBothWords) {
  int data = 0;
  const auto set =
      reinterpret_cast<cl_int (*)(cl_platform_id, void*)>(dlsym(library, "clIcdSetPlatformDispatchDataKHR"));
  ASSERT_NE(set, nullptr);
  ASSERT_EQ(set(platform, &data), CL_SUCCESS);
  cl_device_id device = nullptr;
  ASSERT_EQ(table->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), CL_SUCCESS);
  const cl_context context = table->clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  const cl_command_queue queue = table->clCreateCommandQueueWithProperties(context, device, nullptr, nullptr);
  const cl_mem memory = table->clCreateBuffer(context, 0, 64, nullptr, nullptr);
  const char* source = "kernel void k() {}";
  const cl_program program = table->clCreateProgramWithSource(context, 1, &source, nullptr, nullptr);
  ASSERT_EQ(table->clBuildProgram(program, 1, &device, "", nullptr, nullptr), CL_SUCCESS);
  const cl_kernel kernel = table->clCreateKernel(program, "k", nullptr);
  const cl_event user = table->clCreateUserEvent(context, nullptr);
  cl_event event = nullptr;
  ASSERT_EQ(table->clEnqueueMarkerWithWaitList(queue, 0, nullptr, &event), CL_SUCCESS);
  for (const void* handle :
       {static_cast<void*>(platform), static_cast<void*>(device), static_cast<void*>(context),
        static_cast<void*>(queue), static_cast<void*>(memory), static_cast<void*>(program),
        static_cast<void*>(kernel), static_cast<void*>(user), static_cast<void*>(event)}) {
    ASSERT_NE(handle, nullptr);
    EXPECT_EQ(words(handle).table, table);
    EXPECT_EQ(words(handle).loader_data, &data);
  }
  EXPECT_EQ(table->clReleaseEvent(event), CL_SUCCESS);
  EXPECT_EQ(table->clReleaseEvent(user), CL_SUCCESS);
  EXPECT_EQ(table->clReleaseKernel(kernel), CL_SUCCESS);
  EXPECT_EQ(table->clReleaseProgram(program), CL_SUCCESS);
  EXPECT_EQ(table->clReleaseMemObject(memory), CL_SUCCESS);
  EXPECT_EQ(table->clReleaseCommandQueue(queue), CL_SUCCESS);
  EXPECT_EQ(table->clReleaseContext(context), CL_SUCCESS);
}

}  // namespace
