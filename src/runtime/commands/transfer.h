// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "runtime/memory/host_transfer.h"
#include "runtime/queue/command.h"
#include "runtime/queue/memory_use.h"

namespace clcuda {

// What a transfer uses of a buffer, in which `transfer.device.device` is an offset; and, once that is
// resident, the transfer with its place.
MemoryUse use_of(Buffer& buffer, const HostTransfer& transfer);
HostTransfer placed(const HostTransfer& transfer, const MemoryUse& use);

// Reads, writes, maps and unmaps: bytes between device memory and host memory.
//
//   direct   page-locked or shared host memory: recorded into the stream
//   packed   little pageable memory: through a page-locked block, filled when recorded, or emptied in the epilogue. A blocking
//            write is not waited for then, where whatever uses the memory next is ordered behind it
//   ordered  the same where kernels reach pageable memory: the block is filled and emptied in the stream's order
//   staged   much pageable memory: a host act
class Transfer final : public Command {
 public:
  // With a buffer, in which `transfer.device.device` is an offset. `keep` is held until the device is done
  // with it.
  Transfer(CommandQueue& queue, cl_command_type type, Buffer& buffer, const HostTransfer& transfer,
           std::shared_ptr<cuda::PinnedBlock> keep = nullptr);
  // With device memory, or shared memory, at the address `transfer.device.device`; of an allocation, which is kept meanwhile.
  Transfer(CommandQueue& queue, cl_command_type type, Ref<SvmAllocation> memory,
           const HostTransfer& transfer);
  // With a region of an image: `transfer` says which host memory and bytes. With no bytes nothing is done (an
  // unmap after reading).
  Transfer(CommandQueue& queue, cl_command_type type, Image& image, const ImageRegion& region,
           const HostTransfer& transfer, std::shared_ptr<cuda::PinnedBlock> keep = nullptr);

 private:
  enum class Way : std::uint8_t { direct, packed, ordered, staged };

  Transfer(CommandQueue& queue, cl_command_type type, MemoryUse use, const HostTransfer& transfer,
           std::shared_ptr<cuda::PinnedBlock> keep);
  ~Transfer() override { end_promise(); }

  bool on_host() const override { return way_ == Way::staged; }
  bool touches_host() const override {
    return way_ == Way::staged || (way_ != Way::direct && transfer_.to_device);
  }
  void expect_waiting(bool observed) override;
  bool lets_caller_go() const override { return lets_go_; }
  bool has_epilogue() const override { return way_ == Way::packed && !transfer_.to_device; }
  void prepare() override;
  void emit(cuda::Stream& stream) override;
  void perform(cuda::Stream& stream) override;
  const DeviceSpan* device_span() const override { return span_ ? &*span_ : nullptr; }
  void epilogue() override;
  std::shared_ptr<cuda::PinnedBlock> host_memory() const override {
    return transfer_.size() ? keep_ : nullptr;
  }
  void release_resources() noexcept override {
    keep_ = nullptr;
    ordered_ = nullptr;
    memory_ = {};
    end_promise();
  }

  void choose_first() noexcept;
  bool faults_on_host_memory() const noexcept;
  HostTransfer placed() const;
  bool goes_with_commands() const noexcept;
  void choose(Way way) noexcept;
  void end_promise() noexcept;

  const HostTransfer transfer_;  // its device's side counts from the beginning of the buffer or array
  Ref<SvmAllocation> memory_;    // in place of a use
  Way way_ = Way::direct;
  std::size_t promised_ = 0;  // page-locked memory, until prepare() takes it
  bool lets_go_ = false;
  std::shared_ptr<cuda::PinnedBlock> keep_;  // a mapping's memory, or the packed copy
  std::shared_ptr<OrderedTransfer> ordered_;
  std::optional<DeviceSpan> span_;  // of a staged transfer
};

}  // namespace clcuda
