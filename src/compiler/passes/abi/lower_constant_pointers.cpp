// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/abi/lower_constant_pointers.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <algorithm>

#include "compiler/passes/abi/constant_pointer_exchange.h"
#include "compiler/passes/address_spaces.h"
#include "compiler/passes/kernel_functions.h"

namespace clcuda::compiler {
namespace {

constexpr std::uint64_t kConstantBankSize = 64 << 10;

// The most bytes that the program's constants take. ptxas aligns them, in an order of its own, in which one of them is the first.
std::uint64_t most_bytes_of_constants(const llvm::Module& module) {
  const llvm::DataLayout& layout = module.getDataLayout();
  std::uint64_t bytes = 0, least_padding = ~std::uint64_t{0};
  for (const llvm::GlobalVariable& variable : module.globals()) {
    if (variable.getAddressSpace() != kConstantSpace || variable.isDeclaration()) continue;
    llvm::Type* type = variable.getValueType();
    const std::uint64_t padding = layout.getValueOrABITypeAlignment(variable.getAlign(), type).value() - 1;
    bytes += layout.getTypeAllocSize(type) + padding;
    least_padding = std::min(least_padding, padding);
  }
  return bytes == 0 ? 0 : bytes - least_padding;
}

// PTX's constant space is a bank that the module defines. A `constant` argument is a buffer and cannot be in that bank, nor can the target
// of a pointer found in a buffer. The same variables and functions hold pointers of both origins, so either all constants of the program
// stay in the bank or none. Code cannot write the bank either.
bool meets_buffers(const llvm::Module& module) {
  if (most_bytes_of_constants(module) > kConstantBankSize) return true;
  // Set by a constructor (break_initializer_cycles).
  if (llvm::any_of(module.globals(), [](const llvm::GlobalVariable& variable) {
        return variable.getAddressSpace() == kConstantSpace && !variable.isDeclaration() &&
               !variable.isConstant();
      }))
    return true;
  for (const llvm::Function& function : module) {
    if (!is_kernel(function)) continue;
    for (const llvm::Argument& argument : function.args()) {
      if (is_constant_pointer(argument.getType())) return true;
    }
  }
  return exchanges_constant_pointers(module);
}

// Maps each type to one in which every pointer to constant memory is replaced.
class BufferTypes final : public llvm::ValueMapTypeRemapper {
 public:
  llvm::Type* remapType(llvm::Type* type) override {
    if (const auto found = known_.find(type); found != known_.end()) return found->second;
    llvm::Type* changed = change(type);
    known_[type] = changed;
    return changed;
  }

 private:
  llvm::Type* change(llvm::Type* type) {
    if (is_constant_pointer(type)) return llvm::PointerType::get(type->getContext(), kGlobalSpace);
    if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
      return llvm::ArrayType::get(remapType(array->getElementType()), array->getNumElements());
    }
    if (auto* vector = llvm::dyn_cast<llvm::VectorType>(type)) {
      return llvm::VectorType::get(remapType(vector->getElementType()), vector->getElementCount());
    }
    if (auto* function = llvm::dyn_cast<llvm::FunctionType>(type)) {
      llvm::SmallVector<llvm::Type*> parameters;
      for (llvm::Type* parameter : function->params()) parameters.push_back(remapType(parameter));
      return llvm::FunctionType::get(remapType(function->getReturnType()), parameters, function->isVarArg());
    }
    if (auto* structure = llvm::dyn_cast<llvm::StructType>(type); structure && !structure->isOpaque()) {
      llvm::SmallVector<llvm::Type*> elements;
      bool same = true;
      for (llvm::Type* element : structure->elements()) {
        elements.push_back(remapType(element));
        same = same && elements.back() == element;
      }
      return same ? type : llvm::StructType::get(type->getContext(), elements, structure->isPacked());
    }
    return type;
  }

  llvm::DenseMap<llvm::Type*, llvm::Type*> known_;
};

// No one writes constant memory while a kernel runs. Loads from it that now use the global space need that fact as metadata.
void mark_loads_invariant(llvm::Module& module) {
  for (llvm::Function& function : module) {
    for (llvm::BasicBlock& block : function) {
      for (llvm::Instruction& instruction : block) {
        auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
        if (!load || load->getPointerAddressSpace() != kConstantSpace || load->isVolatile()) continue;
        load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(load->getContext(), {}));
      }
    }
  }
}

class Rewriter {
 public:
  explicit Rewriter(llvm::Module& module) : module_(module) {}

  void run() {
    declare_variables();
    declare_functions();
    for (auto [old, changed] : variables_)
      if (old->hasInitializer()) changed->setInitializer(mapped(*old->getInitializer()));
    // Others may hold the address of a function that is replaced.
    for (llvm::GlobalVariable& variable : module_.globals())
      if (variable.hasInitializer() && !map_.count(&variable))
        variable.setInitializer(mapped(*variable.getInitializer()));
    for (llvm::Function& function : module_) {
      if (!function.isDeclaration()) {
        llvm::RemapFunction(function, map_, llvm::RF_IgnoreMissingLocals | llvm::RF_ReuseAndMutateDistinctMDs,
                            &types_);
      }
    }
    erase_replaced();
    rename_intrinsics();
  }

 private:
  llvm::Constant* mapped(const llvm::Constant& constant) {
    return llvm::MapValue(&constant, map_, llvm::RF_ReuseAndMutateDistinctMDs, &types_);
  }

  void declare_variables() {
    llvm::SmallVector<llvm::GlobalVariable*> all;
    for (llvm::GlobalVariable& variable : module_.globals()) all.push_back(&variable);
    for (llvm::GlobalVariable* old : all) {
      const unsigned space = old->getAddressSpace() == kConstantSpace ? kGlobalSpace : old->getAddressSpace();
      llvm::Type* type = types_.remapType(old->getValueType());
      if (type == old->getValueType() && space == old->getAddressSpace()) continue;
      auto* changed = new llvm::GlobalVariable(module_, type, old->isConstant(), old->getLinkage(), nullptr,
                                               "", old, old->getThreadLocalMode(), space);
      changed->copyAttributesFrom(old);
      changed->takeName(old);
      map_[old] = changed;
      variables_.emplace_back(old, changed);
    }
  }

  void declare_functions() {
    llvm::SmallVector<llvm::Function*> all;
    for (llvm::Function& function : module_) all.push_back(&function);
    for (llvm::Function* old : all) {
      auto* type = llvm::cast<llvm::FunctionType>(types_.remapType(old->getFunctionType()));
      if (type == old->getFunctionType()) continue;
      auto* changed = llvm::Function::Create(type, old->getLinkage(), old->getAddressSpace(), "", nullptr);
      module_.getFunctionList().insert(old->getIterator(), changed);
      // Sets the name with setName(), because takeName() would not make an intrinsic of a function with an intrinsic's name.
      const std::string name = old->getName().str();
      old->setName("");
      changed->setName(name);
      changed->copyAttributesFrom(old);
      changed->copyMetadata(old, 0);
      old->setSubprogram(nullptr);
      for (unsigned i = 0; i < old->arg_size(); ++i) {
        changed->getArg(i)->takeName(old->getArg(i));
        map_[old->getArg(i)] = changed->getArg(i);
      }
      if (!old->isDeclaration()) changed->splice(changed->begin(), old);
      map_[old] = changed;
      functions_.push_back(old);
    }
  }

  // The context owns constants and keeps them: constants from old initializers and from rewritten code must not refer to deleted objects.
  void erase_replaced() {
    for (auto [old, changed] : variables_)
      if (old->hasInitializer()) old->setInitializer(nullptr);
    const auto erase = [](llvm::GlobalObject& old) {
      old.removeDeadConstantUsers();
      if (!old.use_empty()) old.replaceAllUsesWith(llvm::PoisonValue::get(old.getType()));
      old.eraseFromParent();
    };
    for (llvm::Function* old : functions_) erase(*old);
    for (auto [old, changed] : variables_) erase(*old);
  }

  // The mangled names of overloaded intrinsics contain their types.
  void rename_intrinsics() {
    for (llvm::Function& function : llvm::make_early_inc_range(module_)) {
      if (!function.isIntrinsic()) continue;
      if (const auto right = llvm::Intrinsic::remangleIntrinsicFunction(&function)) {
        function.replaceAllUsesWith(*right);
        function.eraseFromParent();
      }
    }
  }

  llvm::Module& module_;
  BufferTypes types_;
  llvm::ValueToValueMapTy map_;
  llvm::SmallVector<std::pair<llvm::GlobalVariable*, llvm::GlobalVariable*>> variables_;
  llvm::SmallVector<llvm::Function*> functions_;
};

}  // namespace

llvm::PreservedAnalyses LowerConstantPointers::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  if (!meets_buffers(module)) return llvm::PreservedAnalyses::all();
  mark_loads_invariant(module);
  Rewriter(module).run();
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
