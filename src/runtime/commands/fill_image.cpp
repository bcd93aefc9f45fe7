// SPDX-License-Identifier: Apache-2.0
#include "runtime/commands/fill_image.h"

#include <algorithm>

#include "runtime/commands/seed_fill.h"
#include "runtime/device/stream_memory.h"
#include "runtime/queue/command_queue.h"
#include "runtime/queue/memory_use.h"

namespace clcuda {
namespace {

constexpr std::size_t kRoom = 4 << 20;

}  // namespace

FillImage::FillImage(CommandQueue& queue, Image& image, const ImageRegion& region, const Texel& texel)
    : Command(queue, CL_COMMAND_FILL_IMAGE),
      box_(image.box_of(region)),
      bytes_(image.bytes_of(region)),
      texel_(texel),
      texel_size_(image.format().texel_size) {
  uses_.emplace_back(image, region, Access::overwrite);
}

// A part of the region is filled in linear memory, by doubling a seed from the host, and then copied to all others.
BoxParts FillImage::parts() const { return {bytes_, kRoom, texel_size_}; }

std::span<const std::byte> FillImage::pattern() const { return std::span(texel_).first(texel_size_); }

void FillImage::prepare() { seed_ = make_seed(queue()->resources(), pattern(), parts().size()); }

void FillImage::emit(cuda::Stream& stream) {
  const cuda::BoxSide target = uses_.front().at(box_);
  const std::size_t size = parts().size();
  const StreamMemory memory(queue()->resources(), size, stream);
  std::size_t filled = put_seed(seed_.get(), stream, memory.address(), pattern(), size);
  for (; filled < size; filled += std::min(filled, size - filled))
    stream.copy_on_device(memory.address() + filled, memory.address(), std::min(filled, size - filled));
  parts().for_each([&](const Size3& place, const Size3& part) {
    stream.copy_box(moved(target, place), BoxParts::packed(memory.address(), part), part);
  });
}

}  // namespace clcuda
