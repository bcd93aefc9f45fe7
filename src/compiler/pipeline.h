// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace clcuda::compiler {

struct Lowering;

// From a linked module to one that NVPTX can emit: the kernel ABI, LLVM's optimisations, and what must come
// after them.
void run_pipeline(llvm::Module& module, llvm::TargetMachine& machine, const Lowering& lowering);

}  // namespace clcuda::compiler
