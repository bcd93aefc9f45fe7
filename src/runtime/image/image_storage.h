// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "base/mutex.h"
#include "base/ref.h"
#include "cuda/array.h"
#include "runtime/device/device_resources.h"
#include "runtime/device/stream_access_tracker.h"
#include "runtime/memory/storage.h"

namespace clcuda {

// An array that the application has created with CUDA on one of the context's devices, and which it destroys itself.
struct ApplicationArray {
  std::size_t device;  // Context::memory_index()
  CUarray array;
  CUDA_ARRAY3D_DESCRIPTOR shape;
};
// Throws Error(CL_INVALID_PROPERTY) if `array` is not an array of the device.
ApplicationArray application_array(const Context& context, std::size_t device, CUarray array);

// The texels of an image, and of images created from it. Each device has a CUDA array, which is created on first use. An array is valid or
// invalid as a whole. Several may be valid; after a write only one is. As in Storage, validity changes in the order of submission.
class ImageStorage final : public RefCounted {
 public:
  // `texel_size`, in bytes, is for copies between devices; `levels` as in cuda::Array.
  ImageStorage(std::span<Device* const> devices, const CUDA_ARRAY3D_DESCRIPTOR& shape, std::size_t texel_size,
               unsigned levels);

  // In the application's array on one device, which has the initial contents; other devices get arrays of their own.
  ImageStorage(std::span<Device* const> devices, const ApplicationArray& array, std::size_t texel_size);

  unsigned levels() const { return levels_; }
  // Notes that the application knows an array and may therefore access it without OpenCL commands.
  void make_known() { has_known_array_.store(true, std::memory_order_relaxed); }
  bool has_known_array() const { return has_known_array_.load(std::memory_order_relaxed); }
  // The device's array for the next work in `stream`: creates it, and copies the texels from another device if necessary. The CUDA context
  // is current. `taken` as for Storage::use. Throws Error(CL_MEM_OBJECT_ALLOCATION_FAILURE) and DriverError.
  cuda::Array& use(std::size_t device, cuda::Stream& stream, Access access, Takeovers* taken = nullptr);
  // Changes with each use that may write; for a mipmap, again when that use is in its stream.
  std::uint64_t version() const;
  // For a copy of a mipmap's texels: orders the next work in `stream` after all uses that are in streams, and returns the version that it
  // finds. That is the current one only if no write is about to be submitted.
  std::uint64_t order_behind_uses(std::size_t device, cuda::Stream& stream);

  // Orders all later uses of the texels after the work in `stream`, which has just written to them.
  void order_others_behind(std::size_t device, cuda::Stream& stream);

  // Notes that work in `stream` accesses the texels, whose array is freed behind that work.
  void record_access(std::size_t device, cuda::Stream& stream);

  // The uses of all devices' arrays that are now in streams.
  LastUses mark_last_uses() noexcept;

 private:
  struct Place {
    DeviceResources* resources = nullptr;
    std::unique_ptr<cuda::Array> array;
    bool owned = true;  // not the application's array
    bool valid = false;
    StreamAccessTracker uses;
  };

  ~ImageStorage() override;
  void bring(Place& place, cuda::Stream& stream) REQUIRES(mutex_);
  void note_submitted() noexcept;
  void note_takeover(std::size_t device, Takeovers& taken) REQUIRES(mutex_);
  void give_back(std::size_t device, std::span<const std::size_t> owners) noexcept;
  std::array<std::size_t, 3> bytes_of(unsigned level) const;
  void copy(Place& to, Place& from, cuda::Stream& stream) REQUIRES(mutex_);

  const CUDA_ARRAY3D_DESCRIPTOR shape_;
  const std::size_t texel_size_;
  const unsigned levels_;
  std::atomic<bool> has_known_array_ = false;
  mutable Mutex mutex_ LOCK_RANK(image_storage);
  std::uint64_t version_ GUARDED_BY(mutex_) = 1;
  std::vector<Place> places_ GUARDED_BY(mutex_);
};

}  // namespace clcuda
