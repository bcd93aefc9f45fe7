// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace clcuda::compiler {

struct Lowering;

// Lowers a linked module to one that NVPTX can emit: kernel ABI, LLVM's optimisations, late passes. The log
// says if the program is too large to be optimised or takes too long.
void run_pipeline(llvm::Module& module, llvm::TargetMachine& machine, const Lowering& lowering,
                  std::string& log);

}  // namespace clcuda::compiler
