// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cuda/event.h"
#include "runtime/context.h"

namespace clcuda {

class Engine;

// What every cl_mem has, whatever its type (section 5.5).
class MemoryObject : public Object {
 public:
  Context& context() const { return *context_; }
  cl_mem_flags flags() const { return flags_; }
  // Where the application's memory (CL_MEM_USE_HOST_PTR) begins for this object; null without that flag.
  void* host_ptr() const { return host_ptr_; }
  const std::vector<cl_mem_properties>& properties() const { return properties_; }
  bool kernel_writable() const { return !(flags_ & CL_MEM_READ_ONLY); }
  virtual cl_uint map_count() const = 0;

  using DestructorCallback = void(CL_CALLBACK*)(cl_mem, void*);
  void add_destructor_callback(DestructorCallback function, void* user);

 protected:
  using LastUses = std::vector<cuda::Event>;

  MemoryObject(ObjectType type, const Object& parent, Context& context, cl_mem_flags flags, void* host_ptr,
               std::vector<cl_mem_properties> properties)
      : Object(type, parent),
        context_(context),
        flags_(flags),
        host_ptr_(host_ptr),
        properties_(std::move(properties)) {}
  // For destructors: calls the application back when all that uses the memory has ended.
  template <class Memory>
  void tell_destructor_callbacks(Memory& memory) noexcept {
    if (has_destructor_callbacks()) tell_destructor_callbacks(memory.mark_last_uses());
  }

 private:
  bool has_destructor_callbacks() noexcept;
  void tell_destructor_callbacks(LastUses uses) noexcept;

  const Ref<Context> context_;
  const cl_mem_flags flags_;
  void* const host_ptr_;
  const std::vector<cl_mem_properties> properties_;

  Mutex callbacks_mutex_;
  std::vector<std::pair<DestructorCallback, void*>> destructor_callbacks_ GUARDED_BY(callbacks_mutex_);
};

// The object behind a handle, of any type. Throws Error(CL_INVALID_MEM_OBJECT).
MemoryObject& memory_object_of(cl_mem handle);

}  // namespace clcuda
