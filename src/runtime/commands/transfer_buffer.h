// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/commands/transfer.h"
#include "runtime/memory/buffer.h"

namespace clcuda {

// A transfer between a buffer and host memory. transfer.device.device is an offset in the buffer.
//
// The transfer with its place on the device:
HostTransfer placed(const HostTransfer& transfer, const CommandQueue& queue, cuda::Stream& stream,
                    Buffer& buffer);

// Without a command, where the queue can do that now: page-locked memory (transfer.direct says so), and little of other memory. False, and
// nothing done, otherwise. A blocking one is complete when this returns, in the sight of all that comes later.
bool transfer_directly(CommandQueue& queue, Buffer& buffer, const HostTransfer& transfer, bool blocking);

class TransferBuffer final : public Transfer {
 public:
  // `keep` is held until the device is done with it.
  TransferBuffer(CommandQueue& queue, cl_command_type type, Buffer& buffer, const HostTransfer& transfer,
                 std::shared_ptr<cuda::PinnedBlock> keep = nullptr)
      : Transfer(queue, type, transfer, std::move(keep)), buffer_(buffer) {}

 private:
  HostTransfer placed(cuda::Stream& stream) override {
    return clcuda::placed(transfer(), *queue(), stream, *buffer_);
  }
  bool is_linear() const override { return true; }
  bool can_order_others() const override { return !buffer_->is_shared(); }
  void order_others_behind(cuda::Stream& stream) override;
  void release_resources() noexcept override;

  Ref<Buffer> buffer_;
};

}  // namespace clcuda
