// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/Module.h>

#include <memory>
#include <string>

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
// The whole optimisation, with vectorised loops, or as little as can be; then a relocatable object.
enum class Effort { usual, least };
std::string make_object(llvm::Module& module, llvm::TargetMachine& machine, Effort effort);

}  // namespace clcuda::ptx
