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

std::unique_ptr<llvm::TargetMachine> create_target_machine(const Target& target, const Options& options,
                                                           std::uint32_t parameter_bytes);

// The module's PTX, in which kernels begin with a wait for those before them in their stream if they are to be `waiting`. Throws
// CompilerFault for what NVPTX cannot express. Changes the module.
std::string emit_ptx(llvm::Module& module, llvm::TargetMachine& machine, bool waiting);

}  // namespace clcuda::compiler
