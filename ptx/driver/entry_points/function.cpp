// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/function.h"

#include <algorithm>

#include "ptx/driver/entry.h"
#include "ptx/driver/lookup.h"

namespace clcuda::ptx::driver {

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction handle) {
  return entry([&] {
    const Ref<Function> function = object_of<Function>(handle);
    const KernelDescription& kernel = function->description();
    int& out = required(value);
    switch (attribute) {
      case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
        out = static_cast<int>(std::min(kernel.max_threads, kMaxBlockThreads));
        return CUDA_SUCCESS;
      case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
        out = static_cast<int>(kernel.static_shared_bytes);
        return CUDA_SUCCESS;
      case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
        out = static_cast<int>(kernel.local_bytes);
        return CUDA_SUCCESS;
      case CU_FUNC_ATTRIBUTE_NUM_REGS:
        out = static_cast<int>(kernel.registers);
        return CUDA_SUCCESS;
      case CU_FUNC_ATTRIBUTE_PTX_VERSION:
      case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
        out = 90;  // the device's compute capability
        return CUDA_SUCCESS;
      case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        out = static_cast<int>(function->dynamic_shared_limit());
        return CUDA_SUCCESS;
      case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        out = CU_SHAREDMEM_CARVEOUT_DEFAULT;
        return CUDA_SUCCESS;
      case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:  // no constant bank belongs to a single kernel
      case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
      case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
      case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
      case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
      case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
      case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
      case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
        out = 0;
        return CUDA_SUCCESS;
      default:
        return CUDA_ERROR_INVALID_VALUE;
    }
  });
}

CUresult cuFuncSetAttribute(CUfunction handle, CUfunction_attribute attribute, int value) {
  return entry([&] {
    const Ref<Function> function = object_of<Function>(handle);
    switch (attribute) {
      case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        require(value >= 0 &&
                static_cast<std::uint32_t>(value) + function->description().static_shared_bytes <=
                    kSharedBytesOptIn);
        function->set_dynamic_shared_limit(static_cast<std::uint32_t>(value));
        return CUDA_SUCCESS;
      case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        // A hint for dividing memory between cache and shared memory, which the executor does not do.
        require(value >= CU_SHAREDMEM_CARVEOUT_DEFAULT && value <= 100);
        return CUDA_SUCCESS;
      default:
        return CUDA_ERROR_INVALID_VALUE;
    }
  });
}

}  // namespace clcuda::ptx::driver
