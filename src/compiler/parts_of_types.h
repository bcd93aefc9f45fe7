// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Type.h>

#include <functional>
#include <utility>

namespace clcuda::compiler {

// Tells whether a type has a property or contains a type that has it. Looks into each type once, also in later questions: the parts of a
// structure of structures may be exponentially many.
//
//   PartsOfTypes pointers([](const llvm::Type* type) { return type->isPointerTy(); });
//   pointers.are_in(instruction.getType())
//
// The property is asked about vectors, not about their elements.
class PartsOfTypes {
 public:
  using Property = std::function<bool(const llvm::Type*)>;
  explicit PartsOfTypes(Property has_property) : has_property_(std::move(has_property)) {}

  bool are_in(const llvm::Type* type) {
    if (type->isVectorTy() || type->subtypes().empty()) return has_property_(type);
    if (const auto [known, is_new] = known_.try_emplace(type, false); !is_new) return known->second;
    const bool found = has_property_(type) ||
                       llvm::any_of(type->subtypes(), [&](const llvm::Type* part) { return are_in(part); });
    return known_[type] = found;
  }

 private:
  Property has_property_;
  llvm::DenseMap<const llvm::Type*, bool> known_;
};

}  // namespace clcuda::compiler
