// SPDX-License-Identifier: Apache-2.0
#include "runtime/device.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/log.h"
#include "cuda/error.h"
#include "runtime/device_features.h"
#include "runtime/platform.h"

namespace clcuda {
namespace {

// PTX 8.0 came with driver 12.0, 8.1 with 12.1, …, 9.0 with 13.0.
int newest_ptx(const cuda::DriverTable& driver) {
  int version = 0;
  if (driver.cuDriverGetVersion(&version) != CUDA_SUCCESS || version < 12000) return 78;
  const int major = version / 1000, minor = version % 1000 / 10;
  return (major - 4) * 10 + std::min(minor, 9);
}

}  // namespace

Device::Device(Platform& platform, CUdevice ordinal)
    : Object(kType, platform), platform_(platform), driver_(platform.driver()), ordinal_(ordinal) {
  if (driver_.cuDeviceTotalMem(&memory_size_, ordinal_) != CUDA_SUCCESS) memory_size_ = 0;
  local_memory_size_ =
      static_cast<std::size_t>(std::max(attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN),
                                        attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK)));
  target_.sm = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) * 10 +
               attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  target_.ptx = newest_ptx(driver_);
  features_ = compiler_features(*this);
}

int Device::attribute(CUdevice_attribute attribute) const {
  int value = 0;
  return driver_.cuDeviceGetAttribute(&value, attribute, ordinal_) == CUDA_SUCCESS ? value : 0;
}

std::string Device::name() const {
  std::array<char, 256> text{};
  cuda::check(driver_, driver_.cuDeviceGetName(text.data(), static_cast<int>(text.size()) - 1, ordinal_),
              "cuDeviceGetName");
  return text.data();
}

cuda::DeviceContext& Device::retain_context() {
  MutexLock lock(mutex_);
  if (!ready_context_) {
    try {
      ready_context_ = new cuda::DeviceContext(
          driver_, ordinal_, platform_.is_cpu() ? cuda::Waiting::in_driver : cuda::Waiting::by_asking);
    } catch (const Error& error) {
      throw Error(CL_DEVICE_NOT_AVAILABLE, error.what());
    }
  }
  return *ready_context_;
}

void Device::discard(std::shared_ptr<void> resource) noexcept {
  {
    MutexLock lock(mutex_);
    discarded_.push_back(std::move(resource));
  }
  reclaim();
}

void Device::reclaim(bool even_if_busy) noexcept {
  std::vector<std::shared_ptr<void>> unused;  // let go of behind the lock
  if (!idle() && !even_if_busy) return;
  MutexLock lock(mutex_);
  unused.swap(discarded_);
}

void Device::take_dispatch_data(const Platform& platform) noexcept { take_loader_data(platform); }

}  // namespace clcuda
