// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/FMF.h>

#include <cstdint>
#include <unordered_map>

namespace llvm {
class Type;
}  // namespace llvm

namespace clcuda::compiler::spirv {

class Instruction;
class ModuleReader;

// The flags of a function's floating-point operations: those of the build options, and `contract` unless the module forbids it. For a
// function that is not a kernel they are those that all kernels have, each of which may call it.
class MathFlags {
 public:
  MathFlags(ModuleReader& module, std::uint32_t function) : module_(module), function_(function) {}

  // Of operations of all types (ContractionOff).
  llvm::FastMathFlags of_function() { return of_type(nullptr); }
  // Of an operation on a scalar type: what its kernel says of the type (FPFastMathDefault), and what the operation's decorations do.
  llvm::FastMathFlags of(const Instruction& instruction, const llvm::Type* type);

 private:
  llvm::FastMathFlags of_type(const llvm::Type* type);

  ModuleReader& module_;
  std::uint32_t function_;
  std::unordered_map<const llvm::Type*, llvm::FastMathFlags> known_;
};

}  // namespace clcuda::compiler::spirv
