// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/frontend/break_initializer_cycles.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include <cstdint>
#include <vector>

namespace clcuda::compiler {
namespace {

using Variables = llvm::SetVector<llvm::GlobalVariable*>;

Variables references_in(llvm::Constant* value) {
  Variables found;
  llvm::SmallPtrSet<llvm::Constant*, 8> seen;
  llvm::SmallVector<llvm::Constant*> open{value};
  while (!open.empty()) {
    llvm::Constant* part = open.pop_back_val();
    if (!seen.insert(part).second) continue;
    if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(part)) found.insert(variable);
    if (llvm::isa<llvm::GlobalValue>(part)) continue;
    for (llvm::Use& operand : part->operands())
      if (auto* constant = llvm::dyn_cast<llvm::Constant>(operand)) open.push_back(constant);
  }
  return found;
}

// By variable, the references from its initial value that lead back in a depth-first search: without them there is no cycle.
llvm::MapVector<llvm::GlobalVariable*, Variables> closing_references(llvm::Module& module) {
  struct Visit {
    llvm::GlobalVariable* variable;
    Variables references;
    std::size_t next = 0;
  };
  enum class State { unknown, open, done };
  llvm::DenseMap<llvm::GlobalVariable*, State> states;
  llvm::MapVector<llvm::GlobalVariable*, Variables> closing;
  std::vector<Visit> path;  // no recursion, as lists may be long
  const auto enter = [&](llvm::GlobalVariable& variable) {
    if (!variable.hasInitializer()) return;
    states[&variable] = State::open;
    path.push_back({&variable, references_in(variable.getInitializer())});
  };
  for (llvm::GlobalVariable& root : module.globals()) {
    if (states.lookup(&root) == State::unknown) enter(root);
    while (!path.empty()) {
      Visit& visit = path.back();
      if (visit.next == visit.references.size()) {
        states[visit.variable] = State::done;
        path.pop_back();
        continue;
      }
      llvm::GlobalVariable* reference = visit.references[visit.next++];
      const State state = states.lookup(reference);
      if (state == State::open) closing[visit.variable].insert(reference);
      if (state == State::unknown) enter(*reference);
    }
  }
  return closing;
}

// Moves references from the initial value of a variable into code.
class Mover {
 public:
  Mover(llvm::IRBuilder<>& builder, llvm::GlobalVariable& variable, const Variables& moved)
      : builder_(builder), variable_(variable), moved_(moved), layout_(variable.getDataLayout()) {}

  void run() {
    variable_.setInitializer(rest_of(variable_.getInitializer(), 0));
    variable_.setConstant(false);
  }

 private:
  llvm::Constant* rest_of(llvm::Constant* value, std::uint64_t offset) {
    if (!llvm::isa<llvm::ConstantAggregate>(value)) return is_moved(value) ? store(value, offset) : value;
    llvm::SmallVector<llvm::Constant*> rest;
    for (unsigned i = 0; i < value->getNumOperands(); ++i)
      rest.push_back(rest_of(value->getAggregateElement(i), offset + place_of(i, value->getType())));
    if (auto* structure = llvm::dyn_cast<llvm::StructType>(value->getType()))
      return llvm::ConstantStruct::get(structure, rest);
    if (auto* array = llvm::dyn_cast<llvm::ArrayType>(value->getType()))
      return llvm::ConstantArray::get(array, rest);
    return llvm::ConstantVector::get(rest);
  }

  bool is_moved(llvm::Constant* value) const {
    return !value->getType()->isAggregateType() &&
           llvm::any_of(references_in(value), [&](auto* variable) { return moved_.contains(variable); });
  }

  std::uint64_t place_of(unsigned index, llvm::Type* type) const {
    if (auto* structure = llvm::dyn_cast<llvm::StructType>(type))
      return layout_.getStructLayout(structure)->getElementOffset(index);
    return index * layout_.getTypeAllocSize(type->getContainedType(0)).getFixedValue();
  }

  llvm::Constant* store(llvm::Constant* value, std::uint64_t offset) {
    llvm::Value* place = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), &variable_, offset);
    builder_.CreateAlignedStore(value, place, llvm::commonAlignment(alignment_, offset));
    return llvm::Constant::getNullValue(value->getType());
  }

  llvm::IRBuilder<>& builder_;
  llvm::GlobalVariable& variable_;
  const Variables& moved_;
  const llvm::DataLayout& layout_;
  const llvm::Align alignment_ =
      variable_.getAlign().value_or(layout_.getABITypeAlign(variable_.getValueType()));
};

}  // namespace

llvm::PreservedAnalyses BreakInitializerCycles::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  const auto closing = closing_references(module);
  if (closing.empty()) return llvm::PreservedAnalyses::all();
  llvm::LLVMContext& context = module.getContext();
  auto* constructor =
      llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context), false),
                             llvm::GlobalValue::InternalLinkage, "__clcuda_close_cycles", module);
  constructor->setDoesNotThrow();
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", constructor));
  for (const auto& [variable, references] : closing) Mover(builder, *variable, references).run();
  builder.CreateRetVoid();
  llvm::appendToGlobalCtors(module, constructor, 0);  // before constructors that may follow the references
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
