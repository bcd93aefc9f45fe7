// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/abi/fold_local_nulls.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Module.h>

#include "compiler/passes/address_spaces.h"
#include "compiler/target.h"

namespace clcuda::compiler {
namespace {

constexpr unsigned address_spaces = 6;

}  // namespace

llvm::PreservedAnalyses FoldLocalNulls::run(llvm::Module& module, llvm::ModuleAnalysisManager&) const {
  if (architecture_of(target_) < first_architecture_with_local_nulls) return llvm::PreservedAnalyses::all();
  const auto null_of = [&](unsigned space) {
    return llvm::ConstantPointerNull::get(llvm::PointerType::get(module.getContext(), space));
  };
  const auto replace_conversion = [](llvm::Constant* from, llvm::Constant* to) {
    llvm::ConstantExpr::getAddrSpaceCast(from, to->getType())->replaceAllUsesWith(to);
  };
  replace_conversion(null_of(generic_space), null_of(local_space));
  for (unsigned space = 0; space < address_spaces; ++space)
    if (space != local_space) replace_conversion(null_of(local_space), null_of(space));
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
