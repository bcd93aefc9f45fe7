// SPDX-License-Identifier: Apache-2.0
#include "compiler/spirv/imported_intrinsic.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>

namespace clcuda::compiler::spirv {
namespace {

bool only_computes(llvm::Intrinsic::ID id) {
  switch (id) {
    case llvm::Intrinsic::abs:
    case llvm::Intrinsic::bitreverse:
    case llvm::Intrinsic::bswap:
    case llvm::Intrinsic::ctlz:
    case llvm::Intrinsic::ctpop:
    case llvm::Intrinsic::cttz:
    case llvm::Intrinsic::fshl:
    case llvm::Intrinsic::fshr:
    case llvm::Intrinsic::sadd_sat:
    case llvm::Intrinsic::smax:
    case llvm::Intrinsic::smin:
    case llvm::Intrinsic::sshl_sat:
    case llvm::Intrinsic::ssub_sat:
    case llvm::Intrinsic::uadd_sat:
    case llvm::Intrinsic::umax:
    case llvm::Intrinsic::umin:
    case llvm::Intrinsic::ushl_sat:
    case llvm::Intrinsic::usub_sat:
    case llvm::Intrinsic::ceil:
    case llvm::Intrinsic::copysign:
    case llvm::Intrinsic::fabs:
    case llvm::Intrinsic::floor:
    case llvm::Intrinsic::maxnum:
    case llvm::Intrinsic::minnum:
    case llvm::Intrinsic::rint:
    case llvm::Intrinsic::trunc:
      return true;
    default:
      return false;
  }
}

}  // namespace

llvm::Function* imported_intrinsic(llvm::Module& module, std::string_view name, llvm::FunctionType* type) {
  if (!name.starts_with("llvm.")) return nullptr;
  const llvm::Intrinsic::ID id = llvm::Intrinsic::lookupIntrinsicID(name);
  llvm::SmallVector<llvm::Type*, 4> overloaded;
  if (!only_computes(id) || !llvm::Intrinsic::getIntrinsicSignature(id, type, overloaded)) return nullptr;
  return llvm::Intrinsic::getOrInsertDeclaration(&module, id, overloaded);
}

}  // namespace clcuda::compiler::spirv
