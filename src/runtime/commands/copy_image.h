// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/queue/command.h"
#include "runtime/queue/memory_use.h"

namespace clcuda {

// clEnqueueCopyImage, clEnqueueCopyImageToBuffer, clEnqueueCopyBufferToImage: a copy between images, or between an image and packed texels
// in a buffer at `offset`.
class CopyImage final : public Command {
 public:
  CopyImage(CommandQueue& queue, cl_command_type type, Image& from, const ImageRegion& from_region, Image& to,
            const ImageRegion& to_region);
  CopyImage(CommandQueue& queue, cl_command_type type, Image& from, const ImageRegion& region, Buffer& to,
            std::size_t offset);
  CopyImage(CommandQueue& queue, cl_command_type type, Buffer& from, std::size_t offset, Image& to,
            const ImageRegion& region);

 private:
  enum class Way : std::uint8_t {
    one_copy,
    within_one,  // source and destination are the same image: through temporary memory
    by_rows      // between a 1D array and an image with rows
  };

  void emit(cuda::Stream& stream) override;
  CommandDetails details() const override { return moving(volume(bytes_)); }
  void copy_within_one(cuda::Stream& stream, const cuda::BoxSide& to, const cuda::BoxSide& from) const;
  void copy_rows(cuda::Stream& stream, const cuda::BoxSide& to, const cuda::BoxSide& from) const;

  // In the memory of uses_[0] and uses_[1].
  const cuda::BoxSide from_, to_;
  const Size3 bytes_;
  const Way way_ = Way::one_copy;
  const bool from_layers_ = false;  // by rows: the source is the 1D array
};

}  // namespace clcuda
