// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimize/let_arguments_escape.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <vector>

#include "compiler/passes/address_spaces.h"
#include "compiler/passes/kernel_functions.h"
#include "compiler/passes/mangled_name.h"
#include "compiler/pointer_writes.h"

namespace clcuda::compiler {
namespace {

// How far other work-items are whose accesses an instruction may order with those of its own.
enum class Reach { none, group, beyond };

// The last parameters of functions with an explicit order: one order or two, then perhaps a scope.
struct Ordering {
  llvm::ArrayRef<llvm::Use> orders;
  const llvm::Value* scope = nullptr;
};

bool is_constant(const llvm::Value* value, std::initializer_list<std::uint64_t> numbers) {
  const auto* constant = llvm::dyn_cast_or_null<llvm::ConstantInt>(value);
  return constant && llvm::is_contained(numbers, constant->getZExtValue());
}

Ordering ordering_of(const llvm::CallBase& call, const MangledName& name) {
  llvm::ArrayRef<llvm::Use> arguments(call.arg_begin(), call.arg_end());
  Ordering ordering;
  if (name.parameters.contains("12memory_scope") && !arguments.empty()) {
    ordering.scope = arguments.back();
    arguments = arguments.drop_back();
  }
  if (name.parameters.contains("12memory_order"))
    ordering.orders = arguments.take_back(name.name.contains("compare_exchange") ? 2 : 1);
  return ordering;
}

// An OpenCL C function. Those of OpenCL C 1 without an order are relaxed, as the fences that go with them are not.
Reach reach_of(const llvm::CallBase& call, const MangledName& name) {
  constexpr std::uint64_t kRelaxed = __ATOMIC_RELAXED;
  constexpr std::uint64_t kWorkItem = 0, kWorkGroup = 1, kSubGroup = 4;  // Clang's numbers of memory_scope
  const Ordering ordering = ordering_of(call, name);
  if (is_constant(ordering.scope, {kWorkItem, kWorkGroup, kSubGroup})) return Reach::group;
  if (!ordering.orders.empty())
    return llvm::all_of(ordering.orders,
                        [](const llvm::Use& order) { return is_constant(order, {kRelaxed}); })
               ? Reach::group
               : Reach::beyond;
  if (ordering.scope || name.name.ends_with("mem_fence")) return Reach::beyond;
  // Without "explicit", functions of OpenCL C 2 are sequentially consistent on the whole device.
  constexpr llvm::StringRef kOrdered[] = {"atomic_fetch_",   "atomic_load",     "atomic_store",
                                          "atomic_exchange", "atomic_compare_", "atomic_flag_"};
  const bool is_ordered =
      llvm::any_of(kOrdered, [&](llvm::StringRef start) { return name.name.starts_with(start); });
  return is_ordered ? Reach::beyond : Reach::group;
}

// A function that the program defines is examined itself.
Reach reach_of(const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  if (!callee) return call.onlyReadsMemory() ? Reach::none : Reach::beyond;
  if (!callee->isDeclaration() || call.onlyReadsMemory() || call.hasFnAttr(llvm::Attribute::NoSync) ||
      llvm::isa<llvm::MemIntrinsic>(call))
    return Reach::none;
  const auto name = split_mangled(callee->getName());
  return name ? reach_of(call, *name) : Reach::beyond;
}

Reach reach_of(const llvm::Function& function) {
  Reach farthest = Reach::none;
  for (const llvm::Instruction& each : llvm::instructions(function)) {
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&each))
      farthest = std::max(farthest, reach_of(*call));
    else if (each.isAtomic())
      farthest = Reach::beyond;
  }
  return farthest;
}

// The farthest reach of each of a module's functions and of all that it calls.
class FarthestReach {
 public:
  explicit FarthestReach(llvm::Module& module) : module_(module) {}

  Reach of(llvm::Function& function) {
    if (!is_known_) find();
    if (beyond_.contains(&function)) return Reach::beyond;
    return group_.contains(&function) ? Reach::group : Reach::none;
  }

 private:
  void find() {
    std::vector<llvm::Function*> group, beyond;
    for (llvm::Function& function : module_) {
      const Reach reach = reach_of(function);
      if (reach == Reach::group) group.push_back(&function);
      if (reach == Reach::beyond) beyond.push_back(&function);
    }
    group_ = reaching(module_, group);
    beyond_ = reaching(module_, beyond);
    is_known_ = true;
  }

  llvm::Module& module_;
  bool is_known_ = false;
  llvm::SetVector<llvm::Function*> group_, beyond_;  // functions that reach so far
};

// The call accesses no memory, so that it does not itself order anything. Modules in SPIR-V may say that the kernel does not write through
// the pointer, from which LLVM would conclude that nobody does.
void let_escape(llvm::Argument& pointer) {
  for (const llvm::Attribute::AttrKind promise :
       {llvm::Attribute::ReadOnly, llvm::Attribute::ReadNone, llvm::Attribute::Captures})
    pointer.removeAttr(promise);
  llvm::BasicBlock& entry = pointer.getParent()->getEntryBlock();
  llvm::IRBuilder<> builder(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  llvm::Type* number = builder.getInt64Ty();
  auto* assembly =
      llvm::InlineAsm::get(llvm::FunctionType::get(builder.getVoidTy(), {number}, false), "", "l",
                           /*hasSideEffects=*/true);
  llvm::CallInst* call = builder.CreateCall(assembly, {builder.CreatePtrToInt(&pointer, number)});
  call->setDoesNotAccessMemory();
  call->setDoesNotThrow();
}

bool is_distinct_global(const llvm::Argument& argument) {
  return argument.hasNoAliasAttr() && argument.getType()->getPointerAddressSpace() == kGlobalSpace;
}

void change_kernel(llvm::Function& kernel, FarthestReach& farthest, PointerWrites& writes) {
  if (llvm::none_of(kernel.args(), is_distinct_global)) return;
  const Reach reach = farthest.of(kernel);
  if (reach == Reach::none) return;
  for (llvm::Argument& argument : kernel.args())
    if (is_distinct_global(argument) && (reach == Reach::beyond || writes.may_write_through(argument)))
      let_escape(argument);
}

void change_function(llvm::Function& function, FarthestReach& farthest) {
  const auto has_promise = [](const llvm::Argument& argument) { return argument.hasNoAliasAttr(); };
  if (function.isDeclaration() || is_kernel(function) || llvm::none_of(function.args(), has_promise) ||
      farthest.of(function) == Reach::none)
    return;
  for (llvm::Argument& argument : function.args()) argument.removeAttr(llvm::Attribute::NoAlias);
}

}  // namespace

llvm::PreservedAnalyses LetArgumentsEscape::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  FarthestReach farthest(module);
  PointerWrites writes;
  for (llvm::Function& function : module) change_function(function, farthest);
  for (llvm::Function* kernel : kernels_of(module)) change_kernel(*kernel, farthest, writes);
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
