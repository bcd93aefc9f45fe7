// SPDX-License-Identifier: Apache-2.0
#include "compiler/constant_identity.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include "compiler/passes/abi/constant_pointer_exchange.h"
#include "compiler/passes/address_spaces.h"

namespace clcuda::compiler {
namespace {

// Follows an address through a program, up to where it may be kept for others.
class AddressUses {
 public:
  explicit AddressUses(const llvm::GlobalVariable& variable) { follow(variable); }

  bool leave_the_kernel() {
    while (!open_.empty()) {
      const llvm::Value* value = open_.pop_back_val();
      for (const llvm::Use& use : value->uses())
        if (!continues(use)) return true;
    }
    return false;
  }

 private:
  void follow(const llvm::Value& value) {
    if (known_.insert(&value).second) open_.push_back(&value);
  }

  // Returns false where the address is a number, is stored elsewhere than in a private variable, or is not followed.
  bool continues(const llvm::Use& use) {
    const llvm::User* user = use.getUser();
    if (llvm::isa<llvm::LoadInst, llvm::MemIntrinsic, llvm::ICmpInst>(user)) return true;
    if (llvm::isa<llvm::GEPOperator, llvm::AddrSpaceCastOperator, llvm::PHINode, llvm::SelectInst,
                  llvm::FreezeInst>(user)) {
      follow(*user);
      return true;
    }
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user))
      return &use == &store->getOperandUse(store->getPointerOperandIndex()) || is_kept_in(*store);
    const auto* call = llvm::dyn_cast<llvm::CallBase>(user);
    return call && call->isArgOperand(&use) && continues_in(*call, call->getArgOperandNo(&use));
  }

  bool is_kept_in(const llvm::StoreInst& store) {
    const auto* place = llvm::dyn_cast<llvm::AllocaInst>(store.getPointerOperand());
    if (!place) return false;
    for (const llvm::User* user : place->users()) {
      if (llvm::isa<llvm::LoadInst>(user)) follow(*user);
      if (const auto* other = llvm::dyn_cast<llvm::StoreInst>(user);
          other && other->getValueOperand() == place)
        return false;
      const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(user);
      if (!llvm::isa<llvm::LoadInst, llvm::StoreInst>(user) &&
          !(intrinsic && intrinsic->isLifetimeStartOrEnd()))
        return false;
    }
    return true;
  }

  bool continues_in(const llvm::CallBase& call, unsigned argument) {
    const llvm::Function* callee = call.getCalledFunction();
    if (!callee || callee->isIntrinsic()) return callee;
    if (callee->isDeclaration() || argument >= callee->arg_size() || call.getType()->isPtrOrPtrVectorTy())
      return false;
    follow(*callee->getArg(argument));
    return true;
  }

  llvm::SmallPtrSet<const llvm::Value*, 16> known_;
  llvm::SmallVector<const llvm::Value*> open_;
};

bool is_defined_in(const llvm::GlobalVariable& variable, unsigned space) {
  return variable.getAddressSpace() == space && variable.isConstant() && !variable.isDeclaration();
}

}  // namespace

bool constants_have_identity(const llvm::Module& module) {
  const auto is_table = [](const llvm::GlobalVariable& variable) {
    return is_defined_in(variable, kConstantSpace);
  };
  if (llvm::any_of(module.globals(), is_table) && exchanges_constant_pointers(module)) return true;
  return llvm::any_of(module.globals(), [](const llvm::GlobalVariable& variable) {
    return is_defined_in(variable, kGlobalSpace) && AddressUses(variable).leave_the_kernel();
  });
}

}  // namespace clcuda::compiler
