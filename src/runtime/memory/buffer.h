// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "runtime/memory/mappings.h"
#include "runtime/memory/memory_object.h"
#include "runtime/memory/storage.h"

namespace clcuda {

// A region mapped into host memory, until it is unmapped.
struct Mapping {
  std::size_t offset = 0, size = 0;  // in the buffer
  std::byte* host = nullptr;
  bool writes = false;  // an unmap transfers the host memory to the device
  // Owns `host`, unless that is the application's memory or the buffer's own.
  std::shared_ptr<cuda::PinnedBlock> block;
  std::uint64_t number = 0;  // set by Mappings::add()
};

constexpr cl_uint kMaxPacketSize = 1024;  // CL_DEVICE_PIPE_MAX_PACKET_SIZE

// A pipe's properties. builtins/pipe_record.h defines the layout of its bytes.
struct PipeShape {
  cl_uint packet_size, max_packets;
};

// cl_mem of type CL_MEM_OBJECT_BUFFER, a sub-buffer of one, or CL_MEM_OBJECT_PIPE, whose bytes the host cannot access.
//
// The bytes are in the memory of devices (Storage). Host memory is only used for mappings: a CL_MEM_USE_HOST_PTR buffer is mapped to the
// application's memory, a CL_MEM_ALLOC_HOST_PTR buffer to page-locked memory of its own, any other to page-locked memory that is borrowed
// until the unmap.
class Buffer final : public MemoryObject {
 public:
  using Handle = cl_mem;
  static constexpr ObjectType kType = ObjectType::memory;
  static constexpr cl_int kInvalid = CL_INVALID_MEM_OBJECT;

  Buffer(Context& context, cl_mem_flags flags, std::size_t size, void* host_ptr,
         std::vector<cl_mem_properties> properties);
  // A buffer in device memory that the application has allocated with CUDA (storage.h).
  Buffer(Context& context, cl_mem_flags flags, std::size_t size, const ApplicationMemory& memory,
         std::vector<cl_mem_properties> properties);
  // A buffer in imported host memory.
  Buffer(Context& context, cl_mem_flags flags, std::size_t size, Ref<ImportedMemory> memory);
  // A pipe. Throws Error(CL_MEM_OBJECT_ALLOCATION_FAILURE).
  Buffer(Context& context, cl_mem_flags flags, const PipeShape& pipe);
  // A sub-buffer of bytes [origin, origin + size) of `parent`, which must not be a sub-buffer.
  Buffer(Buffer& parent, cl_mem_flags flags, std::size_t origin, std::size_t size);

  std::size_t size() const { return size_; }
  std::size_t origin() const { return origin_; }  // in the parent; 0 without one
  Buffer* parent() const { return parent_.get(); }
  const std::optional<PipeShape>& pipe() const { return pipe_; }
  // Whether devices access the application's memory directly: it is shared virtual memory, or imported.
  bool is_shared() const { return storage_->is_shared(); }
  bool is_svm() const { return storage_->is_svm(); }
  const ImportedMemory* imported() const { return storage_->imported(); }
  // cl_ext_buffer_device_address: allocates the buffer on each device of the context, so that the application can query its addresses.
  // Called once, before any other thread can access the buffer.
  void fix_addresses();
  // Empty if fix_addresses() was called neither for this buffer nor for its parent.
  std::vector<CUdeviceptr> addresses() const;
  // The buffer's address on that device, which is then known to the application (Storage::expose_address).
  CUdeviceptr expose_address(std::size_t device) { return storage_->expose_address(device) + origin_; }
  bool has_known_address() const { return storage_->has_known_address(); }
  bool shares_storage_with(const Buffer& other) const { return storage_ == other.storage_; }
  // Whether the first byte is aligned on every device. Memory from pools always is.
  bool is_aligned(std::size_t alignment) const noexcept {
    return (storage_->given_address() + origin_) % alignment == 0;
  }
  const void* memory_identity() const noexcept { return storage_->identity(); }
  // For a map of a 1D image of this buffer, as for the buffer's own: false if part of the range is mapped for writing already.
  bool begin_write_mapping(ByteRange range) {
    return storage_->begin_write_mapping({origin_ + range.begin, origin_ + range.end});
  }
  void end_write_mapping(ByteRange range) noexcept {
    storage_->end_write_mapping({origin_ + range.begin, origin_ + range.end});
  }
  // Whether the two may have bytes in common.
  bool may_overlap(const Buffer& other) const noexcept {
    if (storage_ != other.storage_) return !storage_->is_apart_from(*other.storage_);
    return origin_ < other.origin_ + other.size_ && other.origin_ < origin_ + size_;
  }

  // Storage::use, for bytes of the buffer; the address is that of the buffer's first byte.
  Storage::Location use(std::size_t device, cuda::Stream& stream, ByteRange range, Access access,
                        Takeovers& taken) {
    Storage::Location location =
        storage_->use(device, stream, {origin_ + range.begin, origin_ + range.end}, access, &taken);
    location.address += origin_;
    return location;
  }

  // Orders all later uses of the bytes after the work in `stream`. Not for shared virtual memory.
  void order_others_behind(std::size_t device, cuda::Stream& stream) {
    storage_->order_others_behind(device, stream);
  }

  void record_access(std::size_t device, cuda::Stream& stream) override {
    storage_->record_access(device, stream);
  }

  // The uses of the bytes that are now in streams.
  auto mark_last_uses() noexcept { return storage_->mark_last_uses(); }

  // Finds host memory for a map. Throws Error(CL_MAP_FAILURE).
  Mapping map(DeviceResources& resources, std::size_t offset, std::size_t size, cl_map_flags flags);
  // Undoes map() if its command could not be enqueued.
  void forget(const Mapping& mapping) noexcept;
  // Removes the mapping that begins at `host` after calling `enqueue`, which enqueues the unmap command. Throws Error(CL_INVALID_VALUE) if
  // there is no such mapping, and the exceptions of `enqueue`.
  void unmap(void* host, const std::function<void(const Mapping&)>& enqueue);
  cl_uint map_count() const override;

 private:
  ~Buffer() override;
  void upload(const void* host, std::size_t size, std::size_t cleared = 0);
  std::byte* own_host_memory(DeviceResources& resources);
  void end(const Mapping& mapping) noexcept;

  const Ref<Buffer> parent_;
  const std::size_t size_, origin_;
  const std::optional<PipeShape> pipe_;
  const Ref<Storage> storage_;
  std::vector<CUdeviceptr> addresses_;

  mutable Mutex mutex_ LOCK_RANK(buffer);
  // For a CL_MEM_ALLOC_HOST_PTR buffer; allocated by the first map.
  std::shared_ptr<cuda::PinnedBlock> own_host_memory_ GUARDED_BY(mutex_);
  Mappings<Mapping> mappings_;
};

}  // namespace clcuda
