// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace llvm {
class CallBase;
class Function;
}  // namespace llvm

namespace clcuda::compiler::spirv {

class ModuleReader;

// The attributes that Clang gives to functions that it defines, and to those that it declares, when it compiles OpenCL C. `pure`: the
// result depends on the arguments alone.
void define_as_clang_does(const ModuleReader& reader, llvm::Function& function);
void declare_as_clang_does(llvm::Function& function, bool pure);
// The attributes of a call, from those of the function that it names.
void call_as_clang_does(llvm::CallBase& call);

}  // namespace clcuda::compiler::spirv
