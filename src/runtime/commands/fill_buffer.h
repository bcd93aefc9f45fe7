// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "runtime/memory/buffer.h"
#include "runtime/queue/command.h"

namespace clcuda {

// Fills a buffer, or device or shared memory at an address, without creating a command, if the queue can submit it now and the pattern
// repeats within 4 bytes. Otherwise returns false and does nothing.
bool fill_directly(CommandQueue& queue, Buffer& buffer, const void* pattern, std::size_t pattern_size,
                   std::size_t offset, std::size_t size);
bool fill_directly(CommandQueue& queue, cl_command_type type, CUdeviceptr begin, const void* pattern,
                   std::size_t pattern_size, std::size_t size);

// clEnqueueFillBuffer, clEnqueueSVMMemFill, clEnqueueMemFillINTEL: repeats a pattern of 1, 2, 4 … 128 bytes. A pattern that repeats
// within 4 bytes is a memset; otherwise some copies of the pattern are transferred and doubled on the device.
class FillBuffer final : public Command {
 public:
  FillBuffer(CommandQueue& queue, cl_command_type type, Buffer& buffer, const void* pattern,
             std::size_t pattern_size, std::size_t offset, std::size_t size);
  // Fills memory at an address; its allocation is kept until the command has been submitted.
  FillBuffer(CommandQueue& queue, cl_command_type type, Ref<SvmAllocation> memory, CUdeviceptr begin,
             const void* pattern, std::size_t pattern_size, std::size_t size);

 private:
  void prepare() override;
  void emit(cuda::Stream& stream) override;
  CommandDetails details() const override { return moving(size_); }
  std::shared_ptr<cuda::PinnedBlock> host_memory() const override { return seed_; }
  void release_resources() noexcept override {
    seed_ = nullptr;
    memory_ = {};
  }
  void fill_by_doubling(cuda::Stream& stream, CUdeviceptr begin) const;

  std::vector<std::byte> pattern_;
  Ref<SvmAllocation> memory_;                // instead of a use
  const std::size_t offset_, size_;          // offset_: in the buffer, or the address in memory_
  std::shared_ptr<cuda::PinnedBlock> seed_;  // seed_fill.h
};

}  // namespace clcuda
