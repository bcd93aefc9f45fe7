// SPDX-License-Identifier: Apache-2.0
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <string>

#include "driver_test.h"

namespace clcuda::test {
namespace {

using Device = DriverTest;

TEST_F(Device, CountAndOrdinals) {
  int count = 0;
  ASSERT_EQ(cu.cuDeviceGetCount(&count), CUDA_SUCCESS);
  EXPECT_EQ(count, 2);
  CUdevice device = -1;
  EXPECT_EQ(cu.cuDeviceGet(&device, 1), CUDA_SUCCESS);
  EXPECT_EQ(device, 1);
  EXPECT_EQ(cu.cuDeviceGet(&device, 2), CUDA_ERROR_INVALID_DEVICE);
  EXPECT_EQ(cu.cuDeviceGet(&device, -1), CUDA_ERROR_INVALID_DEVICE);
  EXPECT_EQ(cu.cuDeviceGet(nullptr, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuDeviceGetCount(nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuInit(1), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Device, NameIsCutToItsBuffer) {
  char name[256], shorter[7];
  ASSERT_EQ(cu.cuDeviceGetName(name, sizeof name, 0), CUDA_SUCCESS);
  EXPECT_TRUE(std::string(name).starts_with("clcuda CPU"));
  ASSERT_EQ(cu.cuDeviceGetName(shorter, sizeof shorter, 0), CUDA_SUCCESS);
  EXPECT_STREQ(shorter, "clcuda");
  EXPECT_EQ(cu.cuDeviceGetName(nullptr, 8, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuDeviceGetName(name, 0, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuDeviceGetName(name, sizeof name, 9), CUDA_ERROR_INVALID_DEVICE);
}

TEST_F(Device, UuidsDiffer) {
  CUuuid a, again, b;
  ASSERT_EQ(cu.cuDeviceGetUuid(&a, 0), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuDeviceGetUuid(&again, 0), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuDeviceGetUuid(&b, 1), CUDA_SUCCESS);
  EXPECT_EQ(std::memcmp(&a, &again, sizeof a), 0);
  EXPECT_NE(std::memcmp(&a, &b, sizeof a), 0);
}

TEST_F(Device, Attributes) {
  const auto get = [&](CUdevice_attribute attribute) {
    int value = -99;
    EXPECT_EQ(cu.cuDeviceGetAttribute(&value, attribute, 0), CUDA_SUCCESS) << attribute;
    return value;
  };
  EXPECT_EQ(get(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR), 9);
  EXPECT_EQ(get(CU_DEVICE_ATTRIBUTE_WARP_SIZE), 32);
  EXPECT_EQ(get(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK), 1024);
  EXPECT_EQ(get(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN), 227 * 1024);
  EXPECT_GE(get(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT), 1);
  EXPECT_GT(get(CU_DEVICE_ATTRIBUTE_CLOCK_RATE), 0);
  EXPECT_EQ(get(CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS), 1);
  EXPECT_EQ(get(CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH), 0);
  int value;
  EXPECT_EQ(cu.cuDeviceGetAttribute(&value, static_cast<CUdevice_attribute>(0), 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuDeviceGetAttribute(&value, static_cast<CUdevice_attribute>(9999), 0),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuDeviceGetAttribute(nullptr, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 7), CUDA_ERROR_INVALID_DEVICE);
}

TEST_F(Device, VersionAndErrors) {
  int version = 0;
  EXPECT_EQ(cu.cuDriverGetVersion(&version), CUDA_SUCCESS);
  EXPECT_GE(version, 12000);
  const char* text = nullptr;
  EXPECT_EQ(cu.cuGetErrorName(CUDA_ERROR_ILLEGAL_ADDRESS, &text), CUDA_SUCCESS);
  EXPECT_STREQ(text, "CUDA_ERROR_ILLEGAL_ADDRESS");
  EXPECT_EQ(cu.cuGetErrorString(CUDA_ERROR_NOT_READY, &text), CUDA_SUCCESS);
  EXPECT_NE(text, nullptr);
  EXPECT_EQ(cu.cuGetErrorName(static_cast<CUresult>(12345), &text), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(text, nullptr);
  EXPECT_EQ(cu.cuGetErrorName(CUDA_SUCCESS, nullptr), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Device, PeersReachEachOther) {
  int can = -1;
  EXPECT_EQ(cu.cuDeviceCanAccessPeer(&can, 0, 1), CUDA_SUCCESS);
  EXPECT_EQ(can, 1);
  EXPECT_EQ(cu.cuDeviceCanAccessPeer(&can, 0, 0), CUDA_SUCCESS);
  EXPECT_EQ(can, 0);
}

TEST_F(Device, ContextsAreCurrentPerThread) {
  CUcontext seen = nullptr;
  EXPECT_EQ(cu.cuCtxGetCurrent(&seen), CUDA_SUCCESS);
  EXPECT_EQ(seen, contexts[0]);
  std::thread([&] {
    EXPECT_EQ(cu.cuCtxGetCurrent(&seen), CUDA_SUCCESS);
    EXPECT_EQ(seen, nullptr);
    CUstream made;
    EXPECT_EQ(cu.cuStreamCreateWithPriority(&made, 0, 0), CUDA_ERROR_INVALID_CONTEXT);
    EXPECT_EQ(cu.cuCtxSynchronize(), CUDA_ERROR_INVALID_CONTEXT);
    EXPECT_EQ(cu.cuStreamQuery(nullptr), CUDA_ERROR_INVALID_CONTEXT);
    CUdeviceptr memory;
    EXPECT_EQ(cu.cuMemAlloc(&memory, 8), CUDA_ERROR_INVALID_CONTEXT);
    EXPECT_EQ(cu.cuCtxSetCurrent(contexts[1]), CUDA_SUCCESS);
    EXPECT_EQ(cu.cuCtxSynchronize(), CUDA_SUCCESS);
  }).join();
  EXPECT_EQ(cu.cuCtxSetCurrent(reinterpret_cast<CUcontext>(0x1234)), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cu.cuCtxSetCurrent(nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuCtxSynchronize(), CUDA_ERROR_INVALID_CONTEXT);
}

TEST_F(Device, ReleasedContextComesBackEmpty) {
  const CUstream old_stream = stream();
  const CUdeviceptr old_memory = device_memory(4096);
  ASSERT_EQ(cu.cuDevicePrimaryCtxRelease(0), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuCtxSynchronize(), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  EXPECT_EQ(cu.cuDevicePrimaryCtxRelease(0), CUDA_ERROR_INVALID_CONTEXT);
  CUcontext again = nullptr;
  ASSERT_EQ(cu.cuDevicePrimaryCtxRetain(&again, 0), CUDA_SUCCESS);
  EXPECT_EQ(again, contexts[0]);
  EXPECT_EQ(cu.cuCtxSynchronize(), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuStreamQuery(old_stream), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cu.cuMemFree(old_memory), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuDevicePrimaryCtxRetain(nullptr, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuDevicePrimaryCtxRetain(&again, 5), CUDA_ERROR_INVALID_DEVICE);
}

TEST_F(Device, Limits) {
  std::size_t value = 0;
  EXPECT_EQ(cu.cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 4096), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuCtxGetLimit(&value, CU_LIMIT_STACK_SIZE), CUDA_SUCCESS);
  EXPECT_EQ(value, 4096u);
  EXPECT_EQ(cu.cuCtxGetLimit(&value, CU_LIMIT_MALLOC_HEAP_SIZE), CUDA_ERROR_UNSUPPORTED_LIMIT);
  EXPECT_EQ(cu.cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 1), CUDA_ERROR_UNSUPPORTED_LIMIT);
  EXPECT_EQ(cu.cuCtxGetLimit(&value, static_cast<CUlimit>(77)), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuCtxGetLimit(nullptr, CU_LIMIT_STACK_SIZE), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Device, ForkedChildGetsErrors) {
  const CUstream busy = stream();
  Gate gate;
  ASSERT_EQ(cu.cuLaunchHostFunc(busy, Gate::function, gate.argument()), CUDA_SUCCESS);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    int count = 0;
    CUdeviceptr memory = 0;
    const bool right = cu.cuInit(0) == CUDA_ERROR_NOT_INITIALIZED &&
                       cu.cuDeviceGetCount(&count) == CUDA_ERROR_NOT_INITIALIZED &&
                       cu.cuStreamSynchronize(busy) == CUDA_ERROR_NOT_INITIALIZED &&
                       cu.cuMemAlloc(&memory, 4) == CUDA_ERROR_NOT_INITIALIZED &&
                       cu.cuCtxSynchronize() == CUDA_ERROR_NOT_INITIALIZED;
    _exit(right ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  gate.open();
  EXPECT_EQ(cu.cuStreamSynchronize(busy), CUDA_SUCCESS);
}

}  // namespace
}  // namespace clcuda::test
