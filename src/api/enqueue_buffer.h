// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/enqueue.h"
#include "runtime/commands/copy_buffer.h"
#include "runtime/memory/host_transfer.h"

// Enqueue transfers and copies of contiguous bytes and of boxes of buffers, for both kinds of entry points. The caller has checked the
// arguments. BoxSide::device is an offset in the buffer, in bytes.
namespace clcuda::api {

void enqueue_transfer(CommandQueue& queue, cl_command_type type, Buffer& buffer, HostTransfer transfer,
                      cl_bool blocking, WaitList waits, cl_event* event);
void enqueue_copy(CommandQueue& queue, cl_command_type type, Buffer& from, Buffer& to, const BufferCopy& copy,
                  WaitList waits, cl_event* event);

}  // namespace clcuda::api
