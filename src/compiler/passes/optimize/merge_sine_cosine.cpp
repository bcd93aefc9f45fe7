// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimize/merge_sine_cosine.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SROA.h>

#include <optional>
#include <vector>

#include "compiler/lowering.h"
#include "compiler/passes/mangled_name.h"

namespace clcuda::compiler {
namespace {

using Functions = llvm::SmallSetVector<llvm::Function*, 8>;

// sin and cos of one type, T(T).
struct Pair {
  llvm::Function *sine, *cosine;
};

bool is_call(const llvm::CallInst& call, const llvm::Function& callee) {
  return call.getCalledOperand() == &callee && call.getFunctionType() == callee.getFunctionType();
}

bool is_of_an_angle(const llvm::Function& function) {
  llvm::Type* type = function.getReturnType();
  return function.isDeclaration() &&
         (type->getScalarType()->isFloatTy() || type->getScalarType()->isDoubleTy()) &&
         function.getFunctionType() == llvm::FunctionType::get(type, {type}, false);
}

std::vector<Pair> pairs_of(llvm::Module& module) {
  std::vector<Pair> pairs;
  for (llvm::Function& sine : module) {
    const std::optional<MangledName> name = split_mangled(sine.getName());
    if (!name || name->name != "sin" || !is_of_an_angle(sine)) continue;
    llvm::Function* cosine = module.getFunction(mangled("cos", name->parameters));
    if (cosine && is_of_an_angle(*cosine) && cosine->getFunctionType() == sine.getFunctionType())
      pairs.push_back({&sine, cosine});
  }
  return pairs;
}

Functions callers_of(const llvm::Function& callee) {
  Functions callers;
  for (const llvm::User* user : callee.users())
    if (const auto* call = llvm::dyn_cast<llvm::CallInst>(user); call && call->getCalledOperand() == &callee)
      callers.insert(const_cast<llvm::Function*>(call->getFunction()));
  return callers;
}

Functions callers_of_both(const std::vector<Pair>& pairs) {
  Functions callers;
  for (const Pair& pair : pairs) {
    const Functions with_cosine = callers_of(*pair.cosine);
    for (llvm::Function* function : callers_of(*pair.sine))
      if (with_cosine.contains(function) && function->getInstructionCount() <= kMostToOptimize)
        callers.insert(function);
  }
  return callers;
}

// The library's function, which returns the sine and the cosine as the elements of a vector.
llvm::FunctionCallee both_of(llvm::Module& module, llvm::Type* element) {
  llvm::LLVMContext& context = module.getContext();
  llvm::AttrBuilder attributes(context);
  attributes.addAttribute(llvm::Attribute::NoUnwind).addAttribute(llvm::Attribute::WillReturn);
  attributes.addMemoryAttr(llvm::MemoryEffects::none());
  return module.getOrInsertFunction(
      mangled("__clcuda_sine_cosine", element->isFloatTy() ? "f" : "d"),
      llvm::AttributeList::get(context, llvm::AttributeList::FunctionIndex, attributes),
      llvm::FixedVectorType::get(element, 2), element);
}

// The two results are computed ahead of the first of the calls, element by element.
void merge(llvm::CallInst& first, llvm::CallInst& sine, llvm::CallInst& cosine) {
  llvm::Value* angle = first.getArgOperand(0);
  llvm::Type* type = angle->getType();
  const llvm::FunctionCallee both = both_of(*first.getModule(), type->getScalarType());
  llvm::IRBuilder<> builder(&first);
  builder.setFastMathFlags(sine.getFastMathFlags() & cosine.getFastMathFlags());
  llvm::Value *sines = llvm::PoisonValue::get(type), *cosines = sines;
  if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    for (unsigned i = 0; i < vector->getNumElements(); ++i) {
      llvm::Value* results = builder.CreateCall(both, {builder.CreateExtractElement(angle, i)});
      sines = builder.CreateInsertElement(sines, builder.CreateExtractElement(results, std::uint64_t{0}), i);
      cosines = builder.CreateInsertElement(cosines, builder.CreateExtractElement(results, 1), i);
    }
  } else {
    llvm::Value* results = builder.CreateCall(both, {angle});
    sines = builder.CreateExtractElement(results, std::uint64_t{0});
    cosines = builder.CreateExtractElement(results, 1);
  }
  sine.replaceAllUsesWith(sines);
  cosine.replaceAllUsesWith(cosines);
  sine.eraseFromParent();
  cosine.eraseFromParent();
}

void merge_in(llvm::BasicBlock& block, const Pair& pair) {
  struct Calls {
    llvm::CallInst *first, *sine, *cosine;
  };
  llvm::SmallMapVector<llvm::Value*, Calls, 8> angles;
  for (llvm::Instruction& each : block) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(&each);
    if (!call) continue;
    const bool is_sine = is_call(*call, *pair.sine);
    if (!is_sine && !is_call(*call, *pair.cosine)) continue;
    Calls& calls = angles.insert({call->getArgOperand(0), {call, nullptr, nullptr}}).first->second;
    llvm::CallInst*& place = is_sine ? calls.sine : calls.cosine;
    if (!place) place = call;
  }
  for (const auto& [angle, calls] : angles) {  // `angle` may be a sine that has been merged and deleted
    if (!calls.sine || !calls.cosine) continue;
    merge(*calls.first, *calls.sine, *calls.cosine);
  }
}

}  // namespace

MergeSineCosine::MergeSineCosine(const Lowering& lowering)
    : applies_(!lowering.options.disable_optimization) {}

llvm::PreservedAnalyses MergeSineCosine::run(llvm::Module& module,
                                             llvm::ModuleAnalysisManager& managers) const {
  if (!applies_) return llvm::PreservedAnalyses::all();
  const std::vector<Pair> pairs = pairs_of(module);
  const Functions callers = callers_of_both(pairs);
  if (callers.empty()) return llvm::PreservedAnalyses::all();
  auto& analyses = managers.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager();
  for (llvm::Function* function : callers) {
    analyses.invalidate(*function, llvm::SROAPass(llvm::SROAOptions::PreserveCFG).run(*function, analyses));
    analyses.invalidate(*function, llvm::EarlyCSEPass().run(*function, analyses));
    for (llvm::BasicBlock& block : *function)
      for (const Pair& pair : pairs) merge_in(block, pair);
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
