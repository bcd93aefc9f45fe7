// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "runtime/image/image.h"
#include "runtime/queue/command.h"

namespace clcuda {

// One texel, repeated over a region of an image. CUDA cannot fill arrays: some rows are made in plain device memory and copied to all.
class FillImage final : public Command {
 public:
  using Texel = std::array<std::byte, 16>;
  // `texel` as it lies in memory.
  FillImage(CommandQueue& queue, Image& image, const ImageRegion& region, const Texel& texel)
      : Command(queue, CL_COMMAND_FILL_IMAGE), image_(image), region_(region), texel_(texel) {}

 private:
  void record(cuda::Stream& stream) override;
  void release_resources() noexcept override { image_ = {}; }

  Ref<Image> image_;
  const ImageRegion region_;
  const Texel texel_;
};

}  // namespace clcuda
