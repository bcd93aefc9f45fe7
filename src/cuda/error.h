// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "cuda/driver_table.h"

namespace clcuda::cuda {

// The OpenCL code for a driver error: the one place where CUresult becomes cl_int.
int to_opencl(CUresult error) noexcept;

// Whether the error means that the context is lost for good (an illegal address, a trap, …).
bool is_fatal(CUresult error) noexcept;

// "cuLaunchKernelEx: an illegal memory access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS)"
std::string describe(const DriverTable& driver, CUresult error, const char* function);

// What check() throws: an Error that still knows the driver's own code (a fatal one means that the device is
// lost).
class DriverError : public Error {
 public:
  DriverError(CUresult result, const std::string& reason)
      : Error(to_opencl(result), reason), result_(result) {}
  CUresult result() const noexcept { return result_; }

 private:
  CUresult result_;
};

[[noreturn]] void fail(const DriverTable& driver, CUresult error, const char* function);
// Throws DriverError(error, describe(…)) unless error is CUDA_SUCCESS.
inline void check(const DriverTable& driver, CUresult error, const char* function) {
  if (error != CUDA_SUCCESS) [[unlikely]]
    fail(driver, error, function);
}

}  // namespace clcuda::cuda
