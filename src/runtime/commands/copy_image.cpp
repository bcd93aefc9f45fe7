// SPDX-License-Identifier: Apache-2.0
#include "runtime/commands/copy_image.h"

#include "runtime/device/stream_memory.h"
#include "runtime/memory/box_parts.h"
#include "runtime/queue/command_queue.h"

namespace clcuda {
namespace {

constexpr std::size_t kRoom = 64 << 20;

// Between parts of one array that has slices or layers, cuMemcpy3D writes to wrong ones (driver 580 on an H200).
bool is_within_one(const Image& from, const Image& to) {
  if (&from.root() != &to.root()) return false;
  const cl_mem_object_type type = from.shape().type;
  return type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY ||
         type == CL_MEM_OBJECT_IMAGE3D;
}

bool holds_layers_of_rows(const Image& image) { return image.shape().type == CL_MEM_OBJECT_IMAGE1D_ARRAY; }

}  // namespace

CopyImage::CopyImage(CommandQueue& queue, cl_command_type type, Image& from, const ImageRegion& from_region,
                     Image& to, const ImageRegion& to_region)
    : Command(queue, type),
      from_(from.box_of(from_region)),
      to_(to.box_of(to_region)),
      bytes_(from.bytes_of(from_region)),
      way_(is_within_one(from, to)                                  ? Way::within_one
           : holds_layers_of_rows(from) != holds_layers_of_rows(to) ? Way::by_rows
                                                                    : Way::one_copy),
      from_layers_(holds_layers_of_rows(from)) {
  uses_ = {MemoryUse(from, from_region, Access::read), MemoryUse(to, to_region, Access::overwrite)};
}

CopyImage::CopyImage(CommandQueue& queue, cl_command_type type, Image& from, const ImageRegion& region,
                     Buffer& to, std::size_t offset)
    : Command(queue, type),
      from_(from.box_of(region)),
      to_(BoxParts::packed(offset, from.bytes_of(region))),
      bytes_(from.bytes_of(region)) {
  uses_ = {MemoryUse(from, region, Access::read), MemoryUse(to, to_, bytes_, Access::overwrite)};
}

CopyImage::CopyImage(CommandQueue& queue, cl_command_type type, Buffer& from, std::size_t offset, Image& to,
                     const ImageRegion& region)
    : Command(queue, type),
      from_(BoxParts::packed(offset, to.bytes_of(region))),
      to_(to.box_of(region)),
      bytes_(to.bytes_of(region)) {
  uses_ = {MemoryUse(from, from_, bytes_, Access::read), MemoryUse(to, region, Access::overwrite)};
}

void CopyImage::emit(cuda::Stream& stream) {
  const cuda::BoxSide from = uses_[0].at(from_), to = uses_[1].at(to_);
  switch (way_) {
    case Way::one_copy:
      return stream.copy_box(to, from, bytes_);
    case Way::within_one:
      return copy_within_one(stream, to, from);
    case Way::by_rows:
      return copy_rows(stream, to, from);
  }
}

void CopyImage::copy_within_one(cuda::Stream& stream, const cuda::BoxSide& to,
                                const cuda::BoxSide& from) const {
  const BoxParts parts(bytes_, kRoom);
  const StreamMemory memory(queue()->resources(), parts.size(), stream);
  parts.for_each([&](const Size3& place, const Size3& part) {
    const cuda::BoxSide room = BoxParts::packed(memory.address(), part);
    stream.copy_box(room, moved(from, place), part);
    stream.copy_box(moved(to, place), room, part);
  });
}

void CopyImage::copy_rows(cuda::Stream& stream, const cuda::BoxSide& to, const cuda::BoxSide& from) const {
  for (std::size_t row = 0; row < bytes_[1] * bytes_[2]; ++row)
    stream.copy_box(to.moved(0, from_layers_ ? row : 0, from_layers_ ? 0 : row),
                    from.moved(0, from_layers_ ? 0 : row, from_layers_ ? row : 0), {bytes_[0], 1, 1});
}

}  // namespace clcuda
