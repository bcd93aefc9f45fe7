// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/Module.h>

#include <memory>
#include <string>

#include "ptx/translate/effort.h"

namespace llvm {
class TargetMachine;
}

namespace clcuda::ptx {

// The machine that this process runs on, as LLVM knows it.
std::unique_ptr<llvm::TargetMachine> make_host_machine();
// Names it: code for another host must not be run here.
const std::string& host_name();

// Cleans each function up just so far that registers are values and dead code is gone.
void simplify(llvm::Module& module, llvm::TargetMachine& machine);
// Optimised, as far as it is worth it, to a relocatable object.
std::string make_object(llvm::Module& module, llvm::TargetMachine& machine, Effort effort);

}  // namespace clcuda::ptx
