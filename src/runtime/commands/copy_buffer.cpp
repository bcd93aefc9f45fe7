// SPDX-License-Identifier: Apache-2.0
#include "runtime/commands/copy_buffer.h"

#include "runtime/queue/command_queue.h"

namespace clcuda {
namespace {

std::size_t extent(const cuda::BoxSide& box, const std::array<std::size_t, 3>& region) {
  return (region[2] - 1) * box.slice_pitch + (region[1] - 1) * box.row_pitch + region[0];
}

// Straight from another device, where it has what is read.
void copy_stretch(std::size_t device, cuda::Stream& stream, Buffer& from, std::size_t from_offset, Buffer& to,
                  std::size_t to_offset, std::size_t size) {
  const Storage::Source source = from.find(device, stream, from_offset, size);
  const CUdeviceptr source_address = source.address + from_offset,
                    address = to.use(device, stream, to_offset, size, Access::overwrite) + to_offset;
  if (source.peer)
    stream.copy_from_peer(address, *source.peer, source_address, size);
  else
    stream.copy_on_device(address, source_address, size);
}

}  // namespace

void record_copy(const CommandQueue& queue, cuda::Stream& stream, Buffer& from, const cuda::BoxSide& from_box,
                 Buffer& to, const cuda::BoxSide& to_box, const std::array<std::size_t, 3>& region) {
  const std::size_t device = queue.device_index();
  if (region[1] == 1 && region[2] == 1)
    return copy_stretch(device, stream, from, from_box.device, to, to_box.device, region[0]);
  const std::size_t to_extent = extent(to_box, region);
  const bool gaps = to_extent != region[0] * region[1] * region[2];
  cuda::BoxSide source = from_box, target = to_box;
  source.device += from.use(device, stream, from_box.device, extent(from_box, region), Access::read);
  target.device += to.use(device, stream, to_box.device, to_extent, gaps ? Access::write : Access::overwrite);
  stream.copy_box(target, source, region);
}

CopyBuffer::CopyBuffer(CommandQueue& queue, cl_command_type type, Buffer& from, const cuda::BoxSide& from_box,
                       Buffer& to, const cuda::BoxSide& to_box, const std::array<std::size_t, 3>& region)
    : Command(queue, type), from_(from), to_(to), from_box_(from_box), to_box_(to_box), region_(region) {}

void CopyBuffer::record(cuda::Stream& stream) {
  record_copy(*queue(), stream, *from_, from_box_, *to_, to_box_, region_);
}

void CopyBuffer::release_resources() noexcept {
  from_ = {};
  to_ = {};
}

}  // namespace clcuda
