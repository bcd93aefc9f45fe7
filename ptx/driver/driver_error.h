// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/driver_table.h"

namespace clcuda::ptx::driver {

// An error code on its way to the border of the driver interface (entry.h).
struct DriverError {
  CUresult code;
};

[[noreturn]] inline void refuse(CUresult code) { throw DriverError{code}; }

inline void require(bool condition, CUresult code = CUDA_ERROR_INVALID_VALUE) {
  if (!condition) [[unlikely]]
    refuse(code);
}

// An output parameter that must be there.
template <class T>
T& required(T* pointer) {
  require(pointer != nullptr);
  return *pointer;
}

}  // namespace clcuda::ptx::driver
