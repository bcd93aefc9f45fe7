// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/device_loss.h"

#include "base/log.h"
#include "cuda/context.h"
#include "cuda/error.h"

namespace clcuda {

void DeviceLoss::require_alive() const {
  if (lost()) [[unlikely]]
    throw Error(CL_OUT_OF_RESOURCES, device_.why_lost());
}

cl_int DeviceLoss::report_error(CUresult result, const char* where) noexcept {
  if (result == CUDA_SUCCESS) return CL_SUCCESS;
  if (cuda::is_fatal(result) && has_failed()) {
    std::string reason;
    try {
      reason = cuda::describe(device_.driver(), result, where);
    } catch (const std::exception&) {
      // No memory for the description; the loss is reported without it.
    }
    lose(reason);
  }
  return cuda::to_opencl(result);
}

cl_int DeviceLoss::report_error(const std::exception& error) noexcept {
  if (const auto* driver_error = dynamic_cast<const cuda::DriverError*>(&error)) {
    if (cuda::is_fatal(driver_error->result()) && has_failed()) lose(error.what());
    return driver_error->code();
  }
  if (const auto* refusal = dynamic_cast<const Error*>(&error)) return refusal->code();
  return CL_OUT_OF_HOST_MEMORY;
}

// A fatal error is returned by every later call in its context. The null stream is queried because each context has it, and clcuda puts no
// work into it.
bool DeviceLoss::has_failed() const noexcept {
  if (lost()) return true;
  try {
    const cuda::Current current(device_.context());
    return cuda::is_fatal(device_.driver().cuStreamQuery(nullptr));
  } catch (const cuda::DriverError& error) {
    return cuda::is_fatal(error.result());
  } catch (const std::exception&) {
    return true;  // there is no context
  }
}

void DeviceLoss::lose(const std::string& reason) noexcept {
  if (lost_.exchange(true, std::memory_order_acq_rel)) return;
  device_.lose(reason);
  on_lost(reason);
}

}  // namespace clcuda
