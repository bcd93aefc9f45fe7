// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "compiler/compiled_program.h"

namespace llvm {
class Module;
}

namespace clcuda::compiler {

// The kernels of a module after place_local_variables(): signatures before any other lowering.
std::vector<KernelInfo> describe_kernels(const llvm::Module& module);

// All properties of a lowered module's code except its PTX; entries in the order of `kernels`.
void describe_code(const llvm::Module& module, const std::vector<KernelInfo>& kernels, VariantCode& code);

// Bytes of variables at program scope that a kernel can write.
std::uint64_t global_variable_size(const llvm::Module& module);

}  // namespace clcuda::compiler
