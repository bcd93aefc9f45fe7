// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/queue/command.h"
#include "runtime/queue/memory_use.h"

namespace clcuda {

// clEnqueueMigrateMemObjects: the bytes come to the queue's device, because the command uses them there; it
// has no other act. A migration to the host has nothing to do, because host memory is only looked at through
// maps.
class MigrateBuffers final : public Command {
 public:
  MigrateBuffers(CommandQueue& queue, const std::vector<Ref<Buffer>>& buffers,
                 const std::vector<Ref<Image>>& images, cl_mem_migration_flags flags)
      : Command(queue, CL_COMMAND_MIGRATE_MEM_OBJECTS) {
    const bool moves = !(flags & CL_MIGRATE_MEM_OBJECT_HOST);
    const Access access = flags & CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED ? Access::overwrite : Access::read;
    for (const Ref<Buffer>& buffer : buffers)
      uses_.emplace_back(*buffer, ByteRange{0, moves ? buffer->size() : 0}, access);
    for (const Ref<Image>& image : images)
      uses_.emplace_back(*image, ImageRegion{.size = moves ? image->shape().size : Size3{}}, access);
  }
};

}  // namespace clcuda
