// SPDX-License-Identifier: Apache-2.0
#include "runtime/platform/device.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "base/config.h"
#include "base/log.h"
#include "compiler/compiler.h"
#include "cuda/error.h"
#include "cuda/ptx_compiler.h"
#include "runtime/platform/device_features.h"
#include "runtime/platform/platform.h"

namespace clcuda {
namespace {

compiler::Target target_of(const cuda::DriverTable& driver, int sm, bool is_cpu) {
  int version = 0;
  if (driver.cuDriverGetVersion(&version) != CUDA_SUCCESS) version = 0;
  return compiler::target_for(sm, version, is_cpu ? 0 : cuda::ptx_compiler_version());
}

// The memory that the device reports, limited by CLCUDA_MEMORY (in megabytes).
std::size_t offered_memory(const cuda::DriverTable& driver, CUdevice ordinal) {
  std::size_t all = 0;
  cuda::check(driver, driver.cuDeviceTotalMem(&all, ordinal), "cuDeviceTotalMem");
  const auto most = static_cast<std::size_t>(std::max(config().memory, 0)) << 20;
  return most ? std::min(all, most) : all;
}

std::string device_name(const cuda::DriverTable& driver, CUdevice ordinal) {
  std::array<char, 256> text{};
  cuda::check(driver, driver.cuDeviceGetName(text.data(), static_cast<int>(text.size()) - 1, ordinal),
              "cuDeviceGetName");
  return text.data();
}

}  // namespace

Device::Device(Platform& platform, CUdevice ordinal)
    : Object(kType, platform),
      root_(*this),
      groups_{},
      platform_(platform),
      driver_(platform.driver()),
      ordinal_(ordinal),
      name_(device_name(driver_, ordinal)),
      memory_size_(offered_memory(driver_, ordinal)) {
  local_memory_size_ =
      static_cast<std::size_t>(std::max(attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN),
                                        attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK)));
  const int sm = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) * 10 +
                 attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  target_ = target_of(driver_, sm, platform.is_cpu());
  features_ = compiler_features(*this);
  if (target_.sm == 0 || local_memory_size_ == 0)
    throw Error(CL_OUT_OF_RESOURCES, name_ + ": the driver does not say what it is");
}

Device::Device(Device& parent, std::size_t first, std::size_t count,
               std::vector<cl_device_partition_property> partition_type)
    : Object(kType, parent),
      parent_(parent),
      root_(parent.root_),
      groups_{parent.groups_.first + first, count},
      partition_type_(std::move(partition_type)),
      platform_(parent.platform_),
      driver_(parent.driver_),
      ordinal_(parent.ordinal_),
      name_(parent.name_),
      memory_size_(parent.memory_size_),
      local_memory_size_(parent.local_memory_size_),
      target_(parent.target_),
      features_(parent.features_) {}

// Only groups that were found are kept: that the driver refuses may pass.
cuda::MultiprocessorGroups* Device::multiprocessors() {
  MutexLock lock(mutex_);
  if (!multiprocessors_) {
    cuda::MultiprocessorGroups found = cuda::multiprocessor_groups(driver_, ordinal_);
    if (found.groups.empty()) return nullptr;
    multiprocessors_ = std::make_unique<cuda::MultiprocessorGroups>(std::move(found));
  }
  return multiprocessors_.get();
}

std::size_t Device::group_count() const {
  if (parent_) return groups_.count;
  const cuda::MultiprocessorGroups* all = root_.multiprocessors();
  return all ? all->groups.size() : 0;
}

unsigned Device::group_size() const {
  const cuda::MultiprocessorGroups* all = root_.multiprocessors();
  return all ? all->size : 0;
}

cl_uint Device::compute_units() const {
  return parent_ ? static_cast<cl_uint>(groups_.count * group_size())
                 : static_cast<cl_uint>(attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT));
}

const cuda::Partition* Device::partition() { return parent_ ? &root_.partition_of(groups_) : nullptr; }

const cuda::Partition& Device::partition_of(Groups groups) {
  std::vector<CUdevResource>& all = multiprocessors()->groups;  // found when the sub-device was created
  cuda::Current current(context());
  MutexLock lock(mutex_);
  try {
    return partitions_.try_emplace(groups, context(), std::span(all).subspan(groups.first, groups.count))
        .first->second;
  } catch (const cuda::DriverError& error) {
    throw Error(CL_OUT_OF_RESOURCES, error.what());
  }
}

int Device::attribute(CUdevice_attribute attribute) const {
  int value = 0;
  const CUresult result = driver_.cuDeviceGetAttribute(&value, attribute, ordinal_);
  if (result == CUDA_ERROR_INVALID_VALUE || result == CUDA_ERROR_NOT_SUPPORTED) return 0;
  cuda::check(driver_, result, "cuDeviceGetAttribute");
  return value;
}

cuda::DeviceContext& Device::retain_context() {
  if (&root_ != this) return root_.retain_context();
  MutexLock lock(mutex_);
  if (!ready_context_) {
    try {
      ready_context_ = new cuda::DeviceContext(
          driver_, ordinal_, platform_.is_cpu() ? cuda::Waiting::in_driver : cuda::Waiting::by_asking,
          platform_.host_registrations());
    } catch (const Error& error) {
      throw Error(CL_DEVICE_NOT_AVAILABLE, error.what());
    }
  }
  return *ready_context_;
}

void Device::lose(const std::string& reason) noexcept {
  try {
    reason_of_loss_.store(new std::string(reason), std::memory_order_release);
  } catch (const std::exception&) {
    // No memory for the reason; the device is marked as lost without it.
  }
  lost_.store(true, std::memory_order_release);
}

std::string Device::why_lost() const {
  const std::string* reason = root_.reason_of_loss_.load(std::memory_order_acquire);
  return name_ + " is lost" + (reason && !reason->empty() ? ": " + *reason : std::string());
}

void Device::discard(std::shared_ptr<void> resource) noexcept {
  try {
    MutexLock lock(mutex_);
    discarded_.push_back(std::move(resource));
  } catch (const std::exception&) {
    // No memory to keep it for later: it is destroyed on return, which may wait for the device.
  }
  reclaim();
}

// Again with the lock: another thread may have begun work since, and discarded what it uses.
void Device::reclaim() noexcept {
  if (!idle()) return;
  Discarded unused;  // destroyed after the lock is released
  MutexLock lock(mutex_);
  if (idle()) unused.swap(discarded_);
}

Device::Discarded Device::take_discarded() noexcept {
  MutexLock lock(mutex_);
  return std::exchange(discarded_, {});
}

void Device::take_dispatch_data(const Platform& platform) noexcept { take_loader_data(platform); }

}  // namespace clcuda
