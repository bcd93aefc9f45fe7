// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace llvm {
class Function;
class FunctionType;
class Module;
}  // namespace llvm

namespace clcuda::compiler::spirv {

// The declaration of an LLVM intrinsic that a module imports by its name, "llvm.bswap.i32": producers that are based on LLVM do that if
// SPIR-V has no instruction for it. Null for all but intrinsics that only compute with numbers, and if the type is not the intrinsic's.
llvm::Function* imported_intrinsic(llvm::Module& module, std::string_view name, llvm::FunctionType* type);

}  // namespace clcuda::compiler::spirv
