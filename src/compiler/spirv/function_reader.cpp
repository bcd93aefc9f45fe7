// SPDX-License-Identifier: Apache-2.0
#include "compiler/spirv/function_reader.h"

#include <llvm/IR/CFG.h>

#include <map>

#include "compiler/passes/address_spaces.h"
#include "compiler/passes/names.h"
#include "compiler/spirv/block_order.h"
#include "compiler/spirv/builtin_call.h"
#include "compiler/spirv/families.h"
#include "compiler/spirv/function_attributes.h"

namespace clcuda::compiler::spirv {
namespace {

// Limit on the scalars of a value, because optimisation would split the value into them.
constexpr std::uint64_t kMostParts = 1 << 16;

bool may_stand_outside_of_blocks(const ModuleReader& module, const Instruction& in) {
  if (in.op() == Op::ExtInst || in.op() == Op::ExtInstWithForwardRefsKHR)
    return module.extended_set(in[0]) == ExtendedSet::ignored;
  return in.op() == Op::Label || in.op() == Op::Line || in.op() == Op::NoLine || in.op() == Op::Nop;
}

}  // namespace

FunctionReader::FunctionReader(ModuleReader& module, llvm::Function& function, std::uint32_t id)
    : module_(module),
      function_(function),
      id_(id),
      builder_(function.getContext()),
      blocks_(function, builder_),
      math_flags_(module, id) {}

void FunctionReader::run(const FunctionText& text) {
  at_instruction(text.body.front(), [&] {
    for (std::size_t i = 0; i < text.parameters.size(); ++i)
      define(text.parameters[i], *text.type->members[i], function_.getArg(static_cast<unsigned>(i)));
  });
  builder_.setFastMathFlags(math_flags_.of_function());
  module_.lines().begin_function(function_);
  blocks_.create(text.body);
  compute_constants(text);
  for (const auto block : blocks_in_order(text.body, width_in(text))) {
    for (const Instruction& instruction : block) {
      at_instruction(instruction, [&] {
        require(blocks_.is_open() || may_stand_outside_of_blocks(module_, instruction),
                "it stands outside of a block");
        read(instruction);
      });
    }
  }
  at_instruction(text.body.back(), [&] { blocks_.complete(); });
  for (const Phi& phi : phis_) at_instruction(phi.instruction, [&] { complete_phi(phi); });
  module_.lines().end_function();
}

// A constant's operands precede it in the module. A literal that looks like a constant's id makes a value that nobody uses.
void FunctionReader::compute_constants(const FunctionText& text) {
  if (!module_.has_postponed() || function_.empty()) return;
  std::map<std::uint32_t, const Instruction*> needed;  // by their numbers
  std::vector<const Instruction*> open;
  const auto look_at = [&](const Instruction& instruction) {
    for (const std::uint32_t id : instruction.operands())
      if (const Instruction* constant = module_.postponed(id))
        if (needed.try_emplace(constant->number(), constant).second) open.push_back(constant);
  };
  for (const Instruction& instruction : text.body) look_at(instruction);
  while (!open.empty()) {
    const Instruction& constant = *open.back();
    open.pop_back();
    look_at(constant);
  }
  builder_.SetInsertPoint(&function_.getEntryBlock());
  for (const auto& [number, constant] : needed) at_instruction(*constant, [&] { read(*constant); });
  builder_.ClearInsertionPoint();
}

// Looks up the width of an integer before the body has been read.
std::function<std::optional<std::uint32_t>(std::uint32_t)> FunctionReader::width_in(
    const FunctionText& text) const {
  std::unordered_map<std::uint32_t, std::uint32_t> types;
  for (const Instruction& instruction : text.body)
    if (instruction.type() != 0) types[instruction.result()] = instruction.type();
  return [this, types = std::move(types)](std::uint32_t id) -> std::optional<std::uint32_t> {
    const auto type = types.find(id);
    if (type != types.end() && module_.is_type(type->second)) return module_.type(type->second).width;
    const Value* known = find(id);
    return known && known->type ? std::optional(known->type->width) : std::nullopt;
  };
}

void FunctionReader::read(const Instruction& instruction) {
  builder_.SetCurrentDebugLocation(module_.lines().location());
  read_instruction(*this, instruction);
}

const Value* FunctionReader::find(std::uint32_t id) const {
  const auto entry = values_.find(id);
  return entry == values_.end() ? module_.find(id) : &entry->second;
}

llvm::Value* FunctionReader::make_sampler(llvm::ConstantInt& number) {
  auto* type = llvm::PointerType::get(context(), kConstantSpace);
  return call(kLiteralSamplerFunction, type, {&number}, false);
}

bool FunctionReader::load_sampler(const Instruction& load) {
  const Value* variable = module_.find(load[0]);
  auto* number = variable ? llvm::dyn_cast_or_null<llvm::ConstantInt>(variable->value) : nullptr;
  if (!number || !variable->type->is(TypeKind::pointer)) return false;
  define(load, make_sampler(*number));
  return true;
}

llvm::Value* FunctionReader::value(std::uint32_t id) {
  const Value* found = find(id);
  if (!found) refuse("%" + std::to_string(id) + " is no value, or is defined further down");
  if (!found->value) return address(*built_in(id));
  auto* number = llvm::dyn_cast<llvm::ConstantInt>(found->value);
  if (!number || found->type->scalar().is(TypeKind::integer) || found->type->is(TypeKind::boolean))
    return found->value;
  require(found->type->is(TypeKind::sampler), "a variable of a literal sampler is loaded, nothing else");
  return make_sampler(*number);
}

const Type& FunctionReader::type_of(std::uint32_t id) const {
  const Value* found = find(id);
  if (!found) refuse("%" + std::to_string(id) + " is no value, or is defined further down");
  return *found->type;
}

std::optional<std::uint64_t> FunctionReader::integer(std::uint32_t id) const {
  const Value* found = find(id);
  const auto* number = found ? llvm::dyn_cast_or_null<llvm::ConstantInt>(found->value) : nullptr;
  if (!number || number->getBitWidth() > 64) return std::nullopt;
  return number->getZExtValue();
}

void FunctionReader::define(const Instruction& instruction, llvm::Value* result) {
  define(instruction.result(), type(instruction.type()), result);
}

void FunctionReader::define(std::uint32_t id, const Type& type, llvm::Value* result) {
  require(type.parts <= kMostParts, "a value has too many parts");
  require(result->getType() == type.value, "its operands do not give a result of that type");
  values_[id] = {&type, result};
}

llvm::Value* FunctionReader::to_memory(llvm::Value* value, const Type& type) {
  return type.holds_booleans() ? builder_.CreateZExt(value, type.memory) : value;
}

llvm::Value* FunctionReader::from_memory(llvm::Value* value, const Type& type) {
  return type.holds_booleans() ? builder_.CreateTrunc(value, type.value) : value;
}

void FunctionReader::add_phi(const Instruction& instruction) {
  const llvm::BasicBlock* block = builder_.GetInsertBlock();
  require(block->getFirstNonPHIIt() == block->end(), "it stands behind other instructions");
  require(instruction.size() % 2 == 0, "an operand is missing");
  const Type& type = this->type(instruction.type());
  require(type.value && type.value->isFirstClassType(), "there are no values of its type");
  llvm::PHINode* node = builder_.CreatePHI(type.value, static_cast<unsigned>(instruction.size() / 2));
  phis_.push_back({instruction, node});
  define(instruction, node);
  for (std::size_t i = 0; i < instruction.size(); i += 2) {
    take_alignment(instruction, {instruction[i]});
    // A pointer that is defined further down may be one to a member of a packed structure.
    if (type.is(TypeKind::pointer) && !find(instruction[i]) && module_.has_packed_structures())
      set_alignment(instruction.result(), llvm::Align(1));
  }
}

// Collects one value for each predecessor: LLVM requires the same value for every edge if a switch reaches the block by several cases.
void FunctionReader::complete_phi(const Phi& phi) {
  std::unordered_map<const llvm::BasicBlock*, llvm::Value*> incoming;
  for (std::size_t i = 0; i < phi.instruction.size(); i += 2) {
    llvm::BasicBlock* block = blocks_.end_of(phi.instruction[i + 1]);
    builder_.SetInsertPoint(block->getTerminator());
    llvm::Value* value = this->value(phi.instruction[i]);
    require(value->getType() == phi.node->getType(), "a value has another type");
    incoming[block] = value;
  }
  for (llvm::BasicBlock* block : llvm::predecessors(phi.node->getParent())) {
    const auto value = incoming.find(block);
    require(value != incoming.end(), "a predecessor of its block has no value in it");
    phi.node->addIncoming(value->second, block);
  }
}

llvm::FastMathFlags FunctionReader::math_flags(const Instruction& instruction) {
  const std::uint32_t operand = instruction[instruction.op() == Op::ExtInst ? 2 : 0];
  return math_flags_.of(instruction, type_of(operand).value->getScalarType());
}

llvm::AllocaInst* FunctionReader::allocate(llvm::Type* type, llvm::Align alignment) {
  llvm::BasicBlock& entry = function_.getEntryBlock();
  auto* variable = new llvm::AllocaInst(type, 0, nullptr, alignment);
  variable->insertInto(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  return variable;
}

llvm::FunctionCallee FunctionReader::declare(llvm::StringRef name, llvm::Type* result,
                                             llvm::ArrayRef<llvm::Type*> parameters, bool pure) {
  auto* type = llvm::FunctionType::get(result, parameters, false);
  llvm::Function& function = declare_builtin(module_.module(), name, type, {});
  declare_as_clang_does(function, pure);
  return &function;
}

llvm::CallInst* FunctionReader::call(llvm::FunctionCallee callee, llvm::ArrayRef<llvm::Value*> arguments) {
  llvm::CallInst* call = builder_.CreateCall(callee, arguments);
  call_as_clang_does(*call);
  return call;
}

llvm::CallInst* FunctionReader::call(llvm::StringRef name, llvm::Type* result,
                                     llvm::ArrayRef<llvm::Value*> arguments, bool pure) {
  std::vector<llvm::Type*> parameters;
  for (const llvm::Value* argument : arguments) parameters.push_back(argument->getType());
  return call(declare(name, result, parameters, pure), arguments);
}

std::optional<FunctionReader::BuiltInUse> FunctionReader::built_in(std::uint32_t pointer) const {
  if (const auto use = built_ins_.find(pointer); use != built_ins_.end()) return use->second;
  const Value* found = module_.find(pointer);
  if (!found || found->value) return std::nullopt;
  const auto variable = module_.decorations().operand(pointer, Decoration::BuiltIn);
  if (!variable) return std::nullopt;
  return BuiltInUse{static_cast<BuiltIn>(*variable), module_.built_in_type(pointer)};
}

void FunctionReader::define_built_in(const Instruction& instruction, BuiltInUse use) {
  built_ins_[instruction.result()] = use;
  values_[instruction.result()] = {&type(instruction.type()), nullptr};
}

std::optional<BuiltIn> FunctionReader::loaded_built_in(std::uint32_t vector) const {
  const auto entry = loaded_built_ins_.find(vector);
  if (entry == loaded_built_ins_.end()) return std::nullopt;
  return entry->second;
}

void FunctionReader::take_alignment(const Instruction& instruction,
                                    std::initializer_list<std::uint32_t> pointers) {
  for (const std::uint32_t pointer : pointers) {
    const auto known = alignment(pointer);
    if (!known) continue;
    const auto [entry, is_new] = alignments_.try_emplace(instruction.result(), *known);
    entry->second = std::min(entry->second, *known);
  }
}

std::optional<llvm::Align> FunctionReader::alignment(std::uint32_t pointer) const {
  const auto entry = alignments_.find(pointer);
  if (entry == alignments_.end()) return std::nullopt;
  return entry->second;
}

}  // namespace clcuda::compiler::spirv
