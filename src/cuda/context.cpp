// SPDX-License-Identifier: Apache-2.0
#include "cuda/context.h"

#include "cuda/error.h"

namespace clcuda::cuda {

DeviceContext::DeviceContext(const DriverTable& driver, CUdevice device, Waiting waiting,
                             HostRegistrations& registrations)
    : driver_(driver), device_(device), waiting_(waiting), registrations_(registrations) {
  check(driver_, driver_.cuDevicePrimaryCtxRetain(&context_, device_), "cuDevicePrimaryCtxRetain");
}

DeviceContext::~DeviceContext() { driver_.cuDevicePrimaryCtxRelease(device_); }

Current::Current(const DeviceContext& context) : driver_(context.driver()) {
  check(driver_, driver_.cuCtxGetCurrent(&previous_), "cuCtxGetCurrent");
  if (previous_ == context.handle()) return;
  check(driver_, driver_.cuCtxSetCurrent(context.handle()), "cuCtxSetCurrent");
  restore_ = true;
}

Current::~Current() {
  if (restore_) driver_.cuCtxSetCurrent(previous_);
}

}  // namespace clcuda::cuda
