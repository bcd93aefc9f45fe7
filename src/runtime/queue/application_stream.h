// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "cuda/stream.h"
#include "runtime/queue/command.h"
#include "runtime/queue/memory_use.h"

namespace clcuda {

class CommandQueue;

// Ordering between commands and the application's CUDA streams and events (cl_clcuda_cuda_interop), which belong to the device's primary
// context. The functions submit waits to streams and do not block. They throw Error(CL_INVALID_VALUE) for a value that is not a stream or
// event, and Error(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) if one of `waits` failed.

// Makes `uses` resident on the queue's device, and orders the next work in `stream` after that, after the queue's commands and after
// `waits`. Throws Error(CL_INVALID_OPERATION) if one of these commands is held, because a stream cannot wait for it.
void acquire_for_stream(CommandQueue& queue, std::vector<MemoryUse>& uses, CUstream stream,
                        std::span<const Ref<Command>> waits);

// Orders the next work in `stream` after the commands `waits`, of any queue. Throws Error(CL_INVALID_OPERATION) if one is held.
void hold_back(DeviceResources& resources, CUstream stream, std::span<const Ref<Command>> waits);

// Where work of the application's ends that a queue's commands are to follow. In the stream of the queue itself no event is needed: what is
// put into a stream follows what is there, and an event for a wait in the same stream would take the device longer than a small kernel.
class ForeignWork {
 public:
  using Objects = std::vector<Ref<MemoryObject>>;

  // All work that is now in the application's `stream` and accesses `objects`; or the last recording of its `event`.
  ForeignWork(const CommandQueue& queue, CUstream stream, Objects objects);
  ForeignWork(const CommandQueue& queue, CUevent event);

  // Orders the next work in `own`, a stream of the queue, after it. The objects' memory is then freed behind it, too.
  void hold_back(cuda::Stream& own);
  // Lets go of the objects, when hold_back() will not be called any more. If it never was, their memory is freed behind the work, too.
  void let_go(DeviceResources& resources) noexcept;

 private:
  std::size_t device_;    // Context::memory_index()
  CUstream stream_ = {};  // the queue's only stream, if the work is there; otherwise
  cuda::Event end_;       // happens after the work
  Objects objects_;
  bool followed_ = false;
};

}  // namespace clcuda
