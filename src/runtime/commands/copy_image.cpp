// SPDX-License-Identifier: Apache-2.0
#include "runtime/commands/copy_image.h"

#include <algorithm>

#include "runtime/device/stream_memory.h"
#include "runtime/queue/command_queue.h"

namespace clcuda {

namespace {

constexpr std::size_t kRoom = 64 << 20;

// In parts of one array that has slices or layers cuMemcpy3D writes the wrong ones (driver 580 on an H200).
bool is_within_one(const ImageOrBuffer& from, const ImageOrBuffer& to) {
  if (!from.image || !to.image || &from.image->root() != &to.image->root()) return false;
  const cl_mem_object_type type = from.image->shape().type;
  return type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY ||
         type == CL_MEM_OBJECT_IMAGE3D;
}

bool holds_layers_of_rows(const ImageOrBuffer& side) {
  return side.image && side.image->shape().type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
}

}  // namespace

cuda::BoxSide ImageOrBuffer::use(std::size_t device, cuda::Stream& stream, const Size3& bytes,
                                 Access access) {
  if (image) return image->use(device, stream, region, access);
  const std::size_t size = bytes[0] * bytes[1] * bytes[2];
  return {.device = buffer->use(device, stream, offset, size, access) + offset,
          .row_pitch = bytes[0],
          .slice_pitch = bytes[0] * bytes[1]};
}

void CopyImage::record(cuda::Stream& stream) {
  const std::size_t device = queue()->device_index();
  const cuda::BoxSide from = from_.use(device, stream, bytes_, Access::read);
  const cuda::BoxSide to = to_.use(device, stream, bytes_, Access::overwrite);
  if (is_within_one(from_, to_)) return copy_within_one(stream, to, from);
  const bool from_layers = holds_layers_of_rows(from_), to_layers = holds_layers_of_rows(to_);
  if (from_layers == to_layers || from_.buffer || to_.buffer) return stream.copy_box(to, from, bytes_);
  // Between a 1D array and an image with rows.
  for (std::size_t row = 0; row < bytes_[1] * bytes_[2]; ++row)
    stream.copy_box(to.moved(0, to_layers ? 0 : row, to_layers ? row : 0),
                    from.moved(0, from_layers ? 0 : row, from_layers ? row : 0), {bytes_[0], 1, 1});
}

void CopyImage::copy_within_one(cuda::Stream& stream, const cuda::BoxSide& to, const cuda::BoxSide& from) {
  const auto [bytes, rows, slices] = bytes_;
  const std::size_t at_once = std::clamp<std::size_t>(kRoom / (bytes * rows), 1, slices);
  const StreamMemory memory(queue()->resources(), bytes * rows * at_once, stream);
  const cuda::BoxSide room{.device = memory.address(), .row_pitch = bytes, .slice_pitch = bytes * rows};
  for (std::size_t z = 0; z < slices; z += at_once) {
    const Size3 part{bytes, rows, std::min(at_once, slices - z)};
    stream.copy_box(room, from.moved(0, 0, z), part);
    stream.copy_box(to.moved(0, 0, z), room, part);
  }
}

void CopyImage::release_resources() noexcept {
  from_ = {};
  to_ = {};
}

}  // namespace clcuda
