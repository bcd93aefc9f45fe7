// SPDX-License-Identifier: Apache-2.0
#include "compiler/pointer_writes.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "compiler/readable_name.h"

namespace clcuda::compiler {
namespace {

constexpr std::size_t kMostValues = 20'000;  // limit on the values that are followed for one argument

bool holds_pointer(const llvm::Type* type) {
  return type->isPtrOrPtrVectorTy() || llvm::any_of(type->subtypes(), holds_pointer);
}

// Whether a parameter of a mangled function is const, as in "(float const AS1*, unsigned long)".
bool is_const_parameter(llvm::StringRef mangled, unsigned index) {
  if (!is_safe_to_demangle(mangled)) return false;
  const std::string symbol = mangled.str();  // the demangler keeps a reference to it
  llvm::ItaniumPartialDemangler name;
  if (name.partialDemangle(symbol.c_str()) || !name.isFunction()) return false;
  const std::unique_ptr<char, decltype(&std::free)> text(name.getFunctionParameters(nullptr, nullptr),
                                                         std::free);
  if (!text) return false;
  llvm::SmallVector<llvm::StringRef> parameters;
  llvm::StringRef(text.get()).trim("()").split(parameters, ", ");
  return index < parameters.size() && parameters[index].contains(" const");
}

// Follows a pointer to all values derived from it.
class PointerUses {
 public:
  explicit PointerUses(const llvm::Argument& pointer) { values_.insert(&pointer); }

  bool may_write() {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (values_.size() > kMostValues) return true;
      for (const llvm::Use& use : values_[i]->uses())
        if (may_write(use)) return true;
    }
    return false;
  }

 private:
  // Also true if the use cannot be followed.
  bool may_write(const llvm::Use& use) {
    const llvm::User* user = use.getUser();
    if (llvm::isa<llvm::LoadInst, llvm::ICmpInst>(user)) return false;
    if (llvm::isa<llvm::GetElementPtrInst, llvm::CastInst, llvm::PHINode, llvm::SelectInst, llvm::FreezeInst,
                  llvm::InsertElementInst, llvm::ExtractElementInst, llvm::ShuffleVectorInst,
                  llvm::InsertValueInst, llvm::ExtractValueInst>(user))
      return !follow(*user);
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user))
      return use.getOperandNo() == llvm::StoreInst::getPointerOperandIndex() || !follow_variable(*store);
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(user)) return call_may_write(*call, use);
    if (const auto* leave = llvm::dyn_cast<llvm::ReturnInst>(user))
      return !follow_result(*leave->getFunction());
    return true;
  }

  bool follow(const llvm::Value& value) {
    if (!holds_pointer(value.getType())) return false;
    values_.insert(&value);
    return true;
  }

  // A pointer stored in a local variable: follows its loads if the variable is only loaded and stored.
  bool follow_variable(const llvm::StoreInst& store) {
    const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(store.getPointerOperand());
    if (!variable) return false;
    for (const llvm::Use& use : variable->uses()) {
      const llvm::User* user = use.getUser();
      if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) {
        if (!follow(*load)) return false;
      } else if (llvm::isa<llvm::StoreInst>(user)) {
        if (use.getOperandNo() != llvm::StoreInst::getPointerOperandIndex()) return false;
      } else if (!llvm::isa<llvm::LifetimeIntrinsic>(user)) {
        return false;
      }
    }
    return true;
  }

  bool follow_result(const llvm::Function& function) {
    for (const llvm::Use& use : function.uses()) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
      if (!call || !call->isCallee(&use)) return false;
      values_.insert(call);
    }
    return true;
  }

  bool call_may_write(const llvm::CallBase& call, const llvm::Use& use) {
    const llvm::Function* callee = call.getCalledFunction();
    if (!callee || !call.isArgOperand(&use)) return true;
    const unsigned index = call.getArgOperandNo(&use);
    if (const auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&call))
      return &copy->getRawSourceUse() != &use;
    if (!callee->isDeclaration()) {
      if (index >= callee->arg_size()) return true;
      values_.insert(callee->getArg(index));
      return false;
    }
    return !is_const_parameter(callee->getName(), index);  // no library function returns such a pointer
  }

  llvm::SmallSetVector<const llvm::Value*, 16> values_;
};

}  // namespace

bool may_write_through(const llvm::Argument& pointer) { return PointerUses(pointer).may_write(); }

}  // namespace clcuda::compiler
