// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "runtime/buffer.h"
#include "runtime/command.h"

namespace clcuda {

// A box of bytes from one buffer to another, or within one; a plain stretch is a box of one row.
class CopyBuffer final : public Command {
 public:
  // BoxSide::device is an offset in the buffer.
  CopyBuffer(CommandQueue& queue, cl_command_type type, Buffer& from, const cuda::BoxSide& from_box,
             Buffer& to, const cuda::BoxSide& to_box, const std::array<std::size_t, 3>& region);

 private:
  void record(cuda::Stream& stream) override;
  void copy_stretch(cuda::Stream& stream);
  void release_resources() noexcept override;

  Ref<Buffer> from_, to_;
  const cuda::BoxSide from_box_, to_box_;
  const std::array<std::size_t, 3> region_;
};

}  // namespace clcuda
