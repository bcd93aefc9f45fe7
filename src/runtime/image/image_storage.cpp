// SPDX-License-Identifier: Apache-2.0
#include "runtime/image/image_storage.h"

#include <algorithm>
#include <optional>

#include "cuda/error.h"
#include "runtime/device/scoped_stream.h"
#include "runtime/device/stream_memory.h"
#include "runtime/device/stream_order.h"
#include "runtime/memory/box_parts.h"
#include "runtime/platform/context.h"
#include "runtime/platform/platform.h"

namespace clcuda {

ApplicationArray application_array(const Context& context, std::size_t device, CUarray array) {
  const cuda::Current current(context.devices()[device]->context());
  const auto shape = cuda::shape_of(context.platform().driver(), array);
  if (!shape) throw Error(CL_INVALID_PROPERTY, "no array of CUDA's on the device");
  return {device, array, *shape};
}

ImageStorage::ImageStorage(std::span<Device* const> devices, const CUDA_ARRAY3D_DESCRIPTOR& shape,
                           std::size_t texel_size, unsigned levels)
    : shape_(shape), texel_size_(texel_size), levels_(levels) {
  MutexLock lock(mutex_);
  places_.resize(devices.size());
  for (std::size_t i = 0; i < devices.size(); ++i) places_[i].resources = &DeviceResources::of(*devices[i]);
}

ImageStorage::ImageStorage(std::span<Device* const> devices, const ApplicationArray& array,
                           std::size_t texel_size)
    : ImageStorage(devices, array.shape, texel_size, 0) {
  make_known();
  MutexLock lock(mutex_);
  Place& place = places_[array.device];
  place.array = std::make_unique<cuda::Array>(place.resources->context(), array.array, array.shape);
  place.owned = false;
  place.valid = true;
}

// The surface and texture objects of the application's array are destroyed when the device is idle.
ImageStorage::~ImageStorage() {
  MutexLock lock(mutex_);
  for (Place& place : places_) {
    if (!place.array) continue;
    if (place.owned)
      place.resources->memory().free(std::move(place.array), place.uses.users());
    else
      place.resources->device().discard(std::shared_ptr<cuda::Array>(std::move(place.array)));
  }
}

cuda::Array& ImageStorage::use(std::size_t device, cuda::Stream& stream, Access access, Takeovers* taken) {
  MutexLock lock(mutex_);
  Place& place = places_[device];
  if (!place.array) {
    auto array = place.resources->memory().allocate_array(shape_, levels_, stream);
    place.uses.set_ready(stream);
    place.array = std::move(array);
  }
  place.uses.wait_until_ready(stream);
  if (access != Access::read && taken) {
    note_takeover(device, *taken);
    if (levels_) taken->at_end([self = Ref(*this)] { self->note_submitted(); });
  }
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

// If another thread has submitted a copy of the texels before the write was in its stream, the copy has the version that use() made, but
// not the write.
void ImageStorage::note_submitted() noexcept {
  MutexLock lock(mutex_);
  ++version_;
}

// Called before anything changes, because it may throw.
void ImageStorage::note_takeover(std::size_t device, Takeovers& taken) {
  std::vector<std::size_t> owners;
  for (std::size_t other = 0; other < places_.size(); ++other)
    if (other != device && places_[other].valid) owners.push_back(other);
  if (owners.empty()) return;
  taken.add([self = Ref(*this), device, owners = std::move(owners)] { self->give_back(device, owners); });
}

// As in Storage. If another command has written the texels elsewhere meanwhile, they are left to it.
void ImageStorage::give_back(std::size_t device, std::span<const std::size_t> owners) noexcept {
  MutexLock lock(mutex_);
  if (!places_[device].valid) return;
  ++version_;
  for (Place& place : places_) place.valid = false;
  for (const std::size_t owner : owners) places_[owner].valid = true;
}

std::uint64_t ImageStorage::version() const {
  MutexLock lock(mutex_);
  return version_;
}

std::uint64_t ImageStorage::order_behind_uses(std::size_t device, cuda::Stream& stream) {
  MutexLock lock(mutex_);
  wait_for(stream, places_[device].uses.users());
  return version_;
}

void ImageStorage::order_others_behind(std::size_t device, cuda::Stream& stream) {
  MutexLock lock(mutex_);
  places_[device].uses.put_ready_behind(stream);
}

void ImageStorage::record_access(std::size_t device, cuda::Stream& stream) {
  MutexLock lock(mutex_);
  places_[device].uses.record_access(stream);
}

// If no device has valid texels, they were never written and nothing is copied. Throws if only lost devices have them.
void ImageStorage::bring(Place& place, cuda::Stream& stream) {
  auto other = std::ranges::find_if(places_, [](const Place& p) { return p.valid && !p.resources->lost(); });
  if (other == places_.end()) other = std::ranges::find_if(places_, &Place::valid);
  if (other == places_.end()) return;
  other->resources->require_alive();
  copy(place, *other, stream);
  place.uses.set_ready(stream);
}

std::array<std::size_t, 3> ImageStorage::bytes_of(unsigned level) const {
  const auto size = [&](std::size_t of_first) { return std::max<std::size_t>(of_first >> level, 1); };
  const bool layered = shape_.Flags & CUDA_ARRAY3D_LAYERED;
  return {size(shape_.Width) * texel_size_, size(shape_.Height),
          layered ? std::max<std::size_t>(shape_.Depth, 1) : size(shape_.Depth)};
}

// Copies through linear memory of both devices, since not every driver can copy between arrays of different contexts: level by level, in
// parts, as memory may be short.
void ImageStorage::copy(Place& to, Place& from, cuda::Stream& stream) {
  constexpr std::size_t kRoom = 64 << 20;
  to.resources->memory().enable_peer_access(from.resources->memory());
  const ScopedStream source(*from.resources);
  const std::size_t size = BoxParts(bytes_of(0), kRoom).size();
  std::optional<StreamMemory> there;
  {
    const cuda::Current current(from.resources->context());
    from.uses.wait_until_ready(*source);
    wait_for(*source, from.uses.users());
    from.uses.record_access(*source);
    there.emplace(*from.resources, size, *source, DeviceMemory::Sharing::peers);
  }
  there->also_used_by(stream);
  const StreamMemory here(*to.resources, size, stream);
  cuda::Event taken;  // the part before has left the source's memory
  for (unsigned level = 0; level < std::max(levels_, 1u); ++level)
    BoxParts(bytes_of(level), kRoom).for_each([&](const Size3& place, const Size3& part) {
      cuda::Event packed;
      {
        const cuda::Current current(from.resources->context());
        if (taken) source->wait(taken);
        source->copy_box(BoxParts::packed(there->address(), part),
                         moved({.array = from.array->level(level)}, place), part);
        packed = source->mark();
      }
      stream.wait(packed);
      stream.copy_from_peer(here.address(), from.resources->context(), there->address(),
                            part[0] * part[1] * part[2]);
      taken = stream.mark();
      stream.copy_box(moved({.array = to.array->level(level)}, place), BoxParts::packed(here.address(), part),
                      part);
    });
}

LastUses ImageStorage::mark_last_uses() noexcept {
  LastUses uses;
  MutexLock lock(mutex_);
  for (const Place& place : places_) place.uses.mark(uses);
  return uses;
}

}  // namespace clcuda
