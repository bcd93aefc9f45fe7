// SPDX-License-Identifier: Apache-2.0
#include "cuda/error.h"

#include <CL/cl.h>
#include <fmt/format.h>

namespace clcuda::cuda {

int to_opencl(CUresult error) noexcept {
  switch (error) {
    case CUDA_SUCCESS:
      return CL_SUCCESS;
    case CUDA_ERROR_OUT_OF_MEMORY:
      return CL_MEM_OBJECT_ALLOCATION_FAILURE;
    case CUDA_ERROR_NO_DEVICE:
    case CUDA_ERROR_INVALID_DEVICE:
    case CUDA_ERROR_NOT_INITIALIZED:
    case CUDA_ERROR_DEINITIALIZED:
    case CUDA_ERROR_DEVICE_UNAVAILABLE:
      return CL_DEVICE_NOT_AVAILABLE;
    case CUDA_ERROR_INVALID_PTX:
    case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
    case CUDA_ERROR_INVALID_IMAGE:
    case CUDA_ERROR_NO_BINARY_FOR_GPU:
      return CL_BUILD_PROGRAM_FAILURE;
    default:
      return CL_OUT_OF_RESOURCES;
  }
}

// CUDA_ERROR_CONTAINED and CUDA_ERROR_TENSOR_MEMORY_LEAK, which headers older than CUDA 13's may lack.
constexpr int kContained = 226, kTensorMemoryLeak = 721;

// Errors after which, according to cuda.h, every later call of the process returns the same error.
bool is_fatal(CUresult error) noexcept {
  if (error == static_cast<CUresult>(kContained) || error == static_cast<CUresult>(kTensorMemoryLeak))
    return true;
  switch (error) {
    case CUDA_ERROR_MPS_CLIENT_TERMINATED:
    case CUDA_ERROR_EXTERNAL_DEVICE:
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_NVLINK_UNCORRECTABLE:
    case CUDA_ERROR_CONTEXT_IS_DESTROYED:
    case CUDA_ERROR_UNKNOWN:
      return true;
    default:
      return false;
  }
}

std::string describe(const DriverTable& driver, CUresult error, const char* function) {
  const char* name = nullptr;
  const char* text = nullptr;
  driver.cuGetErrorName(error, &name);
  driver.cuGetErrorString(error, &text);
  return fmt::format("{}: {} ({})", function, text ? text : "unknown error", name ? name : "?");
}

void fail(const DriverTable& driver, CUresult error, const char* function) {
  throw DriverError(error, describe(driver, error, function));
}

}  // namespace clcuda::cuda
