// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/abi/fold_local_nulls.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Module.h>

#include "compiler/passes/address_spaces.h"
#include "compiler/target.h"

namespace clcuda::compiler {
namespace {

constexpr unsigned kAddressSpaces = 6;

}  // namespace

llvm::PreservedAnalyses FoldLocalNulls::run(llvm::Module& module, llvm::ModuleAnalysisManager&) const {
  if (architecture_of(target_) < kFirstArchitectureWithLocalNulls) return llvm::PreservedAnalyses::all();
  const auto null_of = [&](unsigned space) {
    return llvm::ConstantPointerNull::get(llvm::PointerType::get(module.getContext(), space));
  };
  const auto replace_conversion = [](llvm::Constant* from, llvm::Constant* to) {
    llvm::ConstantExpr::getAddrSpaceCast(from, to->getType())->replaceAllUsesWith(to);
  };
  replace_conversion(null_of(kGenericSpace), null_of(kLocalSpace));
  for (unsigned space = 0; space < kAddressSpaces; ++space)
    if (space != kLocalSpace) replace_conversion(null_of(kLocalSpace), null_of(space));
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
