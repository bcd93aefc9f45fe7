// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace llvm {
class Function;
class FunctionType;
class Module;
}  // namespace llvm

namespace clcuda::compiler::spirv {

// Producers made of LLVM import what SPIR-V has no instruction for under the names of LLVM's own functions. The declaration of such a one
// of numbers, which does nothing but compute; null for all others, and for another type than the function has.
llvm::Function* imported_intrinsic(llvm::Module& module, std::string_view name, llvm::FunctionType* type);

}  // namespace clcuda::compiler::spirv
