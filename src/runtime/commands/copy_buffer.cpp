// SPDX-License-Identifier: Apache-2.0
#include "runtime/commands/copy_buffer.h"

#include "runtime/command_queue.h"

namespace clcuda {
namespace {

std::size_t extent(const cuda::BoxSide& box, const std::array<std::size_t, 3>& region) {
  return (region[2] - 1) * box.slice_pitch + (region[1] - 1) * box.row_pitch + region[0];
}

}  // namespace

CopyBuffer::CopyBuffer(CommandQueue& queue, cl_command_type type, Buffer& from, const cuda::BoxSide& from_box,
                       Buffer& to, const cuda::BoxSide& to_box, const std::array<std::size_t, 3>& region)
    : Command(queue, type), from_(from), to_(to), from_box_(from_box), to_box_(to_box), region_(region) {}

void CopyBuffer::record(cuda::Stream& stream) {
  if (region_[1] == 1 && region_[2] == 1) return copy_stretch(stream);
  const std::size_t device = queue()->device_index(), to_extent = extent(to_box_, region_);
  const bool gaps = to_extent != region_[0] * region_[1] * region_[2];
  cuda::BoxSide from = from_box_, to = to_box_;
  from.device += from_->use(device, stream, from_box_.device, extent(from_box_, region_), Access::read);
  to.device += to_->use(device, stream, to_box_.device, to_extent, gaps ? Access::write : Access::overwrite);
  stream.copy_box(to, from, region_);
}

// Straight from another device, where it has what is read.
void CopyBuffer::copy_stretch(cuda::Stream& stream) {
  const std::size_t device = queue()->device_index(), size = region_[0];
  const Storage::Source source = from_->find(device, stream, from_box_.device, size);
  const CUdeviceptr from = source.address + from_box_.device,
                    to = to_->use(device, stream, to_box_.device, size, Access::overwrite) + to_box_.device;
  if (source.peer)
    stream.copy_from_peer(to, *source.peer, from, size);
  else
    stream.copy_on_device(to, from, size);
}

void CopyBuffer::release_resources() noexcept {
  from_ = {};
  to_ = {};
}

}  // namespace clcuda
