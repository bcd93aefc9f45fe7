// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/primary_context.h"

#include "ptx/driver/current_context.h"
#include "ptx/driver/device.h"
#include "ptx/driver/entry.h"
#include "ptx/driver/process.h"

namespace clcuda::ptx::driver {

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  return entry([&] {
    CUcontext& out = required(context);
    Device& found = Process::get().device(device);
    Process::get().primary_context(found).retain();
    out = found.context_handle();
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
  return entry([&] {
    Process::get().primary_context(Process::get().device(device)).release();
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetCurrent(CUcontext* context) {
  return entry([&] {
    required(context) = current_context_handle();
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxSetCurrent(CUcontext context) {
  return entry([&] {
    set_current_context(context);
    return CUDA_SUCCESS;
  });
}

}  // namespace clcuda::ptx::driver
