// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "runtime/queue/command.h"
#include "runtime/queue/memory_use.h"

namespace clcuda {

// A box of bytes from one buffer to another, or within one; a plain stretch is a box of one row.
// BoxSide::device is an offset in the buffer.
struct BufferCopy {
  cuda::BoxSide from, to;
  Size3 region;

  // The first reads, the second writes.
  std::array<MemoryUse, 2> uses(Buffer& from_buffer, Buffer& to_buffer) const;
  void emit(cuda::Stream& stream, std::span<const MemoryUse> uses) const;
};

class CopyBuffer final : public Command {
 public:
  CopyBuffer(CommandQueue& queue, cl_command_type type, Buffer& from, Buffer& to, const BufferCopy& copy);

 private:
  void emit(cuda::Stream& stream) override { copy_.emit(stream, uses_); }

  const BufferCopy copy_;
};

}  // namespace clcuda
