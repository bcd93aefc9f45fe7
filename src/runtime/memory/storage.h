// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <map>
#include <span>
#include <vector>

#include "base/mutex.h"
#include "base/ref.h"
#include "runtime/device/device_resources.h"
#include "runtime/device/stream_access_tracker.h"
#include "runtime/memory/imported_memory.h"
#include "runtime/memory/range_set.h"
#include "runtime/memory/svm.h"
#include "runtime/memory/takeovers.h"

namespace clcuda {

class Context;

// How work accesses a range of memory. This determines whether the range must be valid on the device before, and whether it becomes invalid
// on other devices.
enum class Access : std::uint8_t {
  read,
  read_anywhere,  // by a copy, which may read the range from another device if all of it is valid there
  write,
  overwrite  // writes every byte of the range and reads none
};

// Device memory that the application has allocated with CUDA, and which it frees itself. It has the initial contents of a buffer made of
// it.
struct ApplicationMemory {
  std::size_t device;  // Context::memory_index()
  CUdeviceptr address;
  std::size_t size;  // from `address` to the end of the allocation
};
// Throws Error(CL_INVALID_PROPERTY) if the address is not in memory of one of the context's devices.
ApplicationMemory application_memory_at(const Context& context, CUdeviceptr address);

// The bytes of a buffer and its sub-buffers. Each device has an allocation, which is made when it first uses the buffer, and a set of valid
// bytes. A byte may be valid on several devices; a write leaves it valid on one. Validity changes in the order of submission. Storage
// orders only its own migrations between devices; the application must order other accesses (for example of two queues that write one
// buffer).
class Storage final : public RefCounted {
 public:
  Storage(std::span<Device* const> devices, std::size_t size);
  // Bytes of shared virtual memory, which all devices access at the same address.
  Storage(std::span<Device* const> devices, std::size_t size, Ref<SvmAllocation> shared, CUdeviceptr address);
  // Imported memory, which all devices access at the same address.
  Storage(std::span<Device* const> devices, std::size_t size, Ref<ImportedMemory> imported);
  // In the application's device memory on one device; other devices get allocations of their own.
  Storage(std::span<Device* const> devices, std::size_t size, const ApplicationMemory& memory);

  std::size_t size() const { return size_; }
  // Whether the host and all devices access the bytes at the same address.
  bool is_shared() const { return svm_ || imported_; }
  bool is_svm() const { return static_cast<bool>(svm_); }
  const ImportedMemory* imported() const { return imported_.get(); }
  // The address of shared, imported and the application's memory. 0 if clcuda allocates the memory.
  CUdeviceptr given_address() const noexcept { return given_address_; }
  // Identifies the memory: two storages have no byte in common if their identities differ and neither is null. Null for imported memory and
  // the application's device memory.
  const void* identity() const noexcept {
    if (svm_) return svm_->data();
    return given_address_ ? nullptr : this;
  }
  // Whether it is certain that the two have no byte in common.
  bool is_apart_from(const Storage& other) const noexcept;
  // Whether the application knows the storage's address and may therefore access it without OpenCL commands.
  bool has_known_address() const { return is_shared() || exposed_.load(std::memory_order_relaxed); }

  struct Location {
    CUdeviceptr address = 0;                    // of the storage's first byte
    const cuda::DeviceContext* peer = nullptr;  // the device that has the memory; null: the stream's
  };
  // Makes the range usable by the next work in `stream`, a stream of that device. The CUDA context is current. `device` is
  // Context::memory_index(). If this throws, or the work is refused, `taken` is to be given back; null: the contents are new.
  Location use(std::size_t device, cuda::Stream& stream, ByteRange range, Access access,
               Takeovers* taken = nullptr);

  // Returns the permanent address of the storage on that device, which the application then knows. Allocates the storage and waits for
  // that, so that any stream may use the address.
  CUdeviceptr fix_address(std::size_t device);
  // The same, but does not wait if the storage is already allocated: for streams that are ordered after the allocation.
  CUdeviceptr expose_address(std::size_t device);

  // Orders all later uses of the storage after the work in `stream`, which has just written to it.
  void order_others_behind(std::size_t device, cuda::Stream& stream);

  // Notes that a range is mapped for writing; returns false if part of it already is.
  bool begin_write_mapping(ByteRange range);
  void end_write_mapping(ByteRange range) noexcept;

  // Notes that work in `stream` accesses the storage, which is freed behind that work.
  void record_access(std::size_t device, cuda::Stream& stream);

  // The uses of the storage that are now in streams.
  LastUses mark_last_uses() noexcept;

 private:
  struct Place {
    DeviceResources* resources = nullptr;
    CUdeviceptr address = 0;
    bool owned = true;  // not the application's memory
    RangeSet valid;
    StreamAccessTracker uses;
  };

  static std::vector<Place> places_on(std::span<Device* const> devices);
  ~Storage() override;
  void place_everywhere(CUdeviceptr address);
  void allocate(Place& place, cuda::Stream& stream) REQUIRES(mutex_);
  void make_valid(std::size_t device, cuda::Stream& stream, ByteRange range, Access access, Takeovers* taken)
      REQUIRES(mutex_);
  void require_present(const Place& place, ByteRange range) const REQUIRES(mutex_);
  Place* find_elsewhere(const Place& reader, ByteRange range) REQUIRES(mutex_);
  // Bytes that were valid on a device, in `places_`.
  struct Part {
    std::size_t device;
    ByteRange bytes;
  };
  void note_takeover(std::size_t device, ByteRange range, Takeovers& taken) REQUIRES(mutex_);
  void give_back(std::size_t device, std::span<const Part> parts) noexcept;
  void bring(std::size_t device, cuda::Stream& stream, ByteRange range) REQUIRES(mutex_);
  void read_there(Place& other, Place& reader, cuda::Stream& stream) REQUIRES(mutex_);

  const std::size_t size_;
  const CUdeviceptr given_address_ = 0;
  const Ref<SvmAllocation> svm_;  // both empty if clcuda allocates the memory
  const Ref<ImportedMemory> imported_;
  std::atomic<bool> exposed_ = false;  // the application knows an address
  Mutex mutex_ LOCK_RANK(buffer_storage);
  std::vector<Place> places_ GUARDED_BY(mutex_);
  std::map<std::size_t, std::size_t> write_mappings_
      GUARDED_BY(mutex_);  // from their begins to their ends; none overlap
};

}  // namespace clcuda
