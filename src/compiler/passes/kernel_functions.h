// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <vector>

namespace clcuda::compiler {

bool is_kernel(const llvm::Function& function);
std::vector<llvm::Function*> kernels_of(llvm::Module& module);
bool is_block_kernel(const llvm::Function& function);

// A function like `old` with parameters of other types: the body moves, `adapt` gives for each parameter of
// the old signature the value that takes its place (it may insert instructions at the start of the body). The
// new function takes the old one's place wherever that is named; calls are left to the caller to adapt.
llvm::Function* change_parameters(llvm::Function& old, llvm::ArrayRef<llvm::Type*> types,
                                  llvm::AttributeList attributes,
                                  llvm::function_ref<llvm::Value*(llvm::Function&, unsigned)> adapt);
// The same with one more parameter, the last.
llvm::Function* append_parameter(llvm::Function& old, llvm::Type* type, llvm::AttributeSet attributes,
                                 llvm::StringRef name);
// A call of a function to which a parameter has been added.
void append_argument(llvm::CallInst& call, llvm::Function& callee, llvm::Value* argument);

// The extern array that stands for a launch's dynamic shared memory.
llvm::GlobalVariable& dynamic_local_memory(llvm::Module& module);

}  // namespace clcuda::compiler
