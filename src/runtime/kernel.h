// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "runtime/object.h"
#include "runtime/program.h"

namespace clcuda {

class Buffer;

// A kernel's arguments as they stood at enqueue: everything a launch needs, owned (style: "a command is a whole snapshot").
// Buffers are named, not resolved: their device addresses are written into `bytes` when the command is submitted, because a
// buffer's place on the device is decided then.
struct ArgumentBlock {
  struct BufferSlot {
    std::uint32_t offset;  // where the 8-byte device address goes in `bytes`
    Ref<Buffer> buffer;
    bool writable;         // the kernel may write it (not `const`/`constant`, not CL_MEM_READ_ONLY)
  };
  std::vector<std::byte> bytes;        // the parameter buffer; local offsets are already in place
  std::vector<BufferSlot> buffers;
  std::uint32_t dynamic_local_size = 0;  // bytes of dynamic shared memory
};

// cl_kernel. Holds the arguments weakly, as the specification has it (releasing a buffer that is set as an argument is allowed);
// capture_arguments() makes strong references for one launch.
class Kernel;

}  // namespace clcuda
