// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl_ext.h>

#include <utility>

#include "world.h"

namespace faults {

enum class Unified { host, device, shared };

// Memory of cl_intel_unified_shared_memory. If the scenario ends early, the destructor frees it when no command uses it any more.
template <class T>
class UnifiedMemory {
 public:
  // `device` is required for device memory, and may be null for shared memory.
  UnifiedMemory(World& world, Unified kind, std::size_t count, cl_device_id device = nullptr,
                cl_mem_alloc_flags_intel flags = 0)
      : context_(world.context()) {
    const cl_mem_properties_intel properties[] = {CL_MEM_ALLOC_FLAGS_INTEL, flags, 0};
    const std::size_t size = count * sizeof(T);
    void* const made = kind == Unified::host     ? world.make("clHostMemAllocINTEL", clHostMemAllocINTEL,
                                                              context_, properties, size, 0u)
                       : kind == Unified::device ? world.make("clDeviceMemAllocINTEL", clDeviceMemAllocINTEL,
                                                              context_, device, properties, size, 0u)
                                                 : world.make("clSharedMemAllocINTEL", clSharedMemAllocINTEL,
                                                              context_, device, properties, size, 0u);
    data_ = static_cast<T*>(made);
  }
  ~UnifiedMemory() {
    if (data_) clMemFreeINTEL(context_, data_);
  }
  UnifiedMemory(const UnifiedMemory&) = delete;
  UnifiedMemory& operator=(const UnifiedMemory&) = delete;

  T* data() const { return data_; }
  // A call that failed must not have freed the memory, so a second one succeeds.
  void free(World& world, bool blocking) {
    const auto try_it = [&] {
      return blocking ? clMemBlockingFreeINTEL(context_, data_) : clMemFreeINTEL(context_, data_);
    };
    const cl_int code = try_it();
    if (code != CL_SUCCESS)
      world.insist("what could not be freed cannot be freed again", try_it() == CL_SUCCESS);
    data_ = nullptr;
    world.call(blocking ? "clMemBlockingFreeINTEL" : "clMemFreeINTEL", code);
  }

 private:
  const cl_context context_;
  T* data_ = nullptr;
};

}  // namespace faults
