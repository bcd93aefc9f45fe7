// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "cuda/driver_table.h"

namespace clcuda::cuda {

// The OpenCL code for a driver error: the one place where CUresult becomes cl_int.
int to_opencl(CUresult error) noexcept;

// Whether the error means that the context is lost for good (an illegal address, a trap, …: design decision 15).
bool is_fatal(CUresult error) noexcept;

// "cuLaunchKernel: an illegal memory access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS)"
std::string describe(const DriverTable& driver, CUresult error, const char* function);

// Throws Error(to_opencl(error), describe(…)) unless error is CUDA_SUCCESS.
void check(const DriverTable& driver, CUresult error, const char* function);

}  // namespace clcuda::cuda
