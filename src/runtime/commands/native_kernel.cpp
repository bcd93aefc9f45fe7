// SPDX-License-Identifier: Apache-2.0
#include "runtime/commands/native_kernel.h"

#include <cstring>

#include "runtime/platform/application_call.h"
#include "runtime/queue/command_queue.h"

namespace clcuda {

void NativeKernel::perform(cuda::Stream& stream) {
  const std::size_t device = queue()->device_index();
  std::vector<cuda::PinnedBlock> copies;
  const cuda::DrainOnFailure drain(stream);
  for (const Argument& argument : arguments_) {
    cuda::PinnedBlock& copy =
        copies.emplace_back(queue()->resources().allocate_pinned(argument.buffer->size()));
    stream.copy_to_host(copy.data(), argument.buffer->use(device, stream, Access::read),
                        argument.buffer->size());
    const void* pointer = copy.data();
    std::memcpy(bytes_.data() + argument.place, static_cast<const void*>(&pointer), sizeof pointer);
  }
  stream.synchronize();
  if (!call_application([&] { function_(bytes_.empty() ? nullptr : bytes_.data()); }))
    throw Error(CL_OUT_OF_RESOURCES, "a native kernel was not run, as the process ends");
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    Buffer& buffer = *arguments_[i].buffer;
    stream.copy_to_device(buffer.use(device, stream, Access::overwrite), copies[i].data(), buffer.size());
  }
  stream.synchronize();
}

}  // namespace clcuda
