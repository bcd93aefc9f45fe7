// SPDX-License-Identifier: Apache-2.0
#pragma once

// The build gives this its real name, __nvvm_reflect, when the library has been optimised: "__CUDA_ARCH" and "__CUDA_FTZ" are then answered
// for the program and the chip that it is made for, not for those that the library was compiled for.
int __clcuda_reflect_later(__constant const char* name);

// Inlined even with -cl-opt-disable, since instructions that the chip lacks must not remain in a branch.
static inline __attribute__((always_inline)) int chip_is_at_least(int compute_capability) {
  return __clcuda_reflect_later("__CUDA_ARCH") >= compute_capability * 10;
}
