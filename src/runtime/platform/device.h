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

// cl_device_id. A root device is a CUDA device. Its primary CUDA context is retained when an OpenCL context first needs it, and kept for
// the life of the process.
//
// A sub-device consists of some of its root device's groups of multiprocessors. It has its own CUDA green context, in which the streams of
// its queues run; everything else, in particular memory, belongs to the root device.
class Device final : public Object {
 public:
  using Handle = cl_device_id;
  static constexpr ObjectType kType = ObjectType::device;
  static constexpr cl_int kInvalid = CL_INVALID_DEVICE;

  // Throws Error if the driver refuses a query that describes the device.
  Device(Platform& platform, CUdevice ordinal);
  // The parent's groups [first, first + count); `partition_type` is what the application asked for.
  Device(Device& parent, std::size_t first, std::size_t count,
         std::vector<cl_device_partition_property> partition_type);

  Device& root() const { return root_; }
  const Device* parent() const { return parent_.get(); }  // null for a root device
  const std::vector<cl_device_partition_property>& partition_type() const { return partition_type_; }
  cl_uint compute_units() const;  // multiprocessors
  // Number of groups that can be distributed to sub-devices, and multiprocessors in a group.
  std::size_t group_count() const;
  unsigned group_size() const;
  // The green context for the streams of its queues; null for a root device. Throws DriverError.
  const cuda::Partition* partition();

  Platform& platform() const { return platform_; }
  const cuda::DriverTable& driver() const { return driver_; }
  CUdevice ordinal() const { return ordinal_; }
  // cuDeviceGetAttribute; 0 if the driver does not know the attribute. Throws DriverError.
  int attribute(CUdevice_attribute attribute) const;
  const std::string& name() const { return name_; }
  std::size_t memory_size() const { return memory_size_; }  // bytes
  // Bytes of local memory for a work-group, static and dynamic together.
  std::size_t local_memory_size() const { return local_memory_size_; }

  // The target of the compiler, and the features that programs may use. For what queries report see device_features.h.
  const compiler::Target& target() const { return target_; }
  const compiler::DeviceFeatures& features() const { return features_; }

  // The primary context, retained on first use. Throws Error(CL_DEVICE_NOT_AVAILABLE) if that fails.
  cuda::DeviceContext& context() {
    cuda::DeviceContext* ready = root_.ready_context_.load(std::memory_order_acquire);
    return ready ? *ready : retain_context();
  }

  // Whether a fatal error has ended the device's context (DeviceLoss).
  bool lost() const noexcept { return root_.lost_.load(std::memory_order_acquire); }
  // A message that the device is lost, with the driver's function and its error.
  std::string why_lost() const;

  // The functions below are for root devices.

  // Marks the device as lost. Called once, with the driver's error; the caller may hold any locks.
  void lose(const std::string& reason) noexcept;

  // Counts work in flight (CommandQueue), so that operations that wait for the device can be deferred until it is idle.
  void work_started() noexcept {
    work_in_flight_.fetch_add(1, std::memory_order_relaxed);
    worked_.store(true, std::memory_order_relaxed);
  }
  void work_ended() noexcept { work_in_flight_.fetch_sub(1, std::memory_order_relaxed); }
  // Whether any work has started since the last call.
  bool take_worked() noexcept { return worked_.exchange(false, std::memory_order_relaxed); }
  bool idle() const noexcept { return work_in_flight_.load(std::memory_order_relaxed) == 0; }

  // Releases an unused resource whose destruction waits for the device (a module, an array): immediately if the device is idle,
  // otherwise by a later reclaim().
  void discard(std::shared_ptr<void> resource) noexcept;
  // Destroys what was discarded, if the device is idle.
  void reclaim() noexcept;
  // What was discarded, to be destroyed once the work that is now on the device has ended.
  using Discarded = std::vector<std::shared_ptr<void>>;
  Discarded take_discarded() noexcept;

  // Copies the platform's dispatch data (Platform::set_dispatch_data) to this device's handle.
  void take_dispatch_data(const Platform& platform) noexcept;

  // Null until DeviceResources::of() has created them.
  std::atomic<DeviceResources*>& resources() noexcept { return resources_; }

 private:
  struct Groups {
    std::size_t first, count;
    auto operator<=>(const Groups&) const = default;
  };
  cuda::DeviceContext& retain_context();
  // Null if the driver does not divide the device.
  cuda::MultiprocessorGroups* multiprocessors() EXCLUDES(mutex_);
  const cuda::Partition& partition_of(Groups groups) EXCLUDES(mutex_);

  const Ref<Device> parent_;
  Device& root_;
  const Groups groups_;  // a sub-device's, among those of the root device
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
  Discarded discarded_ GUARDED_BY(mutex_);
  std::unique_ptr<cuda::MultiprocessorGroups> multiprocessors_ GUARDED_BY(mutex_);
  // Sub-devices with the same groups share a partition. Partitions are never destroyed, because their streams are not.
  std::map<Groups, cuda::Partition> partitions_ GUARDED_BY(mutex_);
};

}  // namespace clcuda
