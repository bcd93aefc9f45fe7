// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compiler/options.h"
#include "compiler/program_image.h"

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace clcuda::compiler {

// From a linked module to one that NVPTX can emit: the kernel ABI, LLVM's optimisations, and what must come
// after them.
void run_pipeline(llvm::Module& module, llvm::TargetMachine& machine, const Options& options,
                  const Target& target, Variant variant);

}  // namespace clcuda::compiler
