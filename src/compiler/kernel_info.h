// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "compiler/program_image.h"

namespace llvm {
class Module;
}

namespace clcuda::compiler {

// The kernels of a module as Clang emitted it and place_local_variables() left it: signatures before any
// lowering.
std::vector<KernelInfo> describe_kernels(const llvm::Module& module);

// The entries of a lowered module, in the order of `kernels`.
std::vector<KernelCode> describe_code(const llvm::Module& module, const std::vector<KernelInfo>& kernels);

// Whether the lowered module calls functions of CUDA's device runtime.
bool needs_device_runtime(const llvm::Module& module);

// Bytes of variables at program scope that a kernel can write.
std::uint64_t global_variable_size(const llvm::Module& module);

}  // namespace clcuda::compiler
