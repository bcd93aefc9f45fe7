// SPDX-License-Identifier: Apache-2.0
#include "runtime/commands/fill_image.h"

#include <algorithm>

#include "runtime/commands/seed_fill.h"
#include "runtime/device/stream_memory.h"
#include "runtime/queue/command_queue.h"
#include "runtime/queue/memory_use.h"

namespace clcuda {
namespace {

constexpr std::size_t kRows = 4 << 20;

}  // namespace

FillImage::FillImage(CommandQueue& queue, Image& image, const ImageRegion& region, const Texel& texel)
    : Command(queue, CL_COMMAND_FILL_IMAGE),
      box_(image.box_of(region)),
      bytes_(image.bytes_of(region)),
      texel_(texel),
      texel_size_(image.format().texel_size) {
  uses_.emplace_back(image, region, Access::overwrite);
}

// The number of rows that are filled in linear memory, by doubling a seed from the host, and then copied to the image together.
std::size_t FillImage::rows_at_once() const {
  return std::clamp<std::size_t>(kRows / bytes_[0], 1, bytes_[1]);
}

std::span<const std::byte> FillImage::pattern() const { return std::span(texel_).first(texel_size_); }

void FillImage::prepare() { seed_ = make_seed(queue()->resources(), pattern(), bytes_[0] * rows_at_once()); }

void FillImage::emit(cuda::Stream& stream) {
  const cuda::BoxSide target = uses_.front().at(box_);
  const auto [bytes, rows, slices] = bytes_;
  const std::size_t at_once = rows_at_once(), size = bytes * at_once;
  const StreamMemory memory(queue()->resources(), size, stream);
  std::size_t filled = put_seed(seed_.get(), stream, memory.address(), pattern(), size);
  for (; filled < size; filled += std::min(filled, size - filled))
    stream.copy_on_device(memory.address() + filled, memory.address(), std::min(filled, size - filled));
  const cuda::BoxSide source{.device = memory.address(), .row_pitch = bytes, .slice_pitch = size};
  for (std::size_t z = 0; z < slices; ++z)
    for (std::size_t y = 0; y < rows; y += at_once)
      stream.copy_box(target.moved(0, y, z), source, {bytes, std::min(at_once, rows - y), 1});
}

}  // namespace clcuda
