// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/memory/buffer.h"
#include "runtime/memory/host_transfer.h"

namespace clcuda {

class CommandQueue;

// A transfer between a buffer and host memory (`transfer.device.device` is an offset in the buffer) without a
// command, where the queue can do that now: page-locked memory (transfer.direct says so), and little of other
// memory. False, and nothing done, otherwise. A blocking one is complete when this returns, in the sight of
// all that comes later.
bool transfer_directly(CommandQueue& queue, Buffer& buffer, const HostTransfer& transfer, bool blocking);
// The same for device memory, or shared memory, at the address `transfer.device.device`.
bool transfer_directly(CommandQueue& queue, const HostTransfer& transfer, bool blocking);

}  // namespace clcuda
