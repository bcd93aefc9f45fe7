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

// Bytes between the rows of a box are not overwritten, so a box with such gaps counts as a write.
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
  place_.array = nullptr;
  // An array is valid or invalid as a whole, so overwriting a part of it counts as a write.
  range_.end = bytes_in(image.bytes_of(region));
  const bool whole = region.size == image.shape().size && image.shape().levels <= 1;
  if (access == Access::overwrite && !whole) access_ = Access::write;
  level_ = static_cast<std::uint8_t>(region.level);
}

void MemoryUse::make_image_resident(std::size_t device, cuda::Stream& stream, Takeovers& taken) {
  if (kind_ == Kind::image_in_buffer) return make_bytes_resident(buffer(), device, stream, taken);
  if (kind_ == Kind::array) {
    if (!range_.empty()) place_.array = image().use_array(device, stream, level_, access_, &taken);
    return;
  }
  const DeviceImage::Descriptor descriptor =
      image().use_in_kernel(device, stream, access_, sampler_states_, taken);
  address_ = descriptor.address;
  place_.descriptor = &descriptor.contents;
  reads_copy_ = descriptor.reads_copy;
}

void MemoryUse::order_others_behind(std::size_t device, cuda::Stream& stream) {
  if (kind_ == Kind::buffer)
    buffer().order_others_behind(device, stream);
  else
    image().order_others_behind(device, stream);
}

// Not if the application knows the address: it may pass it to a kernel without the runtime knowing.
bool MemoryUse::can_order_others() const {
  if (kind_ == Kind::array) return !image().has_known_array();
  return !buffer().has_known_address();
}

cuda::BoxSide MemoryUse::at(const cuda::BoxSide& box) const {
  cuda::BoxSide placed = box;
  placed.device += address_;
  placed.array = is_in_array() ? place_.array : nullptr;
  return placed;
}

void MemoryUse::refresh_copy(std::size_t device, cuda::Stream& stream) const {
  if (reads_copy_) image().refresh_copy(device, stream);
}

}  // namespace clcuda
