// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/GlobalValue.h>
#include <llvm/Support/Alignment.h>

#include <cstdint>
#include <string>

namespace llvm {
class FunctionType;
}  // namespace llvm

namespace clcuda::compiler::spirv {

class ModuleReader;

// The name and linkage of a function or variable, from LinkageAttributes, or from OpName if it is internal.
struct Symbol {
  std::string name;
  llvm::GlobalValue::LinkageTypes linkage;
  bool is_import;
};
// `function`: the type of a function. Throws ProgramError for names with a meaning to LLVM, and for those that the module has used already.
Symbol symbol_of(ModuleReader& reader, std::uint32_t id, const llvm::FunctionType* function = nullptr);

// Throws ProgramError for names that a kernel cannot have in PTX, and for those of the library's functions.
void check_kernel_name(const std::string& name);

// The alignment that a variable or parameter is decorated with (Alignment, AlignmentId). Throws ProgramError as checked_alignment().
llvm::MaybeAlign decorated_alignment(const ModuleReader& reader, std::uint32_t id);

// The operand of Alignment, Aligned and the like, in bytes. Throws ProgramError unless it is a power of two of at most 4096.
llvm::Align checked_alignment(std::uint64_t bytes);

}  // namespace clcuda::compiler::spirv
