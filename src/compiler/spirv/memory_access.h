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

// The memory operands of a load, store or copy: Volatile, Aligned 4, Nontemporal.
struct MemoryAccess {
  bool is_volatile = false;
  bool is_nontemporal = false;
  llvm::MaybeAlign alignment;

  // Reads the operands from `index` on, if there are any, and moves it behind them.
  static MemoryAccess read(const Instruction& instruction, std::size_t& index);
};

// The alignment of an access: that of the memory operands, else what is known of the pointer, else the type's own.
llvm::Align alignment_of(FunctionReader& reader, const MemoryAccess& access, std::uint32_t pointer,
                         const Type& type);

}  // namespace clcuda::compiler::spirv
