// SPDX-License-Identifier: Apache-2.0
#include "ptx/translate/function_translator.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Verifier.h>

#include <map>
#include <utility>

namespace clcuda::ptx {
namespace {

constexpr std::uint64_t kMostLocalBytes = 512 << 10;  // of one work-item, as on a device

// A register that is used in one block only, and written there before it is read, needs no initial value. Most registers of a long
// straight-line kernel are of this kind. Without the initial value, promoting one to a value takes a time that does not grow with the
// block.
void drop_needless_initial_values(llvm::Function& function, llvm::ArrayRef<llvm::AllocaInst*> registers) {
  struct Accesses {
    const llvm::BasicBlock* block = nullptr;
    bool needs_value = false;
  };
  llvm::DenseMap<const llvm::Value*, Accesses> all;
  for (const llvm::AllocaInst* reg : registers) all[reg];
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    if (instruction.getParent()->isEntryBlock()) continue;
    for (const llvm::Value* operand : instruction.operands()) {
      const auto found = all.find(operand);
      if (found == all.end()) continue;
      Accesses& accesses = found->second;
      const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      const bool writes = store && store->getPointerOperand() == operand;
      if (accesses.block ? accesses.block != instruction.getParent() : !writes) accesses.needs_value = true;
      accesses.block = instruction.getParent();
    }
  }
  for (llvm::AllocaInst* reg : registers) {
    if (all[reg].needs_value) continue;
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
