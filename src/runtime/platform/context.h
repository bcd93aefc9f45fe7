// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/destructor_callbacks.h"
#include "runtime/memory/svm.h"
#include "runtime/object.h"

namespace clcuda {

class Device;
class CallbackThread;
class Platform;

std::shared_ptr<CallbackThread> make_callback_thread();

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
  std::span<const cl_context_properties> properties() const { return properties_; }

  SvmSpace& svm() { return svm_; }

  // Tells the application's callback, where it gave one. Called with no lock held, from any thread.
  void notify(const std::string& reason) const noexcept;
  // The thread that runs the callbacks of this context's events and memory objects.
  CallbackThread& callback_thread() const { return *callback_thread_; }
  DestructorCallbacks<cl_context>& destructor_callbacks() { return destructor_callbacks_; }

 private:
  const std::vector<Device*> devices_;
  const std::vector<Ref<Device>> kept_devices_;  // sub-devices go with the last context that has them
  const std::vector<cl_context_properties> properties_;
  const Notify notify_;
  void* const user_;
  const std::shared_ptr<CallbackThread> callback_thread_ = make_callback_thread();
  SvmSpace svm_;
  DestructorCallbacks<cl_context> destructor_callbacks_;
};

}  // namespace clcuda
