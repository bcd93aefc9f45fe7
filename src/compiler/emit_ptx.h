// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "compiler/compiled_program.h"
#include "compiler/options.h"

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace clcuda::compiler {

// LLVM's NVPTX back end for the target. `parameter_bytes`: the largest parameter buffer of the module's kernels. Throws CompilerFault if
// this LLVM lacks the back end.
std::unique_ptr<llvm::TargetMachine> create_target_machine(const Target& target, const Options& options,
                                                           std::uint32_t parameter_bytes);

// The PTX of a module whose symbols have their names in PTX (ptx_names.h). If `waiting`, kernels start with a wait for preceding kernels in
// their stream. Throws CompilerFault for what NVPTX cannot express. Modifies the module.
std::string emit_ptx(llvm::Module& module, llvm::TargetMachine& machine, bool waiting);

}  // namespace clcuda::compiler
