// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl.h>

#include <cstddef>
#include <cstdint>
#include <map>

#include "base/mutex.h"
#include "base/ref.h"
#include "cuda/shared_pool.h"
#include "runtime/memory/range_set.h"

namespace clcuda {

class Device;
class Device;
class DeviceResources;

// CL_DEVICE_SVM_CAPABILITIES. Fine-grained where the host may touch managed memory while the device works; system memory where
// the device reaches what malloc gives (a GPU only with the help of the operating system, the executor always).
cl_device_svm_capabilities svm_capabilities(const Device& device);

// What one clSVMAlloc made. The memory goes back to the first device's pool with the last reference: the context's list holds one
// until clSVMFree, each buffer and command that uses the memory another.
class SvmAllocation final : public RefCounted {
 public:
  // Throws Error(CL_MEM_OBJECT_ALLOCATION_FAILURE).
  SvmAllocation(DeviceResources& resources, cl_svm_mem_flags flags, std::size_t size);

  std::byte* data() const { return block_.data; }
  std::size_t size() const { return size_; }
  bool contains(const void* begin, std::size_t size) const {
    const std::size_t offset = offset_of(begin);
    return offset <= size_ && size <= size_ - offset;
  }
  std::size_t offset_of(const void* place) const {
    return reinterpret_cast<std::uintptr_t>(place) - reinterpret_cast<std::uintptr_t>(block_.data);
  }
  // Whether the bytes can be moved ahead of their use; and whether maps and unmaps should: fine-grained memory is mapped by those
  // who know only the other kind.
  bool moves() const;
  bool moves_when_mapped() const { return moves() && !(flags_ & CL_MEM_SVM_FINE_GRAIN_BUFFER); }

  // Mapped regions, so that unmapping one knows its size; of those that begin at one byte, the last one mapped.
  using Mappings = std::multimap<std::size_t, std::size_t>;  // begin → end
  using Mapped = Mappings::node_type;
  void begin_mapping(ByteRange range);
  Mapped end_mapping(std::size_t begin);  // empty where nothing is mapped that begins there
  // Of an unmap that was not accepted.
  void restore_mapping(Mapped mapped) noexcept;

 private:
  ~SvmAllocation() override;

  DeviceResources& resources_;
  const cl_svm_mem_flags flags_;
  const std::size_t size_;
  const cuda::SharedPool::Block block_;
  Mutex mutex_ LOCK_RANK(svm_allocation);
  Mappings mappings_ GUARDED_BY(mutex_);
};

// The shared virtual memory of a context. What the application has not freed goes with the context.
class SvmSpace {
 public:
  // Throws what SvmAllocation does.
  void* allocate(Device& device, cl_svm_mem_flags flags, std::size_t size);
  // False if no allocation begins there.
  bool free(const void* begin);
  // The allocation that contains the byte, or nothing.
  Ref<SvmAllocation> find(const void* byte) const;

 private:
  mutable Mutex mutex_ LOCK_RANK(svm_space);
  std::map<const std::byte*, Ref<SvmAllocation>> allocations_ GUARDED_BY(mutex_);
};

}  // namespace clcuda
