// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "base/mutex.h"
#include "compiler/compiler.h"
#include "cuda/context.h"
#include "runtime/object.h"

namespace clcuda {

class Platform;

// A root device: one CUDA device. Its primary CUDA context is retained when an OpenCL context first needs it and kept for the
// life of the process (design decision 16).
class Device final : public Object {
 public:
  using Handle = cl_device_id;
  static constexpr ObjectType kType = ObjectType::device;
  static constexpr cl_int kInvalid = CL_INVALID_DEVICE;

  Device(Platform& platform, CUdevice ordinal);

  Platform& platform() const { return platform_; }
  const cuda::DriverTable& driver() const { return driver_; }
  CUdevice ordinal() const { return ordinal_; }
  int attribute(CUdevice_attribute attribute) const;  // a value of the driver's; 0 if it does not know the attribute
  std::string name() const;
  std::size_t memory_size() const;

  // What programs are compiled for, and what they may use.
  const compiler::Target& target() const { return target_; }
  const compiler::DeviceFeatures& features() const { return features_; }

  // The primary context, retained on first use. Throws Error(CL_DEVICE_NOT_AVAILABLE) if the driver refuses.
  cuda::DeviceContext& context();

 private:
  Platform& platform_;
  const cuda::DriverTable& driver_;
  const CUdevice ordinal_;
  compiler::Target target_;
  compiler::DeviceFeatures features_;
  Mutex mutex_;
  std::unique_ptr<cuda::DeviceContext> context_ GUARDED_BY(mutex_);
};

}  // namespace clcuda
