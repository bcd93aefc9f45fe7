// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "cuda/driver_table.h"
#include "cuda/host_registrations.h"
#include "runtime/object.h"

namespace clcuda {

class Device;

// cl_platform_id: the devices of one driver table, `clcuda` (GPUs, libcuda.so.1) or `clcuda CPU` (the PTX executor). A context has devices
// of one platform only. CLCUDA_DEVICES and the presence of a GPU determine which platforms exist, without cuInit, because programs may fork
// after loading the library. The first query of devices calls cuInit and creates them. Platforms and root devices are never destroyed.
class Platform final : public Object {
 public:
  using Handle = cl_platform_id;
  static constexpr ObjectType kType = ObjectType::platform;
  static constexpr cl_int kInvalid = CL_INVALID_PLATFORM;

  // The platforms in the order of clGetPlatformIDs.
  static std::span<Platform* const> all();

  bool is_cpu() const { return cpu_devices_ > 0; }
  std::string name() const { return is_cpu() ? "clcuda CPU" : "clcuda"; }
  const cuda::DriverTable& driver() const { return driver_; }
  cuda::HostRegistrations& host_registrations() { return host_registrations_; }
  // Calls cuInit the first time. If that fails, the reason is logged, the result is empty, and the next call tries again. Leaves out
  // devices that are too old (cuda/requirements.h). Throws Error(CL_OUT_OF_RESOURCES) in a process that was forked after cuInit, or if the
  // driver refuses one of its devices.
  std::span<Device* const> devices();

  // clIcdSetPlatformDispatchDataKHR (cl_khr_icd 2.0): sets the loader's pointer, the second word of the handles of this platform and its
  // devices.
  void set_dispatch_data(void* data);

 private:
  Platform(const cuda::DriverTable& driver, int cpu_devices);
  void initialise() REQUIRES(mutex_);

  static std::vector<Platform*> offered();

  const cuda::DriverTable& driver_;
  const int cpu_devices_;
  cuda::HostRegistrations host_registrations_;
  Mutex mutex_ LOCK_RANK(platform);
  bool initialised_ GUARDED_BY(mutex_) = false;
  std::vector<Device*> devices_ GUARDED_BY(mutex_);
};

}  // namespace clcuda
