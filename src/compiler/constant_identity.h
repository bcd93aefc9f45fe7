// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/Module.h>

namespace clcuda::compiler {

// Whether a kernel may find an address of a constant of the program that another kernel, or another launch, has left in memory, and compare
// it with its own: an object has one address (C99 6.2.4). All of the program must then be in one module, because every module has copies of
// the constants.
//
//   constant int table[4] = …;
//   kernel void put(constant int* global* p) { p[0] = &table[1]; }
//   kernel void get(constant int* global* p, global long* index) { index[0] = p[0] - table; }
bool constants_have_identity(const llvm::Module& module);

}  // namespace clcuda::compiler
