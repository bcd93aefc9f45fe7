// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/driver_table.h"

namespace clcuda::ptx::driver {

// An exception with the error code that the called driver function is to return (entry.h).
struct DriverError {
  CUresult code;
};

[[noreturn]] inline void refuse(CUresult code) { throw DriverError{code}; }

inline void require(bool condition, CUresult code = CUDA_ERROR_INVALID_VALUE) {
  if (!condition) [[unlikely]]
    refuse(code);
}

// An output parameter that must not be null.
template <class T>
T& required(T* pointer) {
  require(pointer != nullptr);
  return *pointer;
}

}  // namespace clcuda::ptx::driver
