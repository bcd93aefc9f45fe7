// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "cuda/stream.h"
#include "runtime/queue/command.h"
#include "runtime/queue/memory_use.h"

namespace clcuda {

class CommandQueue;

// Order between commands and CUDA streams and events of the application's (cl_clcuda_cuda_interop), which are of the device's primary
// context. All of it is put into streams: nobody waits. Throws Error(CL_INVALID_VALUE) for what is no stream, or no event.

// Makes `uses` resident on the queue's device, and puts the stream behind that, behind the queue's commands and behind `waits`. Throws
// Error(CL_INVALID_OPERATION) where one of these is held, as no stream can wait for that.
void acquire_for_stream(CommandQueue& queue, std::vector<MemoryUse>& uses, CUstream stream,
                        std::span<const Ref<Command>> waits);

// Puts the stream behind commands, of any queue. Throws Error(CL_INVALID_OPERATION) where one is held.
void hold_back(DeviceResources& resources, CUstream stream, std::span<const Ref<Command>> waits);

// An event of ours that happens when all is done that the stream holds now; when `event` happens, as it has been recorded last.
cuda::Event end_of(DeviceResources& resources, CUstream stream);
cuda::Event end_of(DeviceResources& resources, CUevent event);

}  // namespace clcuda
