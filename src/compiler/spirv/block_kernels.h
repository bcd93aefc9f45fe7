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

// The operands of OpEnqueueKernel and the like that say what is to run: the ids of a function, of the address of its parameter, and of the
// parameter's size and alignment in bytes.
struct Invocation {
  std::uint32_t function, parameter, size, alignment;
};

// What Clang makes of a block in OpenCL C: a kernel, and a literal with the captured values.
struct Block {
  llvm::Value* kernel;
  llvm::Value* literal;
};

// Makes a block of a function that is enqueued (passes/frontend/lower_blocks.h): the literal has the bytes of the parameter, and the
// kernel calls the function with their address. `local_count`: the number of pointers to local memory that the function takes besides; if
// it is not given, any number.
Block make_block(FunctionReader& reader, const Invocation& invocation,
                 std::optional<std::size_t> local_count);

}  // namespace clcuda::compiler::spirv
