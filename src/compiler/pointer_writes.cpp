// SPDX-License-Identifier: Apache-2.0
#include "compiler/pointer_writes.h"

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

}  // namespace

PointerWrites::PointerWrites()
    : pointers_([](const llvm::Type* type) { return type->isPtrOrPtrVectorTy(); }) {}

bool PointerWrites::may_write_through(const llvm::Argument& pointer) {
  if (sources_.try_emplace(&pointer).second) open_.push_back(&pointer);
  while (!open_.empty() && !written_.contains(&pointer)) {
    const llvm::Value* value = open_.pop_back_val();
    if (llvm::any_of(value->uses(), [&](const llvm::Use& use) { return may_write(use); }))
      set_written(*value);
  }
  return written_.contains(&pointer);
}

// Also true if the use cannot be followed.
bool PointerWrites::may_write(const llvm::Use& use) {
  if (llvm::isa<llvm::AllocaInst>(use.get())) return variable_may_be_written(use);
  if (llvm::isa<llvm::Function>(use.get())) return result_may_be_written(use);
  const llvm::User* user = use.getUser();
  if (llvm::isa<llvm::LoadInst, llvm::ICmpInst>(user)) return false;
  if (llvm::isa<llvm::GetElementPtrInst, llvm::CastInst, llvm::PHINode, llvm::SelectInst, llvm::FreezeInst,
                llvm::InsertElementInst, llvm::ExtractElementInst, llvm::ShuffleVectorInst,
                llvm::InsertValueInst, llvm::ExtractValueInst>(user))
    return derived_may_be_written(*user, use);
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) return store_may_write(*store, use);
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(user)) return call_may_write(*call, use);
  if (const auto* leave = llvm::dyn_cast<llvm::ReturnInst>(user))
    return may_be_written(*leave->getFunction(), *use.get());
  return true;
}

// A pointer may be stored in a local variable.
bool PointerWrites::store_may_write(const llvm::StoreInst& store, const llvm::Use& use) {
  if (use.getOperandNo() == llvm::StoreInst::getPointerOperandIndex()) return true;
  const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(store.getPointerOperand());
  return !variable || may_be_written(*variable, *use.get());
}

// A variable that holds a pointer can be followed if it is only loaded and stored.
bool PointerWrites::variable_may_be_written(const llvm::Use& use) {
  const llvm::User* user = use.getUser();
  if (llvm::isa<llvm::LoadInst>(user)) return derived_may_be_written(*user, use);
  if (llvm::isa<llvm::StoreInst>(user))
    return use.getOperandNo() != llvm::StoreInst::getPointerOperandIndex();
  return !llvm::isa<llvm::LifetimeIntrinsic>(user);
}

bool PointerWrites::result_may_be_written(const llvm::Use& use) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
  return !call || !call->isCallee(&use) || may_be_written(*call, *use.get());
}

bool PointerWrites::call_may_write(const llvm::CallBase& call, const llvm::Use& use) {
  const llvm::Function* callee = call.getCalledFunction();
  if (!callee || !call.isArgOperand(&use)) return true;
  const unsigned index = call.getArgOperandNo(&use);
  if (const auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&call))
    return &copy->getRawSourceUse() != &use;
  if (!callee->isDeclaration())
    return index >= callee->arg_size() || may_be_written(*callee->getArg(index), *use.get());
  return !is_const_parameter(callee->getName(), index);  // no library function returns such a pointer
}

bool PointerWrites::derived_may_be_written(const llvm::Value& derived, const llvm::Use& use) {
  return !pointers_.are_in(derived.getType()) || may_be_written(derived, *use.get());
}

// Whether code is already known to write through the next value; if not, set_written() tells it to `from` later.
bool PointerWrites::may_be_written(const llvm::Value& next, const llvm::Value& from) {
  const auto [sources, is_new] = sources_.try_emplace(&next);
  sources->second.push_back(&from);
  if (is_new) open_.push_back(&next);
  return written_.contains(&next);
}

void PointerWrites::set_written(const llvm::Value& value) {
  llvm::SmallVector<const llvm::Value*> open{&value};
  while (!open.empty()) {
    const llvm::Value* next = open.pop_back_val();
    if (!written_.insert(next).second) continue;
    if (const auto sources = sources_.find(next); sources != sources_.end())
      llvm::append_range(open, sources->second);
  }
}

}  // namespace clcuda::compiler
