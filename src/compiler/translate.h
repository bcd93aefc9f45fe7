// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "compiler/outcome.h"
#include "compiler/source.h"

namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

namespace clcuda::compiler {

// A program of either language to LLVM IR: nothing linked, nothing lowered. Fills in the outcome's log and
// dependencies, and the program's translations; null if there were errors.
std::unique_ptr<llvm::Module> translate(const SourceUnit& unit, llvm::LLVMContext& context, Outcome& outcome);

}  // namespace clcuda::compiler
