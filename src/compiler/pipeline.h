// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace clcuda::compiler {

struct Lowering;

// From a linked module to one that NVPTX can emit: the kernel ABI, LLVM's optimisations, and what must come
// after them. The log says so where the program is too large to be optimised, or takes too long.
void run_pipeline(llvm::Module& module, llvm::TargetMachine& machine, const Lowering& lowering,
                  std::string& log);

}  // namespace clcuda::compiler
