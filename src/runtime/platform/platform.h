// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "cuda/driver_table.h"
#include "runtime/object.h"

namespace clcuda {

class Device;

// One filling of the driver table: `clcuda` (the GPUs, libcuda) or `clcuda CPU` (the PTX executor). No
// context mixes two platforms. Which are offered is decided from CLCUDA_DEVICES and the presence of a GPU,
// without cuInit; devices come into being when first asked for (cuInit then, and not before: programs fork
// after loading). Platforms and root devices are never destroyed.
class Platform final : public Object {
 public:
  using Handle = cl_platform_id;
  static constexpr ObjectType kType = ObjectType::platform;
  static constexpr cl_int kInvalid = CL_INVALID_PLATFORM;

  // Those on offer, in the order clGetPlatformIDs gives.
  static std::span<Platform* const> all();

  bool is_cpu() const { return cpu_devices_ > 0; }
  std::string name() const { return is_cpu() ? "clcuda CPU" : "clcuda"; }
  const cuda::DriverTable& driver() const { return driver_; }
  // Runs cuInit the first time. Empty if that fails (the reason is logged), and tried again the next time.
  // Throws Error(CL_OUT_OF_RESOURCES) in a process that was forked after that, or if the driver refuses one
  // of its devices.
  std::span<Device* const> devices();

  // clIcdSetPlatformDispatchDataKHR: the second word of this platform's handles.
  void set_dispatch_data(void* data);

 private:
  Platform(const cuda::DriverTable& driver, int cpu_devices);
  void initialise() REQUIRES(mutex_);

  static std::vector<Platform*> offered();

  const cuda::DriverTable& driver_;
  const int cpu_devices_;
  Mutex mutex_ LOCK_RANK(platform);
  bool initialised_ GUARDED_BY(mutex_) = false;
  std::vector<Device*> devices_ GUARDED_BY(mutex_);
};

}  // namespace clcuda
