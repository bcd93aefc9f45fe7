// SPDX-License-Identifier: Apache-2.0
#include "runtime/commands/copy_image.h"

#include "runtime/command_queue.h"

namespace clcuda {

namespace {

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
  const bool from_layers = holds_layers_of_rows(from_), to_layers = holds_layers_of_rows(to_);
  if (from_layers == to_layers || from_.buffer || to_.buffer) return stream.copy_box(to, from, bytes_);
  // Between a 1D array and an image with rows.
  for (std::size_t row = 0; row < bytes_[1] * bytes_[2]; ++row)
    stream.copy_box(to.moved(0, to_layers ? 0 : row, to_layers ? row : 0),
                    from.moved(0, from_layers ? 0 : row, from_layers ? row : 0), {bytes_[0], 1, 1});
}

void CopyImage::release_resources() noexcept {
  from_ = {};
  to_ = {};
}

}  // namespace clcuda
