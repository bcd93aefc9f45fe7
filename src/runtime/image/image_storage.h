// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "base/mutex.h"
#include "base/ref.h"
#include "cuda/array.h"
#include "runtime/device/device_resources.h"
#include "runtime/device/stream_access_tracker.h"
#include "runtime/memory/storage.h"

namespace clcuda {

// The texels of an image, and of the images made from it: on each device a CUDA array, made when first used there. An image is up to
// date as a whole; many devices may have it, a write leaves it to one. As with Storage, all is decided in the order of submission.
class ImageStorage final : public RefCounted {
 public:
  // `texel_size` for copies between devices; `levels` as cuda::Array has it.
  ImageStorage(std::span<Device* const> devices, const CUDA_ARRAY3D_DESCRIPTOR& shape, std::size_t texel_size,
               unsigned levels);

  unsigned levels() const { return levels_; }
  // The application knows the arrays from now on, so that what it does there need not be a command of ours.
  void make_known() { has_known_array_.store(true, std::memory_order_relaxed); }
  bool has_known_array() const { return has_known_array_.load(std::memory_order_relaxed); }
  // Makes the array usable by what is recorded next into `stream` of that device. The CUDA context is current.
  cuda::Array& use(std::size_t device, cuda::Stream& stream, Access access);
  // Another one after each use that may write.
  std::uint64_t version() const;

  // Everything that uses the texels from now on comes behind what `stream` holds, which has just written to them.
  void order_others_behind(std::size_t device, cuda::Stream& stream);

  LastUses mark_last_uses() noexcept;

 private:
  struct Place {
    DeviceResources* resources = nullptr;
    std::unique_ptr<cuda::Array> array;
    bool valid = false;
    StreamAccessTracker uses;
  };

  ~ImageStorage() override;
  void bring(Place& place, cuda::Stream& stream) REQUIRES(mutex_);
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
