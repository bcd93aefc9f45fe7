// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/Support/Alignment.h>

#include <cstddef>

namespace llvm {
class Instruction;
}

namespace clcuda::compiler::spirv {

class FunctionReader;
class Instruction;
struct Type;

// The memory operands of an instruction.
struct MemoryAccess {
  bool is_volatile = false;
  bool is_nontemporal = false;
  llvm::MaybeAlign alignment;

  // Those that begin at an operand, which may be none; the index moves behind them.
  static MemoryAccess read(const Instruction& instruction, std::size_t& index);
};

// How an access by a pointer is aligned: as its operands say, else as the pointer is known to be, else as its
// type demands.
llvm::Align alignment_of(FunctionReader& reader, const MemoryAccess& access, std::uint32_t pointer,
                         const Type& type);

}  // namespace clcuda::compiler::spirv
