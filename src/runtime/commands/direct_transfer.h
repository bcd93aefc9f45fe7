// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/memory/buffer.h"
#include "runtime/memory/host_transfer.h"

namespace clcuda {

class CommandQueue;

// Transfers between a buffer and host memory (`transfer.device.device` is an offset in the buffer) without creating a command, if the queue
// can submit it now and the device can access the host memory (HostTransfer::is_direct) or the transfer is small. Otherwise returns false
// and does nothing. A blocking transfer is complete on return.
bool transfer_directly(CommandQueue& queue, cl_command_type type, Buffer& buffer,
                       const HostTransfer& transfer, bool blocking);
// The same for device or shared memory at the address `transfer.device.device`.
bool transfer_directly(CommandQueue& queue, cl_command_type type, const HostTransfer& transfer,
                       bool blocking);

}  // namespace clcuda
