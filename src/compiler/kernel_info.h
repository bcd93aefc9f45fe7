// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "compiler/compiled_program.h"

namespace llvm {
class Module;
}

namespace clcuda::compiler {

// The kernels of a module as Clang emitted it and place_local_variables() left it: signatures before any
// lowering.
std::vector<KernelInfo> describe_kernels(const llvm::Module& module);

// Everything of a lowered module but its PTX; the entries in the order of `kernels`.
void describe_code(const llvm::Module& module, const std::vector<KernelInfo>& kernels, VariantCode& code);

// Bytes of variables at program scope that a kernel can write.
std::uint64_t global_variable_size(const llvm::Module& module);

}  // namespace clcuda::compiler
