// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "runtime/queue/command.h"
#include "runtime/queue/memory_use.h"

namespace clcuda {

// A copy of a box of bytes between two buffers or within one; a linear copy is a box of one row. BoxSide::device is an offset in the
// buffer.
struct BufferCopy {
  cuda::BoxSide from, to;
  Size3 region;

  // The source and the destination.
  std::array<MemoryUse, 2> uses(Buffer& from_buffer, Buffer& to_buffer) const;
  // Submits the copy; `uses` must be resident.
  void emit(cuda::Stream& stream, std::span<const MemoryUse> uses) const;
};

// clEnqueueCopyBuffer, clEnqueueCopyBufferRect.
class CopyBuffer final : public Command {
 public:
  CopyBuffer(CommandQueue& queue, cl_command_type type, Buffer& from, Buffer& to, const BufferCopy& copy);

 private:
  void emit(cuda::Stream& stream) override { copy_.emit(stream, uses_); }
  CommandDetails details() const override { return moving(volume(copy_.region)); }

  const BufferCopy copy_;
};

}  // namespace clcuda
