// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "runtime/destructor_callbacks.h"
#include "runtime/device/completion_watcher.h"
#include "runtime/memory/device_addresses.h"
#include "runtime/memory/svm.h"
#include "runtime/object.h"
#include "runtime/platform/callback_thread.h"

namespace clcuda {

class Device;
class Platform;

// An OpenCL context: devices of one platform, and where their errors are told.
class Context final : public Object {
 public:
  using Handle = cl_context;
  static constexpr ObjectType kType = ObjectType::context;
  static constexpr cl_int kInvalid = CL_INVALID_CONTEXT;
  using Notify = void(CL_CALLBACK*)(const char* reason, const void* data, size_t size, void* user);

  Context(std::vector<Device*> devices, std::vector<cl_context_properties> properties, Notify notify,
          void* user);
  ~Context() override;

  Platform& platform() const;
  std::span<Device* const> devices() const { return devices_; }
  bool has(const Device& device) const;
  // The place of the device's memory among the devices: sub-devices share their root's, in the place of the first of them.
  std::size_t memory_index(const Device& device) const;
  std::span<const cl_context_properties> properties() const { return properties_; }

  SvmSpace& svm() { return svm_; }
  DeviceAddresses& device_addresses() { return device_addresses_; }

  // Tells the application's callback, where it gave one. Called with no lock held, from any thread.
  void notify(const std::string& reason) const noexcept;
  // The same once for each device that is lost.
  void notify_lost(const Device& device, const std::string& message) noexcept;
  // Runs the callbacks of this context's events and memory objects.
  CallbackThread& callback_thread() { return callback_thread_; }
  // Sees the ends of commands whose completion somebody must be told of.
  CompletionWatcher& watcher() { return watcher_; }
  DestructorCallbacks<cl_context>& destructor_callbacks() { return destructor_callbacks_; }

 private:
  const std::vector<Device*> devices_;
  const std::vector<Ref<Device>> kept_devices_;  // sub-devices go with the last context that has them
  const std::vector<cl_context_properties> properties_;
  const Notify notify_;
  void* const user_;
  CallbackThread callback_thread_;
  CompletionWatcher watcher_;
  Mutex mutex_ LOCK_RANK(context);
  std::vector<const Device*> lost_ GUARDED_BY(mutex_);  // those told of
  SvmSpace svm_;
  DeviceAddresses device_addresses_;
  DestructorCallbacks<cl_context> destructor_callbacks_;
};

}  // namespace clcuda
