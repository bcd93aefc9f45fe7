// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "base/error.h"
#include "runtime/destructor_callbacks.h"
#include "runtime/device/side_streams.h"
#include "runtime/extension_definitions.h"
#include "runtime/platform/context.h"

namespace clcuda {

class DeviceResources;

// The base of all types of cl_mem (section 5.5).
class MemoryObject : public Object {
 public:
  Context& context() const { return *context_; }
  cl_mem_flags flags() const { return flags_; }
  // The address of the object in the application's memory (CL_MEM_USE_HOST_PTR, or imported); otherwise null.
  void* host_ptr() const { return host_ptr_; }
  const std::vector<cl_mem_properties>& properties() const { return properties_; }
  // cl_ext_immutable_memory_objects: the contents must not change after creation.
  bool is_immutable() const { return flags_ & CL_MEM_IMMUTABLE_EXT; }
  // Whether the application's memory at host_ptr() always has the contents. It may be memory that cannot be written.
  bool host_has_contents() const { return is_immutable() && host_ptr_; }
  // Whether kernels may write to it.
  bool kernel_writable() const { return !(flags_ & CL_MEM_READ_ONLY) && !is_immutable(); }
  virtual cl_uint map_count() const = 0;  // CL_MEM_MAP_COUNT
  // Notes that work in `stream`, a stream of that device (Context::memory_index()), accesses the object: its memory is freed behind that
  // work, or given back to the application.
  virtual void record_access(std::size_t device, cuda::Stream& stream) = 0;

  DestructorCallbacks<cl_mem>& destructor_callbacks() { return destructor_callbacks_; }

 protected:
  MemoryObject(ObjectType type, const Object& parent, Context& context, cl_mem_flags flags, void* host_ptr,
               std::vector<cl_mem_properties> properties)
      : Object(type, parent),
        context_(context),
        flags_(flags),
        host_ptr_(host_ptr),
        properties_(std::move(properties)) {}
  // For destructors: calls the application's destructor callbacks when all uses of the memory have ended.
  template <class Memory>
  void post_destructor_callbacks(Memory& memory) noexcept {
    if (auto tell = destructor_callbacks_.take(*this)) post_behind(memory.mark_last_uses(), std::move(tell));
  }

 private:
  void post_behind(const LastUses& uses, DestructorCallbacks<cl_mem>::Calls tell) noexcept;

  const Ref<Context> context_;
  const cl_mem_flags flags_;
  void* const host_ptr_;
  const std::vector<cl_mem_properties> properties_;
  DestructorCallbacks<cl_mem> destructor_callbacks_;
};

// The memory object, of any type, of a handle. Throws Error(CL_INVALID_MEM_OBJECT).
MemoryObject& memory_object_of(cl_mem handle);

}  // namespace clcuda
