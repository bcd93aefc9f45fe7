// SPDX-License-Identifier: Apache-2.0
#include "runtime/image/image_storage.h"

#include <algorithm>
#include <optional>

#include "cuda/error.h"
#include "runtime/device/scoped_stream.h"
#include "runtime/device/stream_memory.h"
#include "runtime/device/stream_order.h"

namespace clcuda {

ImageStorage::ImageStorage(std::span<Device* const> devices, const CUDA_ARRAY3D_DESCRIPTOR& shape,
                           std::size_t texel_size, unsigned levels)
    : shape_(shape), texel_size_(texel_size), levels_(levels) {
  MutexLock lock(mutex_);
  places_.resize(devices.size());
  for (std::size_t i = 0; i < devices.size(); ++i) places_[i].resources = &DeviceResources::of(*devices[i]);
}

ImageStorage::~ImageStorage() {
  MutexLock lock(mutex_);
  for (Place& place : places_)
    if (place.array) place.resources->memory().free(std::move(place.array), place.uses.users());
}

cuda::Array& ImageStorage::use(std::size_t device, cuda::Stream& stream, Access access) {
  MutexLock lock(mutex_);
  Place& place = places_[device];
  if (!place.array) {
    auto array = place.resources->memory().allocate_array(shape_, levels_, stream);
    place.uses.set_ready(stream);
    place.array = std::move(array);
  }
  place.uses.wait_until_ready(stream);
  if (!place.valid) {
    if (access != Access::overwrite) bring(place, stream);
    place.valid = true;
  }
  if (access != Access::read) {
    ++version_;
    for (Place& other : places_)
      if (&other != &place) other.valid = false;
  }
  place.uses.record_access(stream);
  return *place.array;
}

std::uint64_t ImageStorage::version() const {
  MutexLock lock(mutex_);
  return version_;
}

void ImageStorage::order_others_behind(std::size_t device, cuda::Stream& stream) {
  MutexLock lock(mutex_);
  places_[device].uses.put_ready_behind(stream);
}

// Texels that no device has were never written.
void ImageStorage::bring(Place& place, cuda::Stream& stream) {
  const auto other = std::ranges::find_if(places_, [](const Place& p) { return p.valid; });
  if (other == places_.end()) return;
  copy(place, *other, stream);
  place.uses.set_ready(stream);
}

// Level by level through plain memory of both devices, since arrays have no copy between contexts that every
// driver offers.
void ImageStorage::copy(Place& to, Place& from, cuda::Stream& stream) {
  to.resources->memory().enable_peer_access(from.resources->memory());
  const ScopedStream source(*from.resources);
  for (unsigned level = 0; level < std::max(levels_, 1u); ++level) {
    const bool layered = shape_.Flags & CUDA_ARRAY3D_LAYERED;
    const std::size_t width = std::max<std::size_t>(shape_.Width >> level, 1),
                      height = std::max<std::size_t>(shape_.Height >> level, 1),
                      depth = std::max<std::size_t>(layered ? shape_.Depth : shape_.Depth >> level, 1);
    const std::array<std::size_t, 3> region{width * texel_size_, height, depth};
    const std::size_t size = region[0] * height * depth;
    const auto packed = [&](CUdeviceptr address) {
      return cuda::BoxSide{.device = address, .row_pitch = region[0], .slice_pitch = region[0] * height};
    };
    cuda::Event packed_there;
    std::optional<StreamMemory> there;
    {
      cuda::Current current(from.resources->context());
      from.uses.wait_until_ready(*source);
      wait_for(*source, from.uses.users());
      from.uses.record_access(*source);
      there.emplace(*from.resources, size, *source, DeviceMemory::Sharing::peers);
      source->copy_box(packed(there->address()), {.array = from.array->level(level)}, region);
      packed_there = source->mark();
    }
    const StreamMemory here(*to.resources, size, stream);
    there->also_used_by(stream);
    stream.wait(packed_there);
    stream.copy_from_peer(here.address(), from.resources->context(), there->address(), size);
    stream.copy_box({.array = to.array->level(level)}, packed(here.address()), region);
  }
}

LastUses ImageStorage::mark_last_uses() noexcept {
  LastUses uses;
  MutexLock lock(mutex_);
  for (const Place& place : places_) place.uses.mark(uses);
  return uses;
}

}  // namespace clcuda
