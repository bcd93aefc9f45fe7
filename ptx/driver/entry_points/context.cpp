// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/current_context.h"
#include "ptx/driver/entry.h"
#include "ptx/driver/stream.h"

namespace clcuda::ptx::driver {

CUresult cuCtxSynchronize() {
  return entry([] { return current_context().synchronize(StreamSet::all); });
}

namespace {

void require_known(CUlimit limit) {
  require(limit == CU_LIMIT_STACK_SIZE || limit == CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT,
          limit >= 0 && limit < CU_LIMIT_MAX ? CUDA_ERROR_UNSUPPORTED_LIMIT : CUDA_ERROR_INVALID_VALUE);
}

}  // namespace

CUresult cuCtxGetLimit(std::size_t* value, CUlimit limit) {
  return entry([&] {
    Context& context = current_context();
    require_known(limit);
    required(value) = limit == CU_LIMIT_STACK_SIZE ? context.stack_limit() : context.device_launch_limit();
    return CUDA_SUCCESS;
  });
}

// The stack size of a work-item has no effect: the executor always provides what a kernel needs.
CUresult cuCtxSetLimit(CUlimit limit, std::size_t value) {
  return entry([&] {
    Context& context = current_context();
    require_known(limit);
    if (limit == CU_LIMIT_STACK_SIZE) {
      require(value <= (std::size_t{512} << 10));
      context.set_stack_limit(value);
    } else {
      context.set_device_launch_limit(value);
    }
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return entry([&] {
    current_context();
    if (least) *least = kLeastPriority;  // either may be null
    if (greatest) *greatest = kGreatestPriority;
    return CUDA_SUCCESS;
  });
}

}  // namespace clcuda::ptx::driver
