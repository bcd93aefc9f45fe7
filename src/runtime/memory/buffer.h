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
  bool writes = false;  // what is in host memory goes back to the device at unmap
  // What holds `host`, where it is not the application's or the buffer's own.
  std::shared_ptr<cuda::PinnedBlock> block;
  std::uint64_t number = 0;  // Mappings'
};

constexpr cl_uint kMaxPacketSize = 1024;  // CL_DEVICE_PIPE_MAX_PACKET_SIZE

// What a pipe is besides its bytes (builtins/pipe_record.h has their layout).
struct PipeShape {
  cl_uint packet_size, max_packets;
};

// cl_mem of type CL_MEM_OBJECT_BUFFER, a sub-buffer of one, or CL_MEM_OBJECT_PIPE: bytes of which the host sees nothing.
//
// The bytes live on the devices (Storage); host memory has a part only in mapping: a USE_HOST_PTR buffer is mapped to the
// application's memory, an ALLOC_HOST_PTR buffer to page-locked memory of its own, any other to page-locked memory borrowed for
// the time.
class Buffer final : public MemoryObject {
 public:
  using Handle = cl_mem;
  static constexpr ObjectType kType = ObjectType::memory;
  static constexpr cl_int kInvalid = CL_INVALID_MEM_OBJECT;

  Buffer(Context& context, cl_mem_flags flags, std::size_t size, void* host_ptr,
         std::vector<cl_mem_properties> properties);
  // Made of device memory that the application has from CUDA (storage.h).
  Buffer(Context& context, cl_mem_flags flags, std::size_t size, const ApplicationMemory& memory,
         std::vector<cl_mem_properties> properties);
  // A pipe. Throws Error(CL_MEM_OBJECT_ALLOCATION_FAILURE).
  Buffer(Context& context, cl_mem_flags flags, const PipeShape& pipe);
  // A sub-buffer of bytes [origin, origin + size) of `parent`, which is none itself.
  Buffer(Buffer& parent, cl_mem_flags flags, std::size_t origin, std::size_t size);

  std::size_t size() const { return size_; }
  std::size_t origin() const { return origin_; }  // in the parent; 0 without one
  Buffer* parent() const { return parent_.get(); }
  const std::optional<PipeShape>& pipe() const { return pipe_; }
  // Whether the application's memory is shared virtual memory: devices work on it in place.
  bool is_shared() const { return storage_->is_shared(); }
  // cl_ext_buffer_device_address: from then on the application knows where the buffer is on each device of the context. Called once, before
  // anybody else knows the buffer.
  void fix_addresses();
  // Empty for a buffer without, and for one whose parent has none.
  std::vector<CUdeviceptr> addresses() const;
  // Where it lies on that device, for the application to know.
  CUdeviceptr tell_address(std::size_t device) { return storage_->tell_address(device) + origin_; }
  bool has_known_address() const { return storage_->has_known_address(); }
  bool shares_storage_with(const Buffer& other) const { return storage_ == other.storage_; }

  // Storage::use, for bytes of the buffer; the address is that of the buffer's first byte.
  Storage::Location use(std::size_t device, cuda::Stream& stream, ByteRange range, Access access) {
    Storage::Location location =
        storage_->use(device, stream, {origin_ + range.begin, origin_ + range.end}, access);
    location.address += origin_;
    return location;
  }

  // Of bytes that are not shared virtual memory: everything that uses them from now on comes behind what `stream` holds.
  void order_others_behind(std::size_t device, cuda::Stream& stream) {
    storage_->order_others_behind(device, stream);
  }

  // Events that happen when all that has been recorded so far is done with the bytes.
  auto mark_last_uses() noexcept { return storage_->mark_last_uses(); }

  // Finds host memory for a map. Throws Error(CL_MAP_FAILURE).
  Mapping map(DeviceResources& resources, std::size_t offset, std::size_t size, cl_map_flags flags);
  // Of a map whose command was not accepted.
  void forget(const Mapping& mapping) noexcept;
  // Takes the mapping that begins at `host` away, once `enqueue` has brought the command that ends it on its way.
  // Throws Error(CL_INVALID_VALUE) if there is none, and what `enqueue` throws.
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
  // Of an ALLOC_HOST_PTR buffer, once mapped.
  std::shared_ptr<cuda::PinnedBlock> own_host_memory_ GUARDED_BY(mutex_);
  Mappings<Mapping> mappings_;
};

}  // namespace clcuda
