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

// cl_context: devices of one platform, the application's callback for errors, and the shared virtual memory of the context.
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
  // The index, in devices(), under which memory objects store their data of this device. Sub-devices share their root device's memory and
  // have the index of the first of them.
  std::size_t memory_index(const Device& device) const;
  std::span<const cl_context_properties> properties() const { return properties_; }

  SvmSpace& svm() { return svm_; }
  DeviceAddresses& device_addresses() { return device_addresses_; }

  // Calls the application's pfn_notify (clCreateContext), if there is one. Any thread; no lock held.
  void notify(const std::string& reason) const noexcept;
  // The same for a lost device, once for each device.
  void notify_lost(const Device& device, const std::string& message) noexcept;
  // Calls the callbacks of this context's events and memory objects.
  CallbackThread& callback_thread() { return callback_thread_; }
  // Observes the completion of commands that have callbacks, or on which commands held on the host depend.
  CompletionWatcher& watcher() { return watcher_; }
  DestructorCallbacks<cl_context>& destructor_callbacks() { return destructor_callbacks_; }

 private:
  const std::vector<Device*> devices_;
  const std::vector<Ref<Device>> kept_devices_;  // for sub-devices, which are reference-counted
  const std::vector<cl_context_properties> properties_;
  const Notify notify_;
  void* const user_;
  CallbackThread callback_thread_;
  CompletionWatcher watcher_;
  Mutex mutex_ LOCK_RANK(context);
  std::vector<const Device*> lost_ GUARDED_BY(mutex_);  // reported by notify_lost()
  SvmSpace svm_;
  DeviceAddresses device_addresses_;
  DestructorCallbacks<cl_context> destructor_callbacks_;
};

}  // namespace clcuda
