// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/host_function.h"

#include "ptx/driver/entry.h"
#include "ptx/driver/lookup.h"
#include "ptx/driver/process.h"
#include "ptx/driver/stream.h"

namespace clcuda::ptx::driver {

CUresult cuLaunchHostFunc(CUstream handle, CUhostFn function, void* argument) {
  return entry([&] {
    const Ref<Stream> stream = stream_of(handle);
    require(function != nullptr);
    HostFunctionThreads& threads = Process::get().host_functions();
    threads.reserve();
    stream->enqueue(std::make_unique<HostFunctionCommand>(threads, function, argument));
    return CUDA_SUCCESS;
  });
}

}  // namespace clcuda::ptx::driver
