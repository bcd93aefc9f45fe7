// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/Instructions.h>

namespace clcuda::compiler {

// The value as an index's extension from 32 to 64 bits, by its sign or by zeros, or null.
inline llvm::CastInst* extended_index(llvm::Value* value) {
  auto* extension = llvm::dyn_cast<llvm::CastInst>(value);
  const bool is_one = extension && llvm::isa<llvm::SExtInst, llvm::ZExtInst>(extension) &&
                      extension->getSrcTy()->isIntegerTy(32) && extension->getType()->isIntegerTy(64);
  return is_one ? extension : nullptr;
}

}  // namespace clcuda::compiler
