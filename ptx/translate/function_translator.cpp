// SPDX-License-Identifier: Apache-2.0
#include "ptx/translate/function_translator.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Verifier.h>

#include <map>
#include <utility>

namespace clcuda::ptx {
namespace {

constexpr std::uint64_t kMostLocalBytes = 512 << 10;  // of one work-item, as on a device

struct Accesses {
  std::vector<llvm::StoreInst*> stores;  // without the initial one
  std::vector<llvm::LoadInst*> loads;
};

Accesses accesses_to(llvm::AllocaInst& reg) {
  Accesses accesses;
  for (llvm::User* user : reg.users()) {
    auto* instruction = llvm::cast<llvm::Instruction>(user);
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction))
      accesses.loads.push_back(load);
    else if (!instruction->getParent()->isEntryBlock())
      accesses.stores.push_back(llvm::cast<llvm::StoreInst>(instruction));
  }
  return accesses;
}

// Whether a way from the entry leads to a load without a store before. Follows the ways backwards from the loads.
bool is_initial_value_read(const Accesses& accesses) {
  llvm::DenseMap<const llvm::BasicBlock*, const llvm::StoreInst*> first_stores;
  for (const llvm::StoreInst* store : accesses.stores) {
    const llvm::StoreInst*& first = first_stores[store->getParent()];
    if (!first || store->comesBefore(first)) first = store;
  }
  llvm::SetVector<const llvm::BasicBlock*> unwritten;  // at their start
  for (const llvm::LoadInst* load : accesses.loads) {
    const auto first = first_stores.find(load->getParent());
    if (first == first_stores.end() || load->comesBefore(first->second)) unwritten.insert(load->getParent());
  }
  for (std::size_t i = 0; i < unwritten.size(); ++i) {
    if (unwritten[i]->isEntryBlock()) return true;
    for (const llvm::BasicBlock* before : llvm::predecessors(unwritten[i]))
      if (!first_stores.contains(before)) unwritten.insert(before);
  }
  return false;
}

// Most registers are written once; for them, no way needs to be followed.
bool needs_initial_value(const Accesses& accesses, const llvm::DominatorTree& dominators) {
  if (accesses.stores.empty()) return true;
  if (accesses.stores.size() > 1) return is_initial_value_read(accesses);
  return !llvm::all_of(accesses.loads, [&](const llvm::LoadInst* load) {
    return dominators.dominates(accesses.stores.front(), load);
  });
}

// A register that is written before it is read needs no initial value, and most registers are of this kind. Promoting a register to a value
// takes a time that grows with the part of the function behind each of its stores, unless there is only one.
void drop_needless_initial_values(llvm::Function& function, llvm::ArrayRef<llvm::AllocaInst*> registers) {
  llvm::DominatorTree dominators(function);
  dominators.updateDFSNumbers();
  for (llvm::AllocaInst* reg : registers) {
    if (needs_initial_value(accesses_to(*reg), dominators)) continue;
    for (llvm::User* user : llvm::make_early_inc_range(reg->users())) {
      auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
      if (store && store->getParent()->isEntryBlock()) store->eraseFromParent();
    }
  }
}

}  // namespace

const FunctionTranslator::Handler FunctionTranslator::kHandlers[] = {
#define FORM(handler, opcode, modifiers, operands) &FunctionTranslator::handler,
#include "ptx/syntax/instructions.def"
#undef FORM
};

FunctionTranslator::FunctionTranslator(ProgramDeclarations& program, unsigned unit, const Function& source,
                                       llvm::Function& target)
    : program_(program), unit_(unit), source_(source), target_(target), builder_(target.getContext()) {}

void FunctionTranslator::run() {
  auto& context = target_.getContext();
  entry_ = llvm::BasicBlock::Create(context, "entry", &target_);
  auto* first = llvm::BasicBlock::Create(context, "body", &target_);
  for (std::size_t i = 0; i < source_.labels.size(); ++i)
    labels_.push_back(llvm::BasicBlock::Create(context, "label", &target_));
  builder_.SetInsertPoint(entry_);
  declare_registers();
  declare_parameters();
  declare_variables();
  builder_.CreateBr(first);
  builder_.SetInsertPoint(first);

  std::vector<std::vector<unsigned>> labels_at(source_.instructions.size() + 1);
  for (unsigned label = 0; label < source_.labels.size(); ++label)
    labels_at[source_.labels[label]].push_back(label);
  for (std::size_t i = 0; i <= source_.instructions.size(); ++i) {
    for (const unsigned label : labels_at[i]) end_block(labels_[label]);
    if (i < source_.instructions.size()) translate(source_.instructions[i]);
  }
  builder_.CreateRetVoid();
  drop_needless_initial_values(target_, registers_);
}

// Ends the current block with a branch to `next` and continues there.
void FunctionTranslator::end_block(llvm::BasicBlock* next) {
  builder_.CreateBr(next);
  builder_.SetInsertPoint(next);
}

void FunctionTranslator::translate(const Instruction& instruction) {
  const Handler handler = kHandlers[instruction.form->number];
  const std::string_view opcode = instruction.form->opcode;
  if (!instruction.guard || opcode == "bra") return (this->*handler)(instruction);
  llvm::Value* condition = builder_.CreateLoad(builder_.getInt1Ty(), registers_[instruction.guard->reg]);
  if (instruction.guard->negated) condition = builder_.CreateNot(condition);
  auto* then = llvm::BasicBlock::Create(target_.getContext(), "guarded", &target_);
  auto* next = llvm::BasicBlock::Create(target_.getContext(), "next", &target_);
  builder_.CreateCondBr(condition, then, next);
  builder_.SetInsertPoint(then);
  (this->*handler)(instruction);
  end_block(next);
}

llvm::AllocaInst* FunctionTranslator::new_alloca(llvm::Type* type, llvm::Align alignment,
                                                 const llvm::Twine& name) {
  llvm::IRBuilder<> at_entry(entry_, entry_->begin());
  auto* made = at_entry.CreateAlloca(type, nullptr, name);
  made->setAlignment(alignment);
  return made;
}

const Variable& FunctionTranslator::variable(unsigned index) const {
  if (index < source_.results.size()) return source_.results[index];
  index -= static_cast<unsigned>(source_.results.size());
  if (index < source_.parameters.size()) return source_.parameters[index];
  return source_.variables[index - source_.parameters.size()];
}

// A function can take the address of a parameter and pass it on, while its caller writes the parameter by name. Addresses in registers are
// offsets from a pointer that existed before the alloca, so LLVM would conclude that they cannot point to it. Empty assembly hides that the
// name stands for the alloca.
static llvm::Value* pointer_to_anywhere(llvm::IRBuilder<>& builder, llvm::AllocaInst& memory) {
  auto* type = llvm::FunctionType::get(memory.getType(), {memory.getType()}, false);
  return builder.CreateCall(type, llvm::InlineAsm::get(type, "", "=r,0", false), {&memory});
}

void FunctionTranslator::declare_registers() {
  for (const Register& reg : source_.registers) {
    llvm::Type* type = builder_.getIntNTy(reg.type.total_bits());
    registers_.push_back(builder_.CreateAlloca(type, nullptr, reg.name));
    // PTX defines no initial value of registers. A fixed one avoids undefined behaviour in LLVM.
    builder_.CreateStore(llvm::ConstantInt::get(type, 0), registers_.back());
  }
}

void FunctionTranslator::declare_parameters() {
  unsigned argument = ProgramDeclarations::kCommonParameters;
  unsigned next_register = 0;
  for (const auto* list : {&source_.results, &source_.parameters}) {
    for (const Variable& parameter : *list) {
      llvm::Value* place = source_.entry ? nullptr : target_.getArg(argument++);
      variables_.push_back(place);
      if (parameter.space != Space::reg) continue;
      const unsigned reg = next_register++;
      if (list == &source_.parameters && place) {
        llvm::Type* type = builder_.getIntNTy(source_.registers[reg].type.total_bits());
        builder_.CreateStore(builder_.CreateLoad(type, place), registers_[reg]);
      }
    }
  }
}

void FunctionTranslator::declare_variables() {
  std::uint64_t local_bytes = 0;
  // Calls that are not nested place their parameters at the same offsets, usually in variables of the same size, which share memory here.
  struct Place {
    llvm::AllocaInst* memory = nullptr;
    llvm::Value* pointer = nullptr;
  };
  std::map<std::pair<std::uint64_t, std::uint64_t>, Place> of_calls;
  for (const Variable& variable : source_.variables) {
    if (variable.space != Space::local && variable.space != Space::param) {
      variables_.push_back(nullptr);
      continue;
    }
    Place own;
    Place& made = variable.space == Space::param ? of_calls[{variable.place, variable.bytes()}] : own;
    if (!made.memory) {
      local_bytes += variable.bytes();
      if (local_bytes > kMostLocalBytes)
        throw ParseError(variable.line, "more local memory than a work-item has");
      auto* type = llvm::ArrayType::get(builder_.getInt8Ty(), std::max<std::uint64_t>(variable.bytes(), 1));
      made.memory = builder_.CreateAlloca(type, nullptr, variable.name);
      const bool aggregate = variable.space == Space::param && variable.elements > 1;
      made.pointer = aggregate ? pointer_to_anywhere(builder_, *made.memory) : made.memory;
    }
    made.memory->setAlignment(
        std::max(made.memory->getAlign(), llvm::Align(std::max(variable.alignment, 8u))));
    variables_.push_back(made.pointer);
  }
}

}  // namespace clcuda::ptx
