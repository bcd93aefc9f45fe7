// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/options.h"
#include "compiler/program_image.h"

namespace clcuda::compiler {

// What a pass needs to know beside the module.
struct Lowering {
  const Options& options;
  const Target& target;
  Variant variant;
};

// The passes of the kernel ABI, one per file, in the order of pipeline.cpp. Each leaves a module that
// verifies.

// Clang puts a kernel's body into a noinline __clang_ocl_kern_imp_ function; lets it be inlined into the
// entry.
void expose_kernel_bodies(llvm::Module& module, const Lowering& lowering);
// __clcuda_uniform_launch() becomes a constant; loads from the launch record become invariant.
void resolve_launch_variant(llvm::Module& module, const Lowering& lowering);
// libdevice asks __nvvm_reflect how to compute.
void resolve_nvvm_reflect(llvm::Module& module, const Lowering& lowering);
// `constant` pointers are buffers: address space 4 becomes 1 in programs that pass one to a kernel or have
// more than 64 KB of constants.
void lower_constant_pointers(llvm::Module& module, const Lowering& lowering);
// `local` pointer arguments become offsets into dynamic shared memory.
void lower_local_arguments(llvm::Module& module, const Lowering& lowering);
// Local variables beyond what static shared memory holds go to the front of dynamic shared memory. Returns
// each kernel's share.
void place_local_variables(llvm::Module& module, const Lowering& lowering);
// Work-group sizes as PTX directives, and the ranges of ids that follow.
void bound_work_item_ids(llvm::Module& module, const Lowering& lowering);
// Divisions and square roots in the accuracy that the language asks for.
void relax_division(llvm::Module& module, const Lowering& lowering);
void relax_square_root(llvm::Module& module, const Lowering& lowering);
// The launch record as a hidden last parameter, where it is used.
void lower_launch_record(llvm::Module& module, const Lowering& lowering);
// Read-modify-write operations with their order and scope, which NVPTX drops.
void order_atomics(llvm::Module& module, const Lowering& lowering);
// Intrinsics that NVPTX cannot select.
void legalize_math(llvm::Module& module, const Lowering& lowering);

// Helpers that several passes use (kernel_functions.cpp).

bool is_kernel(const llvm::Function& function);
std::vector<llvm::Function*> kernels_of(llvm::Module& module);

// A function like `old` with parameters of other types: the body moves, `adapt` gives for each parameter of
// the old signature the value that takes its place (it may insert instructions at the start of the body). The
// old function is erased; it must not have callers.
llvm::Function* change_parameters(llvm::Function& old, llvm::ArrayRef<llvm::Type*> types,
                                  llvm::AttributeList attributes,
                                  llvm::function_ref<llvm::Value*(llvm::Function&, unsigned)> adapt);

// The extern array that stands for a launch's dynamic shared memory.
llvm::GlobalVariable& dynamic_local_memory(llvm::Module& module);

// Function metadata and attributes that this compiler leaves for itself.
inline constexpr char launch_record_function[] = "__clcuda_launch_record";
inline constexpr char uniform_launch_function[] = "__clcuda_uniform_launch";
inline constexpr char static_local_attribute[] = "clcuda-static-local-size";
inline constexpr char launch_record_attribute[] = "clcuda-launch-record";  // of the hidden parameter
inline constexpr char printf_attribute[] = "clcuda-printf";

}  // namespace clcuda::compiler
