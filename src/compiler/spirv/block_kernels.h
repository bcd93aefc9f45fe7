// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace llvm {
class Value;
}

namespace clcuda::compiler::spirv {

class FunctionReader;

// The operands of OpEnqueueKernel and its kin that say what is to run: ids of a function, of the address of
// what it is given, and of that one's size and alignment.
struct Invocation {
  std::uint32_t function, parameter, size, alignment;
};

// What Clang makes of a block of OpenCL C: a kernel, and a literal with what it captures.
struct Block {
  llvm::Value* kernel;
  llvm::Value* literal;
};

// A function that is enqueued, as a block (passes/frontend/lower_blocks.h): the literal has the bytes that
// the function is given, and the kernel calls it with their address. `local_count` says how many addresses of
// local memory it takes beside; without it, it may take any number.
Block make_block(FunctionReader& reader, const Invocation& invocation,
                 std::optional<std::size_t> local_count);

}  // namespace clcuda::compiler::spirv
