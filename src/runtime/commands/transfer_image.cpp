// SPDX-License-Identifier: Apache-2.0
#include "runtime/commands/transfer_image.h"

#include "runtime/queue/command_queue.h"

namespace clcuda {

HostTransfer TransferImage::placed(cuda::Stream& stream) {
  HostTransfer placed = transfer();
  const Access access = placed.to_device ? Access::overwrite : Access::read;
  placed.device = image_->use(queue()->device_index(), stream, region_, access);
  return placed;
}

void TransferImage::order_others_behind(cuda::Stream& stream) {
  image_->order_others_behind(queue()->device_index(), stream);
}

void TransferImage::release_resources() noexcept {
  image_ = {};
  Transfer::release_resources();
}

}  // namespace clcuda
