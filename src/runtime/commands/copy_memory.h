// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>

#include "runtime/memory/svm.h"
#include "runtime/queue/command.h"

namespace clcuda {

// Source or destination of a copy by addresses. `peer`: the device that the memory belongs to, if it is not the queue's. The allocation, if
// there is one, is kept until the copy has been submitted.
struct PlainMemory {
  CUdeviceptr address = 0;
  Ref<SvmAllocation> allocation;
  const cuda::DeviceContext* peer = nullptr;
};

// A linear copy of `size` bytes between two addresses.
struct MemoryCopy {
  PlainMemory to, from;
  std::size_t size = 0;

  void emit(cuda::Stream& stream) const {
    if (!to.peer && !from.peer) return stream.copy_on_device(to.address, from.address, size);
    const auto owner = [&](const PlainMemory& memory) -> const cuda::DeviceContext& {
      return memory.peer ? *memory.peer : stream.context();
    };
    stream.copy_between_peers(to.address, owner(to), from.address, owner(from), size);
  }
};

// clEnqueueSVMMemcpy, clEnqueueMemcpyINTEL.
class CopyMemory final : public Command {
 public:
  CopyMemory(CommandQueue& queue, cl_command_type type, MemoryCopy copy)
      : Command(queue, type), copy_(std::move(copy)) {}

 private:
  void emit(cuda::Stream& stream) override { copy_.emit(stream); }
  CommandDetails details() const override { return moving(copy_.size); }
  void release_resources() noexcept override { copy_.to.allocation = copy_.from.allocation = {}; }

  MemoryCopy copy_;
};

}  // namespace clcuda
