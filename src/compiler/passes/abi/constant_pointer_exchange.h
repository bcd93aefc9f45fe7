// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/Module.h>

#include "compiler/passes/address_spaces.h"

namespace clcuda::compiler {

inline bool is_constant_pointer(const llvm::Type* type) {
  return type->isPointerTy() && type->getPointerAddressSpace() == kConstantSpace;
}

// True if a pointer to constant memory may enter or leave the program other than as a kernel's argument: the program loads one from memory
// that others write (a buffer), stores one there, makes one from an integer or an integer from one. Then a pointer to constant memory may
// point to a buffer, and LowerConstantPointers has to act:
//
//   kernel void k(constant int* global* p) { … p[1][0] … }    // true: the buffer holds a pointer
//
// Variables of the program hold what the program has put there as whole pointers. The answer is also yes if any part of one is accessed as
// another type, or if its address escapes to where uses are not followed.
bool exchanges_constant_pointers(const llvm::Module& module);

}  // namespace clcuda::compiler
