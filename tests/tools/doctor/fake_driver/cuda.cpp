// SPDX-License-Identifier: Apache-2.0
// A libcuda.so.1 whose results a test controls: it reports FAKE_CUDA_COUNT equal GPUs.
#include <cuda.h>
#include <signal.h>
#include <unistd.h>

#include <cstring>

#include "options.h"

#define FAKE extern "C" __attribute__((visibility("default"))) CUresult

namespace {

// "hang" and "crash", as real drivers sometimes do.
void misbehave() {
  const char* how = std::getenv("FAKE_CUDA_INIT");
  while (how && std::strcmp(how, "hang") == 0) ::pause();
  if (how && std::strcmp(how, "crash") == 0) ::raise(SIGSEGV);
}

}  // namespace

FAKE cuInit(unsigned) {
  misbehave();
  return static_cast<CUresult>(fake_option("FAKE_CUDA_INIT", CUDA_SUCCESS));
}
FAKE cuDriverGetVersion(int* version) {
  *version = static_cast<int>(fake_option("FAKE_CUDA_VERSION", 12080));
  return CUDA_SUCCESS;
}
FAKE cuGetErrorName(CUresult code, const char** name) {
  *name = code == CUDA_SUCCESS           ? "CUDA_SUCCESS"
          : code == CUDA_ERROR_NO_DEVICE ? "CUDA_ERROR_NO_DEVICE"
                                         : "CUDA_ERROR_OF_A_TEST";
  return CUDA_SUCCESS;
}
FAKE cuDeviceGetCount(int* count) {
  *count = static_cast<int>(fake_option("FAKE_CUDA_COUNT", 1));
  return CUDA_SUCCESS;
}
FAKE cuDeviceGet(CUdevice* device, int index) {
  *device = index;
  return CUDA_SUCCESS;
}
FAKE cuDeviceGetName(char* name, int size, CUdevice) {
  std::strncpy(name, "Fake GPU", static_cast<std::size_t>(size));
  return CUDA_SUCCESS;
}
FAKE cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice) {
  const long capability = fake_option("FAKE_CUDA_CAPABILITY", 90);
  *value = 0;
  if (attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) *value = static_cast<int>(capability / 10);
  if (attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR) *value = static_cast<int>(capability % 10);
  if (attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_MODE)
    *value = static_cast<int>(fake_option("FAKE_CUDA_MODE", 0));
  return CUDA_SUCCESS;
}
FAKE cuDeviceTotalMem(std::size_t* bytes, CUdevice) {
  *bytes = std::size_t{8} << 30;
  return CUDA_SUCCESS;
}
FAKE cuDevicePrimaryCtxRetain(CUcontext*, CUdevice) {
  return static_cast<CUresult>(fake_option("FAKE_CUDA_CONTEXT", CUDA_SUCCESS));
}
FAKE cuCtxSetCurrent(CUcontext) { return CUDA_SUCCESS; }
FAKE cuMemGetInfo(std::size_t* free, std::size_t* total) {
  *free = static_cast<std::size_t>(fake_option("FAKE_CUDA_FREE_MIB", 4096)) << 20;
  *total = std::size_t{8} << 30;
  return CUDA_SUCCESS;
}
