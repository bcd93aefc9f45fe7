// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/commands/transfer.h"
#include "runtime/image/image.h"

namespace clcuda {

// A transfer between a region of an image and host memory.
class TransferImage final : public Transfer {
 public:
  // `transfer` says which host memory and bytes, `region` where in the image. With no bytes nothing is done (an unmap after reading).
  TransferImage(CommandQueue& queue, cl_command_type type, Image& image, const ImageRegion& region,
                const HostTransfer& transfer, std::shared_ptr<cuda::PinnedBlock> keep = nullptr)
      : Transfer(queue, type, transfer, std::move(keep)), image_(image), region_(region) {}

 private:
  HostTransfer placed(cuda::Stream& stream) override;
  bool can_order_others() const override { return !image_->buffer() || !image_->buffer()->is_shared(); }
  void order_others_behind(cuda::Stream& stream) override;
  void release_resources() noexcept override;

  Ref<Image> image_;
  const ImageRegion region_;
};

}  // namespace clcuda
