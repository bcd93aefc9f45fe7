// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/GlobalValue.h>
#include <llvm/Support/Alignment.h>

#include <cstdint>
#include <string>

namespace clcuda::compiler::spirv {

class ModuleReader;

// How a function or a variable is known to others (LinkageAttributes), and to readers of the code (OpName).
struct Symbol {
  std::string name;
  llvm::GlobalValue::LinkageTypes linkage;
  bool is_import;
};
// Refuses names that mean something to LLVM, and those that the module has given away.
Symbol symbol_of(ModuleReader& reader, std::uint32_t id);

// Refuses names that kernels cannot have in PTX.
void check_kernel_name(const std::string& name);

// The operand of Alignment, Aligned and the like.
llvm::Align checked_alignment(std::uint64_t bytes);

}  // namespace clcuda::compiler::spirv
