// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <span>

#include "runtime/image/image.h"
#include "runtime/queue/command.h"

namespace clcuda {

// One texel, repeated over a region of an image. CUDA cannot fill arrays: some rows are made in plain device
// memory and copied to all.
class FillImage final : public Command {
 public:
  using Texel = std::array<std::byte, 16>;
  // `texel` as it lies in memory.
  FillImage(CommandQueue& queue, Image& image, const ImageRegion& region, const Texel& texel);

 private:
  void prepare() override;
  void emit(cuda::Stream& stream) override;
  std::shared_ptr<cuda::PinnedBlock> host_memory() const override { return seed_; }
  void release_resources() noexcept override { seed_ = nullptr; }
  std::size_t rows_at_once() const;
  std::span<const std::byte> pattern() const;

  const cuda::BoxSide box_;
  const Size3 bytes_;
  const Texel texel_;
  const std::size_t texel_size_;
  std::shared_ptr<cuda::PinnedBlock> seed_;  // seed_fill.h
};

}  // namespace clcuda
