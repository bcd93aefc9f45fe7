// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/entry.h"
#include "ptx/driver/process.h"

namespace clcuda::ptx::driver {

CUresult cuInit(unsigned flags) {
  return entry_before_init([&] { return flags == 0 ? Process::initialise() : CUDA_ERROR_INVALID_VALUE; });
}

CUresult cuDriverGetVersion(int* version) {
  return entry_before_init([&] {
    required(version) = 12080;
    return CUDA_SUCCESS;
  });
}

}  // namespace clcuda::ptx::driver
