// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace clcuda::compiler {

// The denormal mode is the attribute "denormal-fp-math-f32": whether single-precision denormals are flushed to zero.
//
// True if a function flushes; false also if it has no mode.
bool flushes_denormals(const llvm::Function& function);
// True if the program has kernels and all of them flush.
bool flushes_denormals(llvm::Module& module);

// Functions of the OpenCL C library are compiled without a mode: they get that of the program (abi/propagate_denormal_mode.h).
bool has_denormal_mode(const llvm::Function& function);
void set_denormal_mode(llvm::Function& function, bool flush);

}  // namespace clcuda::compiler
