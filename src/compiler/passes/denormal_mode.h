// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace clcuda::compiler {

// Whether single-precision denormals are flushed: in a function; in all of the program's kernels.
bool flushes_denormals(const llvm::Function& function);
bool flushes_denormals(llvm::Module& module);

// Functions of the library have no mode of their own.
bool has_denormal_mode(const llvm::Function& function);
void set_denormal_mode(llvm::Function& function, bool flush);

}  // namespace clcuda::compiler
