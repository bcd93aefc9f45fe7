// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "runtime/memory/buffer.h"
#include "runtime/queue/command.h"

namespace clcuda {

// A box of bytes from one buffer to another, or within one; a plain stretch is a box of one row. BoxSide::device is an offset in the
// buffer.
void record_copy(const CommandQueue& queue, cuda::Stream& stream, Buffer& from, const cuda::BoxSide& from_box,
                 Buffer& to, const cuda::BoxSide& to_box, const std::array<std::size_t, 3>& region);

class CopyBuffer final : public Command {
 public:
  CopyBuffer(CommandQueue& queue, cl_command_type type, Buffer& from, const cuda::BoxSide& from_box,
             Buffer& to, const cuda::BoxSide& to_box, const std::array<std::size_t, 3>& region);

 private:
  void record(cuda::Stream& stream) override;
  void release_resources() noexcept override;

  Ref<Buffer> from_, to_;
  const cuda::BoxSide from_box_, to_box_;
  const std::array<std::size_t, 3> region_;
};

}  // namespace clcuda
