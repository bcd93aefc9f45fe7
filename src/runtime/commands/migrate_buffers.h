// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/queue/command.h"
#include "runtime/queue/memory_use.h"

namespace clcuda {

// clEnqueueMigrateMemObjects: making its uses resident copies the bytes to the queue's device; the command has no other operation. A
// migration to the host does nothing, because the host accesses memory objects through maps only.
class MigrateBuffers final : public Command {
 public:
  MigrateBuffers(CommandQueue& queue, const std::vector<Ref<Buffer>>& buffers,
                 const std::vector<Ref<Image>>& images, cl_mem_migration_flags flags)
      : Command(queue, CL_COMMAND_MIGRATE_MEM_OBJECTS) {
    const bool moves = !(flags & CL_MIGRATE_MEM_OBJECT_HOST);
    // The contents of immutable objects never change (cl_ext_immutable_memory_objects), and a pipe's memory has its shape as well
    // (builtins/pipe_record.h).
    const auto access = [&](bool keeps_contents) {
      return flags & CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED && !keeps_contents ? Access::overwrite
                                                                                : Access::read;
    };
    for (const Ref<Buffer>& buffer : buffers)
      add({*buffer, ByteRange{0, moves ? buffer->size() : 0},
           access(buffer->is_immutable() || buffer->pipe())},
          moves ? buffer->size() : 0);
    for (const Ref<Image>& image : images) {
      const ImageRegion region{.size = moves ? image->shape().size : Size3{}};
      add({*image, region, access(image->is_immutable())}, volume(image->bytes_of(region)));
    }
  }

 private:
  CommandDetails details() const override { return moving(bytes_); }
  void add(MemoryUse use, std::size_t bytes) {
    uses_.push_back(std::move(use));
    bytes_ += bytes;
  }

  std::size_t bytes_ = 0;
};

}  // namespace clcuda
