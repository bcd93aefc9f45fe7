// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/Module.h>

#include "compiler/passes/address_spaces.h"

namespace clcuda::compiler {

inline bool is_constant_pointer(const llvm::Type* type) {
  return type->isPointerTy() && type->getPointerAddressSpace() == kConstantSpace;
}

// Whether the program may come by a pointer to constant memory that it has not made from its own constants, or may hand one of those on:
// it reads one from memory that others write (a buffer), makes one of a number, or lets a number be made of one. Variables of the program
// hold what the program has put there, as whole pointers; where any of it is written or read as something else, or a variable's
// address goes where it is not followed, the answer is yes.
bool exchanges_constant_pointers(const llvm::Module& module);

}  // namespace clcuda::compiler
