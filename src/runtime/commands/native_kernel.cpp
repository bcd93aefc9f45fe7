// SPDX-License-Identifier: Apache-2.0
#include "runtime/commands/native_kernel.h"

#include <cstring>

#include "runtime/platform/application_call.h"
#include "runtime/queue/command_queue.h"

namespace clcuda {

void NativeKernel::perform(cuda::Stream& stream) {
  std::vector<cuda::PinnedBlock> copies;
  const cuda::DrainOnFailure drain(stream);
  for (const MemoryUse& use : uses_) {
    cuda::PinnedBlock& copy = copies.emplace_back(queue()->resources().memory().allocate_pinned(use.size()));
    stream.copy_to_host(copy.data(), use.address(), use.size());
    const void* pointer = copy.data();
    std::memcpy(bytes_.data() + use.parameter(), static_cast<const void*>(&pointer), sizeof pointer);
  }
  stream.synchronize();
  if (!call_application([&] { function_(bytes_.empty() ? nullptr : bytes_.data()); }))
    throw Error(CL_OUT_OF_RESOURCES, "a native kernel was not run, as the process ends");
  for (std::size_t i = 0; i < uses_.size(); ++i)
    stream.copy_to_device(uses_[i].address(), copies[i].data(), uses_[i].size());
  stream.synchronize();
}

}  // namespace clcuda
