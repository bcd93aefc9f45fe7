// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "base/mutex.h"
#include "base/ref.h"
#include "runtime/device/user_list.h"
#include "runtime/memory/queue_streams.h"
#include "runtime/memory/range_set.h"

namespace clcuda {

class Device;
class DeviceResources;

// CL_DEVICE_SVM_CAPABILITIES. Fine-grained where the host may touch managed memory while the device works; system memory where
// the device reaches what malloc gives (a GPU only with the help of the operating system, the executor always).
cl_device_svm_capabilities svm_capabilities(const Device& device);

// What a device can do with each kind of memory of cl_intel_unified_shared_memory.
struct UsmCapabilities {
  cl_device_unified_shared_memory_capabilities_intel host, device, single_device_shared, cross_device_shared,
      shared_system;
};
UsmCapabilities usm_capabilities(const Device& device);

// Memory that the application and kernels know by pointers: of clSVMAlloc, and the three kinds of cl_intel_unified_shared_memory: page-locked
// memory of the host, memory of one device, and memory that moves between host and devices.
enum class PointerMemory : std::uint8_t { svm, host, device, shared };

struct PointerRequest {
  PointerMemory kind = PointerMemory::svm;
  std::size_t size = 0;
  cl_bitfield flags = 0;  // of clSVMAlloc, or CL_MEM_ALLOC_FLAGS_INTEL
  Device* device =
      nullptr;  // that the application has named: of device memory, and of shared memory where it likes
  bool for_peers = false;  // other devices may copy from there
};

// What one clSVMAlloc, or one cl*MemAllocINTEL, made. With the last reference the memory goes back to the pool of a device, behind all that
// the context's queues have in their streams: no kernel ever finds there what is somebody else's. The context's list holds one until the
// memory is freed, each buffer and command that uses the memory another.
class SvmAllocation final : public RefCounted {
 public:
  // From the memory of that device. Throws Error(CL_MEM_OBJECT_ALLOCATION_FAILURE).
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
  // Whether the bytes can be moved ahead of their use; and whether maps and unmaps should: fine-grained memory is mapped by those
  // who know only the other kind.
  bool moves() const;
  bool moves_when_mapped() const {
    return kind() == PointerMemory::svm && moves() && !(flags() & CL_MEM_SVM_FINE_GRAIN_BUFFER);
  }

  // Mapped regions, so that unmapping one knows its size; of those that begin at one byte, the last one mapped.
  using Mappings = std::multimap<std::size_t, std::size_t>;  // begin → end
  using Mapped = Mappings::node_type;
  void begin_mapping(ByteRange range);
  Mapped end_mapping(std::size_t begin);  // empty where nothing is mapped that begins there
  // Of an unmap that was not accepted.
  void restore_mapping(Mapped mapped) noexcept;

 private:
  ~SvmAllocation() override;
  void allocate_on_device();
  void allocate_on_host();
  void allocate_shared();
  void place_on_device() noexcept;

  DeviceResources& resources_;
  const PointerRequest request_;
  const std::shared_ptr<QueueStreams> streams_;
  std::byte* data_ = nullptr;
  std::function<void()>
      keep_;  // does nothing, and holds what goes back to a pool of the host's or of shared memory with its last copy
  Mutex mutex_ LOCK_RANK(svm_allocation);
  Mappings mappings_ GUARDED_BY(mutex_);
};

// A queue of the context, as its memory sees it: the commands that it has been given may use any of that.
class MemoryUser {
 public:
  // Keeps it; empty once its destructor has begun.
  virtual Ref<RefCounted> try_keep() noexcept = 0;
  // Returns when all that was enqueued before is complete, or never will be. Throws where it cannot wait.
  virtual void wait_for_all() = 0;
  // Keeps the memory until what is not in a stream yet is complete; what is there already is not meant.
  virtual void keep_for_held(const Ref<RefCounted>& memory) = 0;

 protected:
  ~MemoryUser() = default;
};

// The memory of a context that is known by pointers. What the application has not freed goes with the context.
class SvmSpace {
 public:
  // From the memory of that device. Throws what SvmAllocation does.
  void* allocate(Device& device, const PointerRequest& request);

  // False if nothing of that name begins there: shared virtual memory, or unified shared memory.
  enum class Name : std::uint8_t { svm, usm };
  bool free(const void* begin, Name name);
  // The same for unified shared memory, once all commands are complete that the context's queues have been given. What throws has freed nothing.
  bool free_when_unused(const void* begin);

  // The allocation that contains the byte, or nothing.
  Ref<SvmAllocation> find(const void* byte) const;

  // For queues.
  void add_user(MemoryUser& user);
  void remove_user(MemoryUser& user) noexcept;
  void add_stream(cuda::Stream& stream) { streams_->add(stream); }

 private:
  Ref<SvmAllocation> find_beginning(const void* begin, Name name) const;
  Ref<SvmAllocation> take(const void* begin, Name name);
  std::vector<UserList<MemoryUser>::Kept> users() const;

  const std::shared_ptr<QueueStreams> streams_ = std::make_shared<QueueStreams>();
  mutable Mutex mutex_ LOCK_RANK(svm_space);
  std::map<const std::byte*, Ref<SvmAllocation>> allocations_ GUARDED_BY(mutex_);
  UserList<MemoryUser> users_ GUARDED_BY(mutex_);
};

}  // namespace clcuda
