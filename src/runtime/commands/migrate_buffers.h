// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "runtime/image/image.h"
#include "runtime/memory/buffer.h"
#include "runtime/queue/command.h"
#include "runtime/queue/command_queue.h"

namespace clcuda {

// clEnqueueMigrateMemObjects: the bytes come to the queue's device. A migration to the host has nothing to do, because host
// memory is only looked at through maps.
class MigrateBuffers final : public Command {
 public:
  MigrateBuffers(CommandQueue& queue, std::vector<Ref<Buffer>> buffers, std::vector<Ref<Image>> images,
                 cl_mem_migration_flags flags)
      : Command(queue, CL_COMMAND_MIGRATE_MEM_OBJECTS),
        buffers_(std::move(buffers)),
        images_(std::move(images)),
        flags_(flags) {}

 private:
  void record(cuda::Stream& stream) override {
    if (flags_ & CL_MIGRATE_MEM_OBJECT_HOST) return;
    const Access access = flags_ & CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED ? Access::overwrite : Access::read;
    for (const Ref<Buffer>& buffer : buffers_) buffer->use(queue()->device_index(), stream, access);
    for (const Ref<Image>& image : images_)
      image->use(queue()->device_index(), stream, {.size = image->shape().size}, access);
  }
  void release_resources() noexcept override {
    buffers_.clear();
    images_.clear();
  }

  std::vector<Ref<Buffer>> buffers_;
  std::vector<Ref<Image>> images_;
  const cl_mem_migration_flags flags_;
};

}  // namespace clcuda
