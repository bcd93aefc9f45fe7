// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "runtime/command.h"
#include "runtime/host_transfer.h"

namespace clcuda {

// Reads, writes, maps and unmaps: bytes between device memory and host memory.
//
//   direct   page-locked host memory: recorded into the stream
//   packed   little pageable memory: through a page-locked block, filled when recorded, or emptied in the epilogue. A blocking
//            write need not be waited for then
//   staged   much pageable memory, or some that the caller waits for and the device reaches: a host act
class Transfer : public Command {
 protected:
  // The device's side of `transfer` counts from the beginning of the memory object. `keep` is held until the device is done with it.
  Transfer(CommandQueue& queue, cl_command_type type, const HostTransfer& transfer,
           std::shared_ptr<cuda::PinnedBlock> keep);
  const HostTransfer& transfer() const { return transfer_; }

  // The transfer with its place on the device, once the memory object has one.
  virtual HostTransfer placed(cuda::Stream& stream) = 0;
  void release_resources() noexcept override { keep_ = nullptr; }

 private:
  enum class Way : std::uint8_t { direct, packed, staged };

  bool on_host() const override { return way_ == Way::staged; }
  bool touches_host() const override {
    return way_ == Way::staged || (way_ == Way::packed && transfer_.to_device);
  }
  void expect_waiting() override;
  bool lets_caller_go() const override;
  bool has_epilogue() const override { return way_ == Way::packed && !transfer_.to_device; }
  void record(cuda::Stream& stream) override;
  void perform(cuda::Stream& stream) override;
  void epilogue() override;

  const HostTransfer transfer_;
  Way way_;
  std::shared_ptr<cuda::PinnedBlock> keep_;  // a mapping's memory, or the packed copy
};

}  // namespace clcuda
