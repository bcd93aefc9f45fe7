// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace llvm {
class CallBase;
class Function;
}  // namespace llvm

namespace clcuda::compiler::spirv {

class ModuleReader;

// What Clang says of functions that it defines, and of those that it declares; `pure`: the result depends on
// the arguments alone.
void define_as_clang_does(const ModuleReader& reader, llvm::Function& function);
void declare_as_clang_does(llvm::Function& function, bool pure);
// Of a call, from what is known of the function that it names.
void call_as_clang_does(llvm::CallBase& call);

}  // namespace clcuda::compiler::spirv
