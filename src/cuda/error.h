// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "cuda/driver_table.h"

namespace clcuda::cuda {

// The OpenCL code for a driver error. CUresult is converted to cl_int only here.
int to_opencl(CUresult error) noexcept;

// Whether the error means that the context can no longer be used (an illegal address, a trap, …).
bool is_fatal(CUresult error) noexcept;

// "cuLaunchKernelEx: an illegal memory access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS)"
std::string describe(const DriverTable& driver, CUresult error, const char* function);

// Thrown by check(): an Error that also has the driver's error code. A fatal one means that the device is lost.
class DriverError : public Error {
 public:
  DriverError(CUresult result, const std::string& reason)
      : Error(to_opencl(result), reason), result_(result) {}
  CUresult result() const noexcept { return result_; }

 private:
  CUresult result_;
};

// Throws DriverError(error, describe(…)).
[[noreturn]] void fail(const DriverTable& driver, CUresult error, const char* function);
// The same unless `error` is CUDA_SUCCESS.
inline void check(const DriverTable& driver, CUresult error, const char* function) {
  if (error != CUDA_SUCCESS) [[unlikely]]
    fail(driver, error, function);
}

}  // namespace clcuda::cuda
