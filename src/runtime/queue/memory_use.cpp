// SPDX-License-Identifier: Apache-2.0
#include "runtime/queue/memory_use.h"

namespace clcuda {
namespace {

std::size_t bytes_in(const Size3& region) { return region[0] * region[1] * region[2]; }

// From the first byte of a box to one past its last one.
ByteRange range_of(const cuda::BoxSide& box, const Size3& region) {
  if (bytes_in(region) == 0) return {box.device, box.device};
  const std::size_t extent = (region[2] - 1) * box.slice_pitch + (region[1] - 1) * box.row_pitch + region[0];
  return {box.device, box.device + extent};
}

// What is between the rows of a box is not overwritten with it.
Access access_to(ByteRange range, const Size3& region, Access access) {
  return access == Access::overwrite && range.size() != bytes_in(region) ? Access::write : access;
}

}  // namespace

MemoryUse::MemoryUse(Buffer& buffer, ByteRange range, Access access)
    : object_(buffer), range_(range), access_(access), kind_(Kind::buffer) {}

MemoryUse::MemoryUse(Buffer& buffer, const cuda::BoxSide& box, const Size3& region, Access access)
    : object_(buffer),
      range_(range_of(box, region)),
      access_(access_to(range_, region, access)),
      kind_(Kind::buffer) {}

MemoryUse::MemoryUse(Image& image, const ImageRegion& region, Access access)
    : object_(image), access_(access), kind_(image.buffer() ? Kind::image_in_buffer : Kind::array) {
  if (image.buffer()) {
    const Size3 bytes = image.bytes_of(region);
    range_ = range_of(image.box_of(region), bytes);
    access_ = access_to(range_, bytes, access);
    return;
  }
  // An array is up to date as a whole.
  range_.end = bytes_in(image.bytes_of(region));
  const bool whole = region.size == image.shape().size && image.shape().levels <= 1;
  if (access == Access::overwrite && !whole) access_ = Access::write;
  level_ = static_cast<std::uint8_t>(region.level);
}

MemoryUse MemoryUse::argument(Buffer& buffer, Access access, std::size_t parameter) {
  MemoryUse use(buffer, {0, buffer.size()}, access);
  use.parameter_ = static_cast<std::uint32_t>(parameter);
  return use;
}

MemoryUse MemoryUse::argument(Image& image, Access access, std::size_t parameter) {
  MemoryUse use(image, Kind::kernel_image, access);
  use.parameter_ = static_cast<std::uint32_t>(parameter);
  return use;
}

Buffer& MemoryUse::buffer() const {
  return kind_ == Kind::buffer ? static_cast<Buffer&>(*object_) : *image().buffer();
}

void MemoryUse::make_resident(std::size_t device, cuda::Stream& stream) {
  switch (kind_) {
    case Kind::buffer:
    case Kind::image_in_buffer: {
      if (range_.empty()) return;
      const Storage::Location location = buffer().use(device, stream, range_, access_);
      address_ = location.address;
      peer_ = location.peer;
      break;
    }
    case Kind::array:
      if (range_.empty()) return;
      array_ = image().use_array(device, stream, level_, access_);
      break;
    case Kind::kernel_image: {
      const DeviceImage::Descriptor descriptor =
          image().use_in_kernel(device, stream, access_, sampler_states_);
      address_ = descriptor.address;
      descriptor_ = &descriptor.contents;
      reads_copy_ = descriptor.reads_copy;
      break;
    }
  }
}

void MemoryUse::order_others_behind(std::size_t device, cuda::Stream& stream) {
  if (kind_ == Kind::buffer)
    buffer().order_others_behind(device, stream);
  else
    image().order_others_behind(device, stream);
}

bool MemoryUse::can_order_others() const { return kind_ == Kind::array || !buffer().is_shared(); }

cuda::BoxSide MemoryUse::at(const cuda::BoxSide& box) const {
  cuda::BoxSide placed = box;
  placed.device += address_;
  placed.array = array_;
  return placed;
}

void MemoryUse::refresh_copy(std::size_t device, cuda::Stream& stream) const {
  if (reads_copy_) image().refresh_copy(device, stream, sampler_states_);
}

}  // namespace clcuda
