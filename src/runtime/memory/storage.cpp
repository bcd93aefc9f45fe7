// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory/storage.h"

#include <algorithm>
#include <iterator>

#include "base/log.h"
#include "cuda/error.h"
#include "cuda/pointer.h"
#include "runtime/device/scoped_stream.h"
#include "runtime/device/stream_memory.h"
#include "runtime/platform/context.h"
#include "runtime/platform/platform.h"

namespace clcuda {

ApplicationMemory application_memory_at(const Context& context, CUdeviceptr address) {
  const cuda::Current current(context.devices().front()->context());
  const auto found = cuda::device_memory_at(context.platform().driver(), address);
  if (!found) throw Error(CL_INVALID_PROPERTY, "no device memory of CUDA's");
  const auto has_it = [&](Device* device) {
    return device->ordinal() == found->device &&
           (!found->context || found->context == device->context().handle());
  };
  const auto device = std::ranges::find_if(context.devices(), has_it);
  if (device == context.devices().end())
    throw Error(CL_INVALID_PROPERTY,
                "memory of no device of the context's, or of another CUDA context than its primary one");
  return {context.memory_index(**device), address, found->size - (address - found->begin)};
}

std::vector<Storage::Place> Storage::places_on(std::span<Device* const> devices) {
  std::vector<Place> places(devices.size());
  for (std::size_t i = 0; i < devices.size(); ++i) places[i].resources = &DeviceResources::of(*devices[i]);
  return places;
}

Storage::Storage(std::span<Device* const> devices, std::size_t size)
    : size_(size), places_(places_on(devices)) {}

Storage::Storage(std::span<Device* const> devices, std::size_t size, Ref<SvmAllocation> shared,
                 CUdeviceptr address)
    : size_(size), given_address_(address), svm_(std::move(shared)), places_(places_on(devices)) {
  place_everywhere(address);
}

Storage::Storage(std::span<Device* const> devices, std::size_t size, Ref<ImportedMemory> imported)
    : size_(size),
      given_address_(reinterpret_cast<CUdeviceptr>(imported->data())),
      imported_(std::move(imported)),
      places_(places_on(devices)) {
  place_everywhere(given_address_);
}

void Storage::place_everywhere(CUdeviceptr address) {
  MutexLock lock(mutex_);
  for (Place& place : places_) place.address = address;
}

Storage::Storage(std::span<Device* const> devices, std::size_t size, const ApplicationMemory& memory)
    : size_(size), given_address_(memory.address), exposed_(true), places_(places_on(devices)) {
  MutexLock lock(mutex_);
  Place& place = places_[memory.device];
  place.address = memory.address;
  place.owned = false;
  place.valid.add({0, size});
}

Storage::~Storage() {
  if (is_shared()) return;
  for (const Place& place : places_)
    if (place.address && place.owned) place.resources->memory().free(place.address, place.uses.users());
}

// If the application knows the address of memory that clcuda allocated, it may have created another object on that memory.
bool Storage::is_apart_from(const Storage& other) const noexcept {
  if (identity() && other.identity()) return identity() != other.identity();
  return !has_known_address() || !other.has_known_address();
}

Storage::Location Storage::use(std::size_t device, cuda::Stream& stream, ByteRange range, Access access,
                               Takeovers* taken) {
  MutexLock lock(mutex_);
  Place& place = places_[device];
  if (is_shared()) {
    place.uses.record_access(stream);
    return {place.address};
  }
  if (access == Access::read_anywhere) {
    if (Place* other = find_elsewhere(place, range)) {
      read_there(*other, place, stream);
      return {other->address, &other->resources->context()};
    }
    access = Access::read;
  }
  if (!place.address) allocate(place, stream);
  place.uses.wait_until_ready(stream);
  if (places_.size() > 1) make_valid(device, stream, range, access, taken);
  place.uses.record_access(stream);
  return {place.address};
}

// Only where there are several devices: otherwise nobody asks what is valid.
void Storage::make_valid(std::size_t device, cuda::Stream& stream, ByteRange range, Access access,
                         Takeovers* taken) {
  Place& place = places_[device];
  const bool takes = access != Access::read;
  if (takes && taken) note_takeover(device, range, *taken);
  if (!place.valid.contains(range)) {
    if (access != Access::overwrite) bring(device, stream, range);
    place.valid.add(range);
  }
  if (!takes) return;
  for (Place& other : places_)
    if (&other != &place) other.valid.remove(range);
}

CUdeviceptr Storage::fix_address(std::size_t device) {
  exposed_ = true;
  DeviceResources* resources = nullptr;
  {
    MutexLock lock(mutex_);
    if (is_shared() || !places_[device].owned) return places_[device].address;
    resources = places_[device].resources;
  }
  const cuda::Current current(resources->context());
  const ScopedStream stream(*resources);
  const CUdeviceptr address = use(device, *stream, {}, Access::write).address;
  stream->synchronize();
  return address;
}

CUdeviceptr Storage::expose_address(std::size_t device) {
  exposed_ = true;
  {
    MutexLock lock(mutex_);
    if (places_[device].address) return places_[device].address;
  }
  return fix_address(device);
}

void Storage::allocate(Place& place, cuda::Stream& stream) {
  const bool alone = places_.size() == 1;
  StreamMemory memory(*place.resources, size_, stream,
                      alone ? DeviceMemory::Sharing::own_device : DeviceMemory::Sharing::peers);
  place.uses.forget();
  place.uses.record_access(stream);
  place.uses.set_ready(stream);
  place.address = memory.release();
}

// Copies those parts of the range that are valid on other devices but not on this one. Bytes that are valid nowhere were never written.
void Storage::bring(std::size_t device, cuda::Stream& stream, ByteRange range) {
  Place& place = places_[device];
  bool copied = false;
  for (Place& other : places_) {
    if (&other == &place || !other.address || other.resources->lost()) continue;
    for (const ByteRange gap : place.valid.missing(range)) {
      for (const ByteRange part : other.valid.inside(gap)) {
        read_there(other, place, stream);
        stream.copy_from_peer(place.address + part.begin, other.resources->context(),
                              other.address + part.begin, part.size());
        place.valid.add(part);
        copied = true;
      }
    }
  }
  if (copied) place.uses.set_ready(stream);
  require_present(place, range);
}

// Throws if bytes of the range are valid on lost devices only, until they are overwritten.
void Storage::require_present(const Place& place, ByteRange range) const {
  for (const Place& other : places_) {
    if (&other == &place || !other.resources->lost()) continue;
    for (const ByteRange gap : place.valid.missing(range))
      if (!other.valid.inside(gap).empty()) other.resources->require_alive();
  }
}

// Prepares for work in `stream`, a stream of the reader's device, that reads the other device's memory.
void Storage::read_there(Place& other, Place& reader, cuda::Stream& stream) {
  reader.resources->memory().enable_peer_access(other.resources->memory());
  other.uses.wait_until_ready(stream);
  other.uses.record_access(stream);
}

// The place of another device, which is not lost, in which the whole range is valid, if it is not in `reader`; otherwise null.
Storage::Place* Storage::find_elsewhere(const Place& reader, ByteRange range) {
  if (reader.valid.contains(range)) return nullptr;
  const auto other = std::ranges::find_if(
      places_, [&](const Place& place) { return place.valid.contains(range) && !place.resources->lost(); });
  return other == places_.end() ? nullptr : &*other;
}

// Called before anything changes, because it may throw.
void Storage::note_takeover(std::size_t device, ByteRange range, Takeovers& taken) {
  std::vector<Part> parts;
  for (std::size_t other = 0; other < places_.size(); ++other) {
    if (other == device) continue;
    for (const ByteRange bytes : places_[other].valid.inside(range)) parts.push_back({other, bytes});
  }
  if (parts.empty()) return;
  taken.add([self = Ref(*this), device, parts = std::move(parts)] { self->give_back(device, parts); });
}

// Afterwards the parts are valid only where they were, as the device may have written to them, and others may have copied them from there.
// Parts that another command has written elsewhere meanwhile are left to it.
void Storage::give_back(std::size_t device, std::span<const Part> parts) noexcept {
  MutexLock lock(mutex_);
  try {
    std::vector<Part> still_here;
    for (const Part& part : parts)
      for (const ByteRange bytes : places_[device].valid.inside(part.bytes))
        still_here.push_back({part.device, bytes});
    for (const Part& part : still_here)
      for (Place& place : places_) place.valid.remove(part.bytes);
    for (const Part& part : still_here) places_[part.device].valid.add(part.bytes);
  } catch (const std::exception& error) {
    log::error("the contents of a buffer are lost: {}", error.what());
  }
}

void Storage::order_others_behind(std::size_t device, cuda::Stream& stream) {
  MutexLock lock(mutex_);
  places_[device].uses.put_ready_behind(stream);
}

void Storage::record_access(std::size_t device, cuda::Stream& stream) {
  MutexLock lock(mutex_);
  places_[device].uses.record_access(stream);
}

bool Storage::begin_write_mapping(ByteRange range) {
  MutexLock lock(mutex_);
  const auto next = write_mappings_.lower_bound(range.begin);
  if (next != write_mappings_.end() && next->first < range.end) return false;
  if (next != write_mappings_.begin() && std::prev(next)->second > range.begin) return false;
  write_mappings_.emplace_hint(next, range.begin, range.end);
  return true;
}

void Storage::end_write_mapping(ByteRange range) noexcept {
  MutexLock lock(mutex_);
  write_mappings_.erase(range.begin);
}

LastUses Storage::mark_last_uses() noexcept {
  LastUses uses;
  MutexLock lock(mutex_);
  for (const Place& place : places_) place.uses.mark(uses);
  return uses;
}

}  // namespace clcuda
