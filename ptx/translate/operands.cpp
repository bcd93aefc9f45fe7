// SPDX-License-Identifier: Apache-2.0
// Reading and writing operands: registers, immediates, addresses, special registers.
#include <bit>

#include "ptx/translate/function_translator.h"
#include "ptx/translate/markers.h"

namespace clcuda::ptx {
namespace {

// Marks a load whose value is the same throughout a block.
llvm::Value* mark_invariant(llvm::LoadInst* load) {
  load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(load->getContext(), {}));
  return load;
}

}  // namespace

llvm::Type* FunctionTranslator::type_of(Type type) {
  llvm::Type* element = nullptr;
  if (type.kind == TypeKind::floating)
    element = type.bits == 16   ? builder_.getHalfTy()
              : type.bits == 32 ? builder_.getFloatTy()
                                : builder_.getDoubleTy();
  else if (type.kind == TypeKind::bfloat)
    element = builder_.getBFloatTy();
  else
    element = builder_.getIntNTy(type.bits);
  return type.lanes == 1 ? element : llvm::FixedVectorType::get(element, type.lanes);
}

llvm::Value* FunctionTranslator::as_integer(llvm::Value* value) {
  if (value->getType()->isIntegerTy()) return value;
  return builder_.CreateBitCast(value, builder_.getIntNTy(value->getType()->getPrimitiveSizeInBits()));
}

llvm::Value* FunctionTranslator::resize(llvm::Value* value, unsigned width, bool is_signed) {
  llvm::Type* type = builder_.getIntNTy(width);
  return is_signed ? builder_.CreateSExtOrTrunc(value, type) : builder_.CreateZExtOrTrunc(value, type);
}

llvm::Value* FunctionTranslator::read(const Instruction& instruction, std::size_t operand, Type type) {
  if (operand >= instruction.operands.size()) refuse(instruction, "too few operands");
  return read(instruction, instruction.operands[operand], type);
}

llvm::Value* FunctionTranslator::read(const Instruction& instruction, const Operand& operand, Type type) {
  const bool scalar_float = type.kind == TypeKind::floating && type.lanes == 1;
  if (operand.kind == Operand::Kind::double_immediate && scalar_float &&
      type.bits == 32)  // a decimal literal
    return llvm::ConstantFP::get(type_of(type), static_cast<float>(std::bit_cast<double>(operand.bits)));
  if (operand.kind == Operand::Kind::single_immediate && scalar_float && type.bits == 64)
    return llvm::ConstantFP::get(type_of(type),
                                 std::bit_cast<float>(static_cast<std::uint32_t>(operand.bits)));
  llvm::Value* value = read_bits(instruction, operand, type.total_bits());
  return value->getType() == type_of(type) ? value : builder_.CreateBitCast(value, type_of(type));
}

llvm::Value* FunctionTranslator::read_bits(const Instruction& instruction, const Operand& operand,
                                           unsigned width) {
  using Kind = Operand::Kind;
  switch (operand.kind) {
    case Kind::reg: {
      llvm::AllocaInst* place = registers_[operand.index];
      llvm::Value* value = builder_.CreateLoad(place->getAllocatedType(), place);
      const bool predicate = value->getType()->isIntegerTy(1);
      if (predicate != (width == 1)) refuse(instruction, "a predicate and a value are mixed up");
      if (operand.negated) value = builder_.CreateNot(value);
      return resize(value, width);
    }
    case Kind::immediate: {
      llvm::APInt bits(64, operand.bits);
      return llvm::ConstantInt::get(target_.getContext(),
                                    width == 1 ? llvm::APInt(1, operand.bits != 0) : bits.sextOrTrunc(width));
    }
    case Kind::single_immediate:
    case Kind::double_immediate:
      return llvm::ConstantInt::get(target_.getContext(), llvm::APInt(64, operand.bits).zextOrTrunc(width));
    case Kind::special:
      return resize(special_register(instruction, operand.name), width);
    case Kind::symbol:
    case Kind::variable: {
      llvm::Value* address = address_of(instruction, operand);
      return resize(builder_.CreateAdd(address, integer(64, static_cast<std::uint64_t>(operand.offset))),
                    width);
    }
    default:
      refuse(instruction, "an operand that has no value");
  }
}

void FunctionTranslator::write(const Instruction& instruction, std::size_t operand, llvm::Value* value,
                               bool is_signed) {
  const Operand& destination = instruction.operands.at(operand);
  if (destination.kind == Operand::Kind::reg) {
    const bool predicate = source_.registers[destination.index].type == kPredicateType;
    if (predicate != value->getType()->isIntegerTy(1))
      refuse(instruction, "a predicate and a value are mixed up");
  }
  write(destination, value, is_signed);
}

void FunctionTranslator::write(const Operand& destination, llvm::Value* value, bool is_signed) {
  if (destination.kind == Operand::Kind::sink) return;
  if (destination.kind != Operand::Kind::reg)
    throw ParseError(source_.line, "a destination that is no register");
  llvm::AllocaInst* place = registers_[destination.index];
  value = resize(as_integer(value), place->getAllocatedType()->getIntegerBitWidth(), is_signed);
  builder_.CreateStore(value, place);
}

void FunctionTranslator::write_pair(const Instruction& instruction, llvm::Value* first, llvm::Value* second) {
  const Operand& destination = instruction.operands.at(0);
  const bool pair = destination.kind == Operand::Kind::vector;
  const Operand& main = pair ? destination.elements.at(0) : destination;
  const auto check = [&](const Operand& operand, llvm::Value* value) {
    if (operand.kind == Operand::Kind::reg &&
        (source_.registers[operand.index].type == kPredicateType) != value->getType()->isIntegerTy(1))
      refuse(instruction, "a predicate and a value are mixed up");
  };
  check(main, first);
  write(main, first);
  if (!pair) return;
  check(destination.elements.at(1), second);
  write(destination.elements.at(1), second);
}

// Loaded once at the function's entry, so that in every loop the value is unconditional and invariant.
llvm::Value* FunctionTranslator::block_field(std::size_t offset, llvm::Type* type) {
  llvm::Value*& known = entry_loads_[{false, offset, type}];
  if (known) return known;
  llvm::IRBuilder<> at_entry(entry_->getTerminator());
  llvm::Value* place = at_entry.CreateConstInBoundsGEP1_64(at_entry.getInt8Ty(), target_.getArg(0), offset);
  return known = mark_invariant(at_entry.CreateLoad(type, place));
}

llvm::Value* FunctionTranslator::kernel_parameter(std::size_t offset, llvm::Type* type) {
  llvm::Value* base = block_field(offsetof(Block, parameters), builder_.getPtrTy());
  llvm::Metadata* readable =
      llvm::ConstantAsMetadata::get(builder_.getInt64(program_.parameter_bytes(source_)));
  llvm::cast<llvm::LoadInst>(base)->setMetadata(llvm::LLVMContext::MD_dereferenceable,
                                                llvm::MDNode::get(target_.getContext(), {readable}));
  llvm::Value*& known = entry_loads_[{true, offset, type}];
  if (known) return known;
  llvm::IRBuilder<> at_entry(entry_->getTerminator());
  llvm::Value* place = at_entry.CreateConstInBoundsGEP1_64(at_entry.getInt8Ty(), base, offset);
  return known = mark_invariant(at_entry.CreateAlignedLoad(type, place, llvm::Align(1)));
}

llvm::Value* FunctionTranslator::address_of(const Instruction& instruction, const Operand& operand) {
  return operand.kind == Operand::Kind::variable ? address_of_local_name(instruction, operand.index)
                                                 : address_of_symbol(instruction, operand.name);
}

// The address of a name that the function declares, including parameters.
llvm::Value* FunctionTranslator::address_of_local_name(const Instruction& instruction, unsigned index) {
  llvm::Type* wide = builder_.getInt64Ty();
  if (llvm::Value* place = variables_.at(index)) return builder_.CreatePtrToInt(place, wide);
  const Variable& named = variable(index);
  if (named.space == Space::param) {
    const std::uint32_t offset = program_.parameter_offset(source_, index - source_.results.size());
    llvm::Value* base = block_field(offsetof(Block, parameters), builder_.getPtrTy());
    return builder_.CreatePtrToInt(builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), base, offset),
                                   wide);
  }
  if (named.space == Space::global || named.space == Space::constant)
    refuse(instruction, "'" + named.name + "': .global and .const variables belong to module scope");
  return address_in_layout(instruction, named);
}

// The address of a name that a module declares.
llvm::Value* FunctionTranslator::address_of_symbol(const Instruction& instruction, const std::string& name) {
  const Symbol* symbol = program_.layout().find(unit_, name);
  if (!symbol) refuse(instruction, "'" + name + "' is not declared");
  if (symbol->function) {
    if (symbol->function->has_body && symbol->function->entry)
      return integer(64, program_.address_of_kernel(symbol->function));
    if (!symbol->function->has_body) refuse(instruction, "the address of '" + name + "' is not available");
    return integer(64, program_.layout().address_of(symbol->function));
  }
  const bool placed =
      symbol->variable->space == Space::shared || symbol->variable->linkage != Linkage::external;
  if (!placed) refuse(instruction, "'" + name + "' is not defined in the program");
  if (symbol->variable->space == Space::local)
    refuse(instruction, "'" + name + "': .local variables belong to functions");
  return address_in_layout(instruction, *symbol->variable);
}

// The shared window begins at address 0; global and constant variables are in the program's memory.
llvm::Value* FunctionTranslator::address_in_layout(const Instruction& instruction, const Variable& variable) {
  llvm::Type* wide = builder_.getInt64Ty();
  switch (variable.space) {
    case Space::shared:
      if (variable.linkage == Linkage::external || variable.elements == 0)
        return builder_.CreateZExt(block_field(offsetof(Block, dynamic_shared_offset), builder_.getInt32Ty()),
                                   wide);
      return integer(64, program_.layout().shared_offset(&variable));
    case Space::global:
    case Space::constant:
      return builder_.CreateAdd(
          builder_.CreatePtrToInt(block_field(offsetof(Block, globals), builder_.getPtrTy()), wide),
          integer(64, program_.layout().global_offset(&variable)));
    default:
      refuse(instruction, "'" + variable.name + "' has no address here");
  }
}

llvm::Value* FunctionTranslator::call_runtime(const char* name, llvm::Type* result,
                                              llvm::ArrayRef<llvm::Value*> arguments, bool pure) {
  std::vector<llvm::Type*> types;
  for (llvm::Value* argument : arguments) types.push_back(argument->getType());
  auto callee = program_.module().getOrInsertFunction(name, llvm::FunctionType::get(result, types, false));
  auto* function = llvm::cast<llvm::Function>(callee.getCallee());
  function->setDoesNotThrow();
  if (pure) {
    function->setDoesNotAccessMemory();
    function->setWillReturn();
  }
  return builder_.CreateCall(callee, arguments);
}

llvm::Value* FunctionTranslator::suspend(Wait wait, llvm::ArrayRef<llvm::Value*> operands) {
  std::vector<llvm::Value*> arguments{builder_.getInt32(static_cast<std::uint32_t>(wait))};
  for (llvm::Value* operand : operands) arguments.push_back(resize(as_integer(operand), 64));
  while (arguments.size() < 1 + kWaitOperands) arguments.push_back(builder_.getInt64(0));
  return call_runtime(kSuspendMarker, builder_.getInt64Ty(), arguments, false);
}

}  // namespace clcuda::ptx
