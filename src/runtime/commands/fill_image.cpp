// SPDX-License-Identifier: Apache-2.0
#include "runtime/commands/fill_image.h"

#include <algorithm>
#include <cstring>

#include "runtime/device/stream_memory.h"
#include "runtime/queue/command_queue.h"

namespace clcuda {
namespace {

constexpr std::size_t kSeed = 64 << 10, kRows = 4 << 20;

}  // namespace

void FillImage::record(cuda::Stream& stream) {
  DeviceResources& resources = queue()->resources();
  const std::size_t device = queue()->device_index(), texel_size = image_->format().texel_size;
  const cuda::BoxSide target = image_->use(device, stream, region_, Access::overwrite);
  const auto [bytes, rows, slices] = image_->bytes_of(region_);
  // Rows of the fill in plain memory: a seed from the host, then doubled.
  const std::size_t rows_at_once = std::clamp<std::size_t>(kRows / bytes, 1, rows),
                    size = bytes * rows_at_once;
  const StreamMemory memory(resources, size, stream);
  std::size_t filled = std::min(size, kSeed);
  auto seed = resources.lend_staging(filled);
  for (std::size_t at = 0; at < filled; at += texel_size)
    std::memcpy(seed->data() + at, texel_.data(), texel_size);
  stream.copy_to_device(memory.address(), seed->data(), filled);
  resources.keep_until_reached(stream, std::move(seed));
  for (; filled < size; filled += std::min(filled, size - filled))
    stream.copy_on_device(memory.address() + filled, memory.address(), std::min(filled, size - filled));
  const cuda::BoxSide source{.device = memory.address(), .row_pitch = bytes, .slice_pitch = size};
  for (std::size_t z = 0; z < slices; ++z)
    for (std::size_t y = 0; y < rows; y += rows_at_once)
      stream.copy_box(target.moved(0, y, z), source, {bytes, std::min(rows_at_once, rows - y), 1});
}

}  // namespace clcuda
