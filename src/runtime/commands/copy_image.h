// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/image/image.h"
#include "runtime/queue/command.h"

namespace clcuda {

// One end of a copy that has an image at an end: a region of an image, or packed bytes of a buffer.
struct ImageOrBuffer {
  Ref<Image> image;
  ImageRegion region;
  Ref<Buffer> buffer;
  std::size_t offset = 0;  // in the buffer

  cuda::BoxSide use(std::size_t device, cuda::Stream& stream, const Size3& bytes, Access access);
};

class CopyImage final : public Command {
 public:
  // `bytes` is the size of the box: Image::bytes_of().
  CopyImage(CommandQueue& queue, cl_command_type type, ImageOrBuffer from, ImageOrBuffer to,
            const Size3& bytes)
      : Command(queue, type), from_(std::move(from)), to_(std::move(to)), bytes_(bytes) {}

 private:
  void record(cuda::Stream& stream) override;
  void release_resources() noexcept override;
  void copy_within_one(cuda::Stream& stream, const cuda::BoxSide& to, const cuda::BoxSide& from);

  ImageOrBuffer from_, to_;
  const Size3 bytes_;
};

}  // namespace clcuda
