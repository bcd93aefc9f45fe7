// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/frontend/string_candidates.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <algorithm>

#include "compiler/passes/kernel_functions.h"

namespace clcuda::compiler {
namespace {

constexpr unsigned kMostCandidates = 256;

// Collects all constants that a value may be, regardless of control flow and the order of stores.
class Search {
 public:
  explicit Search(llvm::Type* type) : type_(type) {}

  bool add(llvm::Value* value) {
    if (!seen_.insert(value).second) return true;
    if (auto* constant = llvm::dyn_cast<llvm::Constant>(value)) return add_constant(*constant);
    if (auto* argument = llvm::dyn_cast<llvm::Argument>(value)) return add_passed(*argument);
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(value)) return add_stored(*load->getPointerOperand());
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(value)) return add_returned(*call);
    if (auto* choice = llvm::dyn_cast<llvm::SelectInst>(value))
      return add(choice->getTrueValue()) && add(choice->getFalseValue());
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(value))
      return std::ranges::all_of(phi->incoming_values(), [&](llvm::Value* v) { return add(v); });
    return false;
  }

  llvm::SmallVector<llvm::Constant*> take() { return found_.takeVector(); }

 private:
  bool add_constant(llvm::Constant& constant) {
    if (llvm::isa<llvm::UndefValue>(constant)) return true;
    llvm::StringRef text;
    if (constant.getType() != type_) return false;
    if (!constant.isNullValue() && !llvm::getConstantStringInfo(&constant, text)) return false;
    found_.insert(&constant);
    return found_.size() <= kMostCandidates;
  }

  bool add_passed(llvm::Argument& argument) {
    llvm::Function* function = argument.getParent();
    if (is_kernel(*function)) return false;
    return std::ranges::all_of(function->users(), [&](llvm::User* user) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(user);
      return call && call->getCalledOperand() == function && add(call->getArgOperand(argument.getArgNo()));
    });
  }

  bool add_returned(llvm::CallInst& call) {
    llvm::Function* function = call.getCalledFunction();
    if (!function || function->isDeclaration()) return false;
    return std::ranges::all_of(*function, [&](llvm::BasicBlock& block) {
      auto* end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator());
      return !end || add(end->getReturnValue());
    });
  }

  // Adds the values that a load may yield: those stored to a variable that is only loaded and stored, or the elements of a constant table.
  bool add_stored(llvm::Value& pointer) {
    llvm::Value* object = pointer.stripInBoundsOffsets();
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(object)) return add_all_stored(*variable);
    auto* table = llvm::dyn_cast<llvm::GlobalVariable>(object);
    return table && table->isConstant() && table->hasInitializer() && add_elements(*table->getInitializer());
  }

  bool add_elements(llvm::Constant& constant) {
    if (constant.getType() == type_) return add(&constant);
    if (!llvm::isa<llvm::ConstantAggregate>(constant)) return constant.isNullValue();
    return std::ranges::all_of(constant.operands(), [&](llvm::Use& element) {
      return add_elements(*llvm::cast<llvm::Constant>(element));
    });
  }

  bool add_all_stored(llvm::Value& address) {
    return std::ranges::all_of(address.users(), [&](llvm::User* user) { return add_use(address, *user); });
  }

  bool add_use(llvm::Value& address, llvm::User& user) {
    if (llvm::isa<llvm::LoadInst>(user)) return true;
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&user)) {
      llvm::Value* stored = store->getValueOperand();
      return stored != &address && stored->getType() == type_ && add(stored);
    }
    if (auto* place = llvm::dyn_cast<llvm::GetElementPtrInst>(&user)) return add_all_stored(*place);
    if (auto* copy = llvm::dyn_cast<llvm::MemCpyInst>(&user)) {
      auto* table = llvm::dyn_cast<llvm::GlobalVariable>(copy->getRawSource()->stripInBoundsOffsets());
      return table && table->isConstant() && table->hasInitializer() &&
             add_elements(*table->getInitializer());
    }
    const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&user);
    return intrinsic && intrinsic->isLifetimeStartOrEnd();
  }

  llvm::Type* const type_;
  llvm::SmallPtrSet<llvm::Value*, 16> seen_;
  llvm::SetVector<llvm::Constant*, llvm::SmallVector<llvm::Constant*>> found_;
};

}  // namespace

llvm::SmallVector<llvm::Constant*> string_candidates(llvm::Value& value) {
  Search search(value.getType());
  if (!search.add(&value)) return {};
  return search.take();
}

std::string string_of(const llvm::Constant& candidate) {
  llvm::StringRef text;
  if (!candidate.isNullValue()) llvm::getConstantStringInfo(&candidate, text);
  return text.str();
}

}  // namespace clcuda::compiler
