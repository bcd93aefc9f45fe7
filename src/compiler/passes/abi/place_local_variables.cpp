// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/abi/place_local_variables.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ReplaceConstant.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>

#include "compiler/passes/kernel_functions.h"
#include "compiler/passes/names.h"

namespace clcuda::compiler {
namespace {

// Static shared memory is limited to 48 KB on every chip. Part of it is reserved for the library's own variables.
constexpr std::uint64_t kMostStaticBytes = (48 << 10) - (4 << 10);

struct Variable {
  llvm::GlobalVariable* variable;
  std::uint64_t size;
  llvm::Align alignment;
  std::vector<llvm::Function*> kernels;
};

// Aligned for the widest load: in relocatable code, as cuLink* produces it, ptxas merges loads only as far as the declared alignment
// allows.
constexpr llvm::Align kVectorAlignment = llvm::Align::Constant<16>();

std::vector<Variable> local_variables(llvm::Module& module) {
  std::vector<Variable> variables;
  const llvm::DataLayout& layout = module.getDataLayout();
  for (llvm::GlobalVariable& variable : module.globals()) {
    if (variable.getAddressSpace() != 3 || variable.isDeclaration()) continue;
    llvm::Type* type = variable.getValueType();
    const std::uint64_t size = layout.getTypeAllocSize(type);
    llvm::Align alignment = variable.getAlign().value_or(layout.getABITypeAlign(type));
    if (size >= kVectorAlignment.value()) alignment = std::max(alignment, kVectorAlignment);
    variable.setAlignment(alignment);
    variables.push_back({&variable, size, alignment, kernels_using(variable)});
  }
  return variables;
}

// The address depends on where dynamic shared memory begins (dynamic_local_address).
bool is_rounded(const Variable& variable) { return variable.alignment.value() > kDynamicLocalAlignment; }

using Sizes = llvm::DenseMap<const llvm::Function*, std::uint64_t>;

// Assigns a variable the first offset that is free in all kernels that use it.
std::uint64_t take_place(const Variable& variable, Sizes& used) {
  std::uint64_t offset = 0;
  for (const llvm::Function* kernel : variable.kernels) offset = std::max(offset, used[kernel]);
  if (is_rounded(variable)) offset += variable.alignment.value() - kDynamicLocalAlignment;
  offset = llvm::alignTo(offset, variable.alignment);
  for (const llvm::Function* kernel : variable.kernels) used[kernel] = offset + variable.size;
  return offset;
}

// Each function that uses the variable computes its address.
void replace_by_rounded_address(const Variable& variable, llvm::Constant* offset) {
  llvm::convertUsersOfConstantsToInstructions({variable.variable});
  llvm::DenseMap<llvm::Function*, llvm::Value*> addresses;
  for (llvm::Use& use : llvm::make_early_inc_range(variable.variable->uses())) {
    llvm::Function* function = llvm::cast<llvm::Instruction>(use.getUser())->getFunction();
    llvm::Value*& address = addresses[function];
    if (!address) {
      llvm::IRBuilder<> builder(&*function->getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
      address = dynamic_local_address(builder, offset, variable.alignment);
    }
    use.set(address);
  }
}

void move_to_dynamic_memory(const Variable& variable, std::uint64_t place) {
  llvm::Module& module = *variable.variable->getParent();
  llvm::Constant* offset = llvm::ConstantInt::get(llvm::Type::getInt64Ty(module.getContext()), place);
  if (is_rounded(variable))
    replace_by_rounded_address(variable, offset);
  else
    variable.variable->replaceAllUsesWith(llvm::ConstantExpr::getGetElementPtr(
        llvm::Type::getInt8Ty(module.getContext()), &dynamic_local_memory(module),
        llvm::ArrayRef<llvm::Constant*>(offset)));
  variable.variable->eraseFromParent();
}

}  // namespace

llvm::PreservedAnalyses PlaceLocalVariables::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  std::vector<Variable> variables = local_variables(module);
  Sizes sums;
  for (const Variable& variable : variables) {
    for (const llvm::Function* kernel : variable.kernels) {
      sums[kernel] = llvm::alignTo(sums[kernel], variable.alignment) + variable.size;
    }
  }
  std::erase_if(variables, [&](const Variable& variable) {
    return std::ranges::none_of(variable.kernels,
                                [&](const auto* kernel) { return sums[kernel] > kMostStaticBytes; });
  });

  Sizes used;
  for (const Variable& variable : variables) move_to_dynamic_memory(variable, take_place(variable, used));
  for (llvm::Function* kernel : kernels_of(module)) {
    if (const auto size = used.lookup(kernel)) kernel->addFnAttr(kStaticLocalAttribute, std::to_string(size));
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
