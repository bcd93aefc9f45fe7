// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "base/error.h"
#include "runtime/context.h"
#include "runtime/destructor_callbacks.h"
#include "runtime/side_streams.h"

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

  DestructorCallbacks<cl_mem>& destructor_callbacks() { return destructor_callbacks_; }

 protected:
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
    if (auto tell = destructor_callbacks_.take(*this)) tell_behind(memory.mark_last_uses(), std::move(tell));
  }

 private:
  void tell_behind(const LastUses& uses, DestructorCallbacks<cl_mem>::Calls tell) noexcept;

  const Ref<Context> context_;
  const cl_mem_flags flags_;
  void* const host_ptr_;
  const std::vector<cl_mem_properties> properties_;
  DestructorCallbacks<cl_mem> destructor_callbacks_;
};

// Takes what a map returned out of an object's mappings. Of several that begin at one byte, one that writes is given up last: none of
// its bytes may be lost. Throws Error(CL_INVALID_VALUE).
template <class Mapping>
Mapping take_mapping(std::multimap<void*, Mapping>& mappings, void* host) {
  auto found = mappings.find(host);
  if (found == mappings.end())
    throw Error(CL_INVALID_VALUE, "not a pointer that a map of this object returned");
  for (auto other = found; other != mappings.end() && other->first == host; ++other)
    if (!other->second.writes) found = other;
  Mapping taken = std::move(found->second);
  mappings.erase(found);
  return taken;
}

// The object behind a handle, of any type. Throws Error(CL_INVALID_MEM_OBJECT).
MemoryObject& memory_object_of(cl_mem handle);

}  // namespace clcuda
