// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

#include <optional>
#include <vector>

namespace clcuda::compiler {

// Calls through pointers, which programs in SPIR-V may have (SPV_INTEL_function_pointers). A pointer may come from another kernel, so any
// call may reach any function of the program whose address is taken.
//
// True for a function that is not only called directly. Kernels are none: their addresses are for launches.
bool is_addressed(const llvm::Function& function);
std::vector<llvm::Function*> addressed_functions(llvm::Module& module);
// True for a call of what is no function's name.
bool is_indirect_call(const llvm::Instruction& instruction);
std::vector<llvm::CallBase*> indirect_calls(llvm::Module& module);

// Who calls a module's functions. The module's indirect calls are looked for once: none may be added as long as this is used.
class Callers {
 public:
  explicit Callers(llvm::Module& module) : module_(module) {}
  // Adds the functions from which a function may be called: those that name it in a call, and those that may call it through a pointer.
  void add(llvm::Function& callee, llvm::SetVector<llvm::Function*>& callers);
  // The latter alone: all with indirect calls, if the function is addressed.
  void add_through_pointers(llvm::Function& callee, llvm::SetVector<llvm::Function*>& callers);

 private:
  llvm::Module& module_;
  std::optional<llvm::SetVector<llvm::Function*>> with_indirect_calls_;
};

}  // namespace clcuda::compiler
