// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "compiler/compiler.h"
#include "cuda/context.h"
#include "cuda/module.h"
#include "cuda/partition.h"
#include "runtime/object.h"

namespace clcuda {

class DeviceResources;
class Platform;

// A root device is a CUDA device. Its primary CUDA context is retained when an OpenCL context first needs it
// and kept for the life of the process.
//
// A sub-device is some of its groups of multiprocessors: all that it has of its own is where the streams of
// its queues run (a green context of CUDA's). Everything else, memory above all, is the root device's.
class Device final : public Object {
 public:
  using Handle = cl_device_id;
  static constexpr ObjectType kType = ObjectType::device;
  static constexpr cl_int kInvalid = CL_INVALID_DEVICE;

  // Throws Error if the driver does not say what the device is.
  Device(Platform& platform, CUdevice ordinal);
  // The parent's groups [first, first + count); `partition_type` is what the application asked for.
  Device(Device& parent, std::size_t first, std::size_t count,
         std::vector<cl_device_partition_property> partition_type);

  Device& root() const { return root_; }
  const Device* parent() const { return parent_.get(); }  // null for a root device
  const std::vector<cl_device_partition_property>& partition_type() const { return partition_type_; }
  cl_uint compute_units() const;
  // How many groups of compute units there are to be divided among sub-devices, and how large each is.
  std::size_t group_count() const;
  unsigned group_size() const;
  // Where the streams of its queues belong; null for a root device. Throws DriverError.
  const cuda::Partition* partition();

  Platform& platform() const { return platform_; }
  const cuda::DriverTable& driver() const { return driver_; }
  CUdevice ordinal() const { return ordinal_; }
  // A value of the driver's; 0 if it does not know the attribute. Throws DriverError.
  int attribute(CUdevice_attribute attribute) const;
  const std::string& name() const { return name_; }
  std::size_t memory_size() const { return memory_size_; }
  // Local memory of one work-group, static and dynamic together.
  std::size_t local_memory_size() const { return local_memory_size_; }

  // What programs are compiled for, and what they may use (device_features.h has what is reported).
  const compiler::Target& target() const { return target_; }
  const compiler::DeviceFeatures& features() const { return features_; }

  // The primary context, retained on first use. Throws Error(CL_DEVICE_NOT_AVAILABLE) if the driver refuses.
  cuda::DeviceContext& context() {
    cuda::DeviceContext* ready = root_.ready_context_.load(std::memory_order_acquire);
    return ready ? *ready : retain_context();
  }

  // Nothing can be done with the device any more (DeviceResources).
  bool lost() const noexcept { return root_.lost_.load(std::memory_order_acquire); }
  // That it is lost, and by which error of which of the driver's functions.
  std::string why_lost() const;

  // The rest is for root devices.

  // Once, with what the driver said; whatever locks the caller holds.
  void lose(const std::string& reason) noexcept;

  // Work in flight: command_queue counts its commands here, so that what would wait for the device can be
  // left for a moment in which there is none.
  void work_started() noexcept {
    work_in_flight_.fetch_add(1, std::memory_order_relaxed);
    worked_.store(true, std::memory_order_relaxed);
  }
  void work_ended() noexcept { work_in_flight_.fetch_sub(1, std::memory_order_relaxed); }
  // Whether there was any since the last time that this was asked.
  bool take_worked() noexcept { return worked_.exchange(false, std::memory_order_relaxed); }
  bool idle() const noexcept { return work_in_flight_.load(std::memory_order_relaxed) == 0; }

  // Lets go of what waits for the device as it goes (a module, an array) and nothing uses any more: at once
  // on an idle device, otherwise when reclaim() next finds it idle, or must have the memory.
  void discard(std::shared_ptr<void> resource) noexcept;
  void reclaim(bool even_if_busy = false) noexcept;

  void take_dispatch_data(const Platform& platform) noexcept;

  // DeviceResources::of() has them here once they are made.
  std::atomic<DeviceResources*>& resources() noexcept { return resources_; }

 private:
  struct Groups {
    std::size_t first, count;
    auto operator<=>(const Groups&) const = default;
  };
  cuda::DeviceContext& retain_context();
  cuda::MultiprocessorGroups& multiprocessors() EXCLUDES(mutex_);
  const cuda::Partition& partition_of(Groups groups) EXCLUDES(mutex_);

  const Ref<Device> parent_;
  Device& root_;
  const Groups groups_;  // of the root device's; a sub-device's
  const std::vector<cl_device_partition_property> partition_type_;
  Platform& platform_;
  const cuda::DriverTable& driver_;
  const CUdevice ordinal_;
  const std::string name_;
  const std::size_t memory_size_;
  std::size_t local_memory_size_ = 0;
  compiler::Target target_;
  compiler::DeviceFeatures features_;
  std::atomic<cuda::DeviceContext*> ready_context_ = nullptr;
  std::atomic<DeviceResources*> resources_ = nullptr;
  std::atomic<int> work_in_flight_ = 0;
  std::atomic<bool> lost_ = false, worked_ = false;
  std::atomic<const std::string*> reason_of_loss_ = nullptr;  // never deleted, as root devices are not
  Mutex mutex_ LOCK_RANK(device);
  std::vector<std::shared_ptr<void>> discarded_ GUARDED_BY(mutex_);
  std::unique_ptr<cuda::MultiprocessorGroups> multiprocessors_ GUARDED_BY(mutex_);
  // Sub-devices of the same groups share one, and it is kept, as its streams are.
  std::map<Groups, cuda::Partition> partitions_ GUARDED_BY(mutex_);
};

}  // namespace clcuda
