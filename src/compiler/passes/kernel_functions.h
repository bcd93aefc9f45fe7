// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/Alignment.h>

#include <cstdint>
#include <vector>

namespace clcuda::compiler {

// Queries and changes of kernels that several passes need.
//
// True for a function with the kernels' calling convention (ptx_kernel) and a body.
bool is_kernel(const llvm::Function& function);
std::vector<llvm::Function*> kernels_of(llvm::Module& module);
// The function and all those with a body that it calls, through any chain of calls, and through pointers (indirect_calls.h).
std::vector<llvm::Function*> reached_from(llvm::Function& function);
// The same for several functions, together.
std::vector<llvm::Function*> reached_from(llvm::ArrayRef<llvm::Function*> functions);
// The functions of the module and all those that call them, in the ways of reached_from().
llvm::SetVector<llvm::Function*> reaching(llvm::Module& module, llvm::ArrayRef<llvm::Function*> functions);
// The kernels that use a variable, themselves or through any chain of calls.
std::vector<llvm::Function*> kernels_using(llvm::GlobalVariable& variable);
// True for the kernel of an enqueued block (frontend/lower_blocks.h), which the device launches.
bool is_block_kernel(const llvm::Function& function);
// Clang's metadata of that kind about a kernel's argument; empty if there is none: argument_text(kernel, "kernel_arg_base_type", 0) may be
// "float*".
llvm::StringRef argument_text(const llvm::Function& kernel, const char* kind, unsigned index);

// Replaces a function by one with parameters of the given types, which takes over its name, attributes, metadata and body. `adapt` returns
// the value in the new function that replaces a parameter of `old`, given by its index; it may insert instructions at the start of the
// body. All uses of `old` then use the new function, but calls still pass the old arguments: the caller adapts them. `old` is erased.
llvm::Function* change_parameters(llvm::Function& old, llvm::ArrayRef<llvm::Type*> types,
                                  llvm::AttributeList attributes,
                                  llvm::function_ref<llvm::Value*(llvm::Function&, unsigned)> adapt);
// change_parameters() for one more parameter, the last.
llvm::Function* append_parameter(llvm::Function& old, llvm::Type* type, llvm::AttributeSet attributes,
                                 llvm::StringRef name);
// Replaces a call of a function to which append_parameter() has added a parameter by one that passes `argument` for it.
void append_argument(llvm::CallInst& call, llvm::Value* argument);

// Dynamic shared memory begins at a multiple of this. A larger alignment would be in vain: the linker, which code with the device runtime
// needs, does not heed it (nvlink and cuLink* 13.0).
inline constexpr std::uint64_t kDynamicLocalAlignment = 16;
// The external array of size 0 in address space 3 that stands for a launch's dynamic shared memory, as in CUDA; declared at the first
// call.
llvm::GlobalVariable& dynamic_local_memory(llvm::Module& module);
// The address of byte `offset` of dynamic shared memory. If `alignment` is more than kDynamicLocalAlignment, it counts from the address of
// the memory rounded down, so that the first alignment - kDynamicLocalAlignment offsets may lead to bytes before the memory.
llvm::Value* dynamic_local_address(llvm::IRBuilderBase& builder, llvm::Value* offset, llvm::Align alignment);

}  // namespace clcuda::compiler
