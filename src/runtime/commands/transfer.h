// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "runtime/memory/host_transfer.h"
#include "runtime/queue/command.h"

namespace clcuda {

// Reads, writes, maps and unmaps: bytes between device memory and host memory.
//
//   direct   page-locked host memory: recorded into the stream
//   packed   little pageable memory: through a page-locked block, filled when recorded, or emptied in the epilogue. A blocking
//            write is not waited for then, where whatever uses the memory next is ordered behind it
//   staged   much pageable memory, or some that the caller waits for and the device reaches: a host act
class Transfer : public Command {
 protected:
  // The device's side of `transfer` counts from the beginning of the memory object. `keep` is held until the device is done with it.
  Transfer(CommandQueue& queue, cl_command_type type, const HostTransfer& transfer,
           std::shared_ptr<cuda::PinnedBlock> keep);
  ~Transfer() override { end_promise(); }
  const HostTransfer& transfer() const { return transfer_; }

  // The transfer with its place on the device, once the memory object has one.
  virtual HostTransfer placed(cuda::Stream& stream) = 0;
  // Whether the device's side is memory, not an array.
  virtual bool is_linear() const { return false; }
  // Whether order_others_behind() makes everything that uses the memory object from now on come behind what `stream` holds.
  virtual bool can_order_others() const { return false; }
  virtual void order_others_behind(cuda::Stream&) {}
  void release_resources() noexcept override {
    keep_ = nullptr;
    end_promise();
  }

 private:
  enum class Way : std::uint8_t { direct, packed, staged };

  bool on_host() const override { return way_ == Way::staged; }
  bool touches_host() const override {
    return way_ == Way::staged || (way_ == Way::packed && transfer_.to_device);
  }
  void expect_waiting(bool observed) override;
  bool lets_caller_go() const override { return lets_go_; }
  bool has_epilogue() const override { return way_ == Way::packed && !transfer_.to_device; }
  void prepare() override;
  void record(cuda::Stream& stream) override;
  void perform(cuda::Stream& stream) override;
  const DeviceSpan* device_span() const override { return span_ ? &*span_ : nullptr; }
  void epilogue() override;

  bool goes_with_commands() const noexcept;
  void choose(Way way) noexcept;
  void end_promise() noexcept;

  const HostTransfer transfer_;
  Way way_ = Way::direct;
  std::size_t promised_ = 0;  // page-locked memory, until prepare() takes it
  bool lets_go_ = false;
  std::shared_ptr<cuda::PinnedBlock> keep_;  // a mapping's memory, or the packed copy
  std::optional<DeviceSpan> span_;           // of a staged transfer
};

}  // namespace clcuda
