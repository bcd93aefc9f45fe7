// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <vector>

#include "base/mutex.h"
#include "base/ref.h"
#include "runtime/device/device_resources.h"
#include "runtime/device/stream_access_tracker.h"
#include "runtime/memory/range_set.h"
#include "runtime/memory/svm.h"

namespace clcuda {

class Context;

// How what is recorded uses a range of memory: whether its bytes have to be there first, and whether other devices' are out of date
// afterwards.
enum class Access : std::uint8_t {
  read,
  read_anywhere,  // by a copy, which takes the range from another device where that has all of it
  write,
  overwrite  // every byte of the range, nothing is read
};

// Device memory that the application has from CUDA: of a buffer made of it, that device has the first contents there. It is the
// application's to free.
struct ApplicationMemory {
  std::size_t device;  // the place in the context's list
  CUdeviceptr address;
  std::size_t size;  // to the end of the allocation
};
// Throws Error(CL_INVALID_PROPERTY) for what is not memory of a device of the context's.
ApplicationMemory application_memory_at(const Context& context, CUdeviceptr address);

// The bytes of a buffer and its sub-buffers, wherever they are: on each device an allocation made when first used there, and the set
// of bytes that are up to date. Many devices may hold a byte, a write leaves it to one. All of this is decided in the order of
// submission; what the application has to order (two queues that write one buffer) is not ordered here, only our own migrations are.
class Storage final : public RefCounted {
 public:
  Storage(std::span<Device* const> devices, std::size_t size);
  // Bytes of shared virtual memory: every device has them, at their own address.
  Storage(std::span<Device* const> devices, std::size_t size, Ref<SvmAllocation> shared, CUdeviceptr address);
  // Made of the application's memory on one device; other devices get allocations of ours.
  Storage(std::span<Device* const> devices, std::size_t size, const ApplicationMemory& memory);

  std::size_t size() const { return size_; }
  bool is_shared() const { return static_cast<bool>(shared_); }
  // Whether the application knows where the storage is, so that what it does there need not be a command of ours.
  bool has_known_address() const { return has_known_address_.load(std::memory_order_relaxed); }

  struct Location {
    CUdeviceptr address = 0;                    // of the storage's first byte
    const cuda::DeviceContext* peer = nullptr;  // whose memory that is; null: the stream's own device's
  };
  // Makes the range usable by what is recorded next into `stream` of that device. The CUDA context is
  // current. `device` is the place in the context's list.
  Location use(std::size_t device, cuda::Stream& stream, ByteRange range, Access access);

  // Where that device has the storage, now and always, for the application to know; it is allocated, and whatever stream may use it.
  CUdeviceptr fix_address(std::size_t device);
  // The same without a wait, where it has been allocated: for streams that come behind that.
  CUdeviceptr tell_address(std::size_t device);

  // Everything that uses the storage from now on comes behind what `stream` holds, which has just written to it.
  void order_others_behind(std::size_t device, cuda::Stream& stream);

  // Notes that a range is mapped for writing; false if part of it is already.
  bool begin_write_mapping(ByteRange range);
  void end_write_mapping(ByteRange range) noexcept;

  // Events that happen when all that has been recorded so far is done with the storage.
  LastUses mark_last_uses() noexcept;

 private:
  struct Place {
    DeviceResources* resources = nullptr;
    CUdeviceptr address = 0;
    bool owned = true;  // not the application's memory
    RangeSet valid;
    StreamAccessTracker uses;
  };

  ~Storage() override;
  void allocate(Place& place, cuda::Stream& stream) REQUIRES(mutex_);
  Place* find_elsewhere(const Place& reader, ByteRange range) REQUIRES(mutex_);
  void bring(std::size_t device, cuda::Stream& stream, ByteRange range) REQUIRES(mutex_);
  void read_there(Place& other, Place& reader, cuda::Stream& stream) REQUIRES(mutex_);

  const std::size_t size_;
  const Ref<SvmAllocation> shared_;  // empty for memory of our own
  std::atomic<bool> has_known_address_ = false;
  Mutex mutex_ LOCK_RANK(buffer_storage);
  std::vector<Place> places_ GUARDED_BY(mutex_);
  std::vector<ByteRange> write_mappings_ GUARDED_BY(mutex_);
};

}  // namespace clcuda
