// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "runtime/buffer.h"
#include "runtime/command.h"
#include "runtime/command_queue.h"

namespace clcuda {

// clEnqueueMigrateMemObjects: the buffers' bytes come to the queue's device. A migration to the host has nothing to do, because host
// memory is only looked at through maps.
class MigrateBuffers final : public Command {
 public:
  MigrateBuffers(CommandQueue& queue, std::vector<Ref<Buffer>> buffers, cl_mem_migration_flags flags)
      : Command(queue, CL_COMMAND_MIGRATE_MEM_OBJECTS), buffers_(std::move(buffers)), flags_(flags) {}

 private:
  void record(cuda::Stream& stream) override {
    if (flags_ & CL_MIGRATE_MEM_OBJECT_HOST) return;
    const Access access = flags_ & CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED ? Access::overwrite : Access::read;
    for (const Ref<Buffer>& buffer : buffers_) buffer->use(queue()->device_index(), stream, access);
  }
  void release_resources() noexcept override { buffers_.clear(); }

  std::vector<Ref<Buffer>> buffers_;
  const cl_mem_migration_flags flags_;
};

}  // namespace clcuda
