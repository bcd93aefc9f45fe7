// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "runtime/memory/host_transfer.h"
#include "runtime/queue/command.h"
#include "runtime/queue/memory_use.h"

namespace clcuda {

// The use of a buffer by a transfer; `transfer.device.device` is an offset in the buffer.
MemoryUse use_of(Buffer& buffer, const HostTransfer& transfer);
// The transfer with the device address of its use, which must be resident.
HostTransfer placed(const HostTransfer& transfer, const MemoryUse& use);

// Reads, writes, maps and unmaps: transfers between device memory and host memory.
//
//   direct   page-locked or shared host memory: copied by the stream
//   packed   small transfers of pageable memory: through a page-locked block, filled at submission or emptied in the epilogue. A blocking
//            write then returns early if all later uses of the memory are ordered after it
//   ordered  the same if kernels access that memory, too: the block is filled and emptied in stream order, by a host function
//   staged   large transfers of pageable memory: executed on a host worker thread, through several blocks
class Transfer final : public Command {
 public:
  // For a buffer; `transfer.device.device` is an offset in it. `keep` is owned until the device no longer uses it.
  Transfer(CommandQueue& queue, cl_command_type type, Buffer& buffer, const HostTransfer& transfer,
           std::shared_ptr<cuda::PinnedBlock> keep = nullptr);
  // For device or shared memory at the address `transfer.device.device`; holds a reference to its allocation until the command completes.
  Transfer(CommandQueue& queue, cl_command_type type, Ref<SvmAllocation> memory,
           const HostTransfer& transfer);
  // For a region of an image; `transfer` has the host memory and the size. If the size is 0 (an unmap after reading), nothing is done.
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
  CommandDetails details() const override { return moving(transfer_.size()); }
  void expect_waiting(bool observed) override;
  bool lets_caller_go() const override { return lets_go_; }
  bool has_epilogue() const override { return way_ == Way::packed && !transfer_.to_device; }
  void prepare() override;
  void emit(cuda::Stream& stream) override;
  void perform(cuda::Stream& stream) override;
  const DeviceSpan* device_span() const override { return span_ ? &*span_ : nullptr; }
  void epilogue() override;
  // A mapping's memory is in use until the stream reaches the unmap, even if that transfers nothing: earlier commands may read the memory
  // (section 5.5.4).
  std::shared_ptr<cuda::PinnedBlock> host_memory() const override {
    return transfer_.size() || type() == CL_COMMAND_UNMAP_MEM_OBJECT ? keep_ : nullptr;
  }
  void release_resources() noexcept override {
    keep_ = nullptr;
    ordered_ = nullptr;
    memory_ = {};
    end_promise();
  }

  void choose_first() noexcept;
  bool may_race_with_kernels() const noexcept;
  HostTransfer placed() const;
  bool goes_with_commands() const noexcept;
  void choose(Way way) noexcept;
  void end_promise() noexcept;

  const HostTransfer transfer_;  // its device side is relative to the beginning of the buffer or array
  Ref<SvmAllocation> memory_;    // instead of a use
  Way way_ = Way::direct;
  std::size_t promised_ = 0;  // page-locked memory, until prepare() takes it
  bool lets_go_ = false;
  std::shared_ptr<cuda::PinnedBlock> keep_;  // a mapping's memory, or the packed copy
  std::shared_ptr<OrderedTransfer> ordered_;
  std::optional<DeviceSpan> span_;  // of a staged transfer
};

}  // namespace clcuda
