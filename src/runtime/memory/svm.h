// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "base/mutex.h"
#include "base/ref.h"
#include "cuda/driver_api.h"
#include "runtime/device/user_list.h"
#include "runtime/memory/queue_streams.h"
#include "runtime/memory/range_set.h"

namespace clcuda {

class Device;
class DeviceResources;

// CL_DEVICE_SVM_CAPABILITIES. Fine-grained buffers if the host may access managed memory while the device works; fine-grained system memory
// if, in addition, the device can access memory from malloc() (a GPU only with support of the operating system, the executor always).
cl_device_svm_capabilities svm_capabilities(const Device& device);

// A device's capabilities for each kind of memory of cl_intel_unified_shared_memory.
struct UsmCapabilities {
  cl_device_unified_shared_memory_capabilities_intel host, device, single_device_shared, cross_device_shared,
      shared_system;
};
UsmCapabilities usm_capabilities(const Device& device);

// Kinds of memory that the application and kernels access by pointers: from clSVMAlloc, and the three kinds of
// cl_intel_unified_shared_memory: page-locked host memory, memory of one device, and memory that migrates between host and devices.
enum class PointerMemory : std::uint8_t { svm, host, device, shared };

// The greatest alignment of an allocation, in bytes. The specifications demand no more than that of the largest type, 128, but programs ask
// for pages: chipStar's hipHostMalloc.
inline constexpr std::size_t kGreatestAlignment = 64 << 10;
// Whether an allocation can have that alignment; 0 stands for the largest type's.
constexpr bool is_alignment(std::size_t alignment) {
  return (alignment & (alignment - 1)) == 0 && alignment <= kGreatestAlignment;
}

struct PointerRequest {
  PointerMemory kind = PointerMemory::svm;
  std::size_t size = 0;
  std::size_t alignment = 0;  // a power of two up to kGreatestAlignment; 0: that of the largest type
  cl_bitfield flags = 0;      // of clSVMAlloc, or CL_MEM_ALLOC_FLAGS_INTEL
  Device* device =
      nullptr;  // named by the application: required for device memory, and optional for shared memory
  bool for_peers = false;  // other devices may copy from the memory
};

// An allocation of clSVMAlloc or cl*MemAllocINTEL. When the last reference is dropped, the memory is returned to a pool of the device,
// after all work that is then in streams of the context's queues, so that no kernel accesses memory that is in use for another purpose.
// SvmSpace holds a reference until the memory is freed, as does each buffer and command that uses the memory.
class SvmAllocation final : public RefCounted {
 public:
  // Allocates from the pools of that device. Throws Error(CL_MEM_OBJECT_ALLOCATION_FAILURE).
  SvmAllocation(DeviceResources& resources, const PointerRequest& request,
                std::shared_ptr<QueueStreams> streams);

  PointerMemory kind() const { return request_.kind; }
  cl_bitfield flags() const { return request_.flags; }
  Device* device() const { return request_.device; }
  DeviceResources& resources() const { return resources_; }
  std::byte* data() const { return data_; }
  std::size_t size() const { return request_.size; }
  bool contains(const void* begin, std::size_t size) const {
    const std::size_t offset = offset_of(begin);
    return offset <= request_.size && size <= request_.size - offset;
  }
  std::size_t offset_of(const void* place) const {
    return reinterpret_cast<std::uintptr_t>(place) - reinterpret_cast<std::uintptr_t>(data_);
  }
  // moves(): whether the memory can be prefetched to the host or a device. moves_when_mapped(): whether map and unmap commands should do
  // this. Not for fine-grained memory, which does not need to be mapped.
  bool moves() const;
  bool moves_when_mapped() const {
    return kind() == PointerMemory::svm && moves() && !(flags() & CL_MEM_SVM_FINE_GRAIN_BUFFER);
  }

  // Mapped regions, because an unmap needs the region's size. Of several at the same address, the last one mapped is removed first.
  using Mappings = std::multimap<std::size_t, std::size_t>;  // begin → end
  using Mapped = Mappings::node_type;
  void begin_mapping(ByteRange range);
  Mapped end_mapping(std::size_t begin);  // empty if no region begins there
  // Undoes end_mapping() if the unmap could not be enqueued.
  void restore_mapping(Mapped mapped) noexcept;

 private:
  ~SvmAllocation() override;
  void allocate_on_device();
  void allocate_on_host();
  void allocate_shared();
  void place_on_device() noexcept;
  // The size of the block, which is larger than the allocation if it has to be aligned within it.
  std::size_t block_size() const;
  std::byte* aligned(std::byte* block) const;

  DeviceResources& resources_;
  const PointerRequest request_;
  const std::shared_ptr<QueueStreams> streams_;
  std::byte* data_ = nullptr;
  CUdeviceptr block_ = 0;  // of device memory
  std::function<void()>
      keep_;  // does nothing; its last copy returns the block of host or shared memory to the pool
  Mutex mutex_ LOCK_RANK(svm_allocation);
  Mappings mappings_ GUARDED_BY(mutex_);
};

// A queue of the context, whose commands may use any allocation of the context.
class MemoryUser {
 public:
  // A reference to the queue; empty once its destructor has begun.
  virtual Ref<RefCounted> try_keep() noexcept = 0;
  // Waits until all commands enqueued so far are complete, or the device is lost. Throws Error if it cannot wait.
  virtual void wait_for_all() = 0;
  // If the queue has held commands, keeps `memory` until they are complete. Commands that have been submitted to streams need no reference.
  virtual void keep_for_held(const Ref<RefCounted>& memory) = 0;

 protected:
  ~MemoryUser() = default;
};

// The allocations of a context that are accessed by pointers. Those that the application has not freed are freed with the context.
// Thread-safe.
class SvmSpace {
 public:
  // Allocates from the pools of that device. Throws the errors of SvmAllocation.
  void* allocate(Device& device, const PointerRequest& request);

  // Frees the allocation that begins at `begin`. Returns false if there is none of that kind: shared virtual memory, or unified shared
  // memory.
  enum class Name : std::uint8_t { svm, usm };
  bool free(const void* begin, Name name);
  // Waits for all commands enqueued so far in the context's queues, then frees unified shared memory. If it throws, nothing has been freed.
  bool free_when_unused(const void* begin);

  // The allocation that contains `byte`; empty if there is none.
  Ref<SvmAllocation> find(const void* byte) const;
  // The beginnings of the allocations that contain the byte at a pointer and the byte before it; null if there are none.
  struct Around {
    const std::byte *at, *before;
  };
  Around around(const void* pointer) const;
  // How many allocations have been freed so far.
  std::uint64_t freed() const noexcept { return freed_.load(std::memory_order_relaxed); }

  // For queues.
  void add_user(MemoryUser& user);
  void remove_user(MemoryUser& user) noexcept;
  void add_stream(cuda::Stream& stream) { streams_->add(stream); }
  void queue_gone(cuda::Stream& stream) noexcept { streams_->queue_gone(stream); }

 private:
  Ref<SvmAllocation> find_beginning(const void* begin, Name name) const;
  Ref<SvmAllocation> take(const void* begin, Name name);
  std::vector<UserList<MemoryUser>::Kept> users() const;

  const std::shared_ptr<QueueStreams> streams_ = std::make_shared<QueueStreams>();
  mutable Mutex mutex_ LOCK_RANK(svm_space);
  std::map<const std::byte*, Ref<SvmAllocation>> allocations_ GUARDED_BY(mutex_);
  UserList<MemoryUser> users_ GUARDED_BY(mutex_);
  std::atomic<std::uint64_t> freed_ = 0;
};

}  // namespace clcuda
