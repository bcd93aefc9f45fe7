// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <span>

#include "runtime/image/image.h"
#include "runtime/memory/box_parts.h"
#include "runtime/queue/command.h"

namespace clcuda {

// clEnqueueFillImage: repeats one texel over a region. CUDA has no memset for arrays: a part of the region is filled in linear device
// memory and copied to all others.
class FillImage final : public Command {
 public:
  using Texel = std::array<std::byte, 16>;
  // `texel` in the image's format (texel.h).
  FillImage(CommandQueue& queue, Image& image, const ImageRegion& region, const Texel& texel);

 private:
  void prepare() override;
  void emit(cuda::Stream& stream) override;
  CommandDetails details() const override { return moving(volume(bytes_)); }
  std::shared_ptr<cuda::PinnedBlock> host_memory() const override { return seed_; }
  void release_resources() noexcept override { seed_ = nullptr; }
  BoxParts parts() const;
  std::span<const std::byte> pattern() const;

  const cuda::BoxSide box_;
  const Size3 bytes_;
  const Texel texel_;
  const std::size_t texel_size_;
  std::shared_ptr<cuda::PinnedBlock> seed_;  // seed_fill.h
};

}  // namespace clcuda
