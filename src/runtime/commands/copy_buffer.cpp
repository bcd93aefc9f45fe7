// SPDX-License-Identifier: Apache-2.0
#include "runtime/commands/copy_buffer.h"

namespace clcuda {

std::array<MemoryUse, 2> BufferCopy::uses(Buffer& from_buffer, Buffer& to_buffer) const {
  // A contiguous range may be read where it is valid, by a peer copy from that device; but imported memory belongs to no device.
  const bool stretch = region[1] == 1 && region[2] == 1 && !to_buffer.imported();
  return {MemoryUse(from_buffer, from, region, stretch ? Access::read_anywhere : Access::read),
          MemoryUse(to_buffer, to, region, Access::overwrite)};
}

void BufferCopy::emit(cuda::Stream& stream, std::span<const MemoryUse> uses) const {
  const cuda::BoxSide source = uses[0].at(from), target = uses[1].at(to);
  if (const cuda::DeviceContext* peer = uses[0].peer())
    stream.copy_from_peer(target.device, *peer, source.device, region[0]);
  else
    stream.copy_box(target, source, region);
}

CopyBuffer::CopyBuffer(CommandQueue& queue, cl_command_type type, Buffer& from, Buffer& to,
                       const BufferCopy& copy)
    : Command(queue, type), copy_(copy) {
  const auto uses = copy.uses(from, to);
  uses_.assign(uses.begin(), uses.end());
}

}  // namespace clcuda
