// SPDX-License-Identifier: Apache-2.0
// ld st cvta isspacep cp.async. Global, constant, local and parameter addresses are host addresses; shared ones are offsets from the
// window's base. An address in a register becomes a pointer by adding it to a null pointer that the optimiser does not know to be null. It
// can then analyse induction variables through the arithmetic, which inttoptr would hide.
#include "ptx/translate/function_translator.h"

namespace clcuda::ptx {
namespace {

std::size_t vector_length(const Instruction& in) {
  return in.has(Modifier::v8) ? 8 : in.has(Modifier::v4) ? 4 : in.has(Modifier::v2) ? 2 : 1;
}

bool is_ordered(const Instruction& in) {
  return in.has(Modifier::relaxed) || in.has(Modifier::acquire) || in.has(Modifier::release);
}

}  // namespace

Space FunctionTranslator::space_of(const Instruction& in) const {
  if (in.has(Modifier::shared) || in.has(Modifier::shared_cta)) return Space::shared;
  if (in.has(Modifier::global)) return Space::global;
  if (in.has(Modifier::local)) return Space::local;
  if (in.has(Modifier::const_)) return Space::constant;
  if (in.has(Modifier::param) || in.has(Modifier::param_entry) || in.has(Modifier::param_func))
    return Space::param;
  return Space::none;
}

llvm::Value* FunctionTranslator::pointer(const Instruction& in, const Operand& operand, Space space) {
  llvm::Type* byte = builder_.getInt8Ty();
  const auto offset = integer(64, static_cast<std::uint64_t>(operand.offset));
  if (operand.kind == Operand::Kind::variable) {
    llvm::Value* base = variables_.at(operand.index);
    if (!base && variable(operand.index).space == Space::param) {
      const std::uint32_t place = program_.parameter_offset(source_, operand.index - source_.results.size());
      base = builder_.CreateConstInBoundsGEP1_64(
          byte, block_field(offsetof(Block, parameters), builder_.getPtrTy()), place);
    }
    if (base) return builder_.CreatePtrAdd(base, offset);
  }
  Operand without_offset = operand;
  without_offset.offset = 0;
  without_offset.address = false;
  const bool predicate =
      operand.kind == Operand::Kind::reg && source_.registers[operand.index].type == kPredicateType;
  if (predicate) refuse(in, "a predicate is no address");
  llvm::Value* address = read_bits(in, without_offset, 64);
  llvm::Value* base = block_field(
      space == Space::shared ? offsetof(Block, shared) : offsetof(Block, address_zero), builder_.getPtrTy());
  return builder_.CreatePtrAdd(builder_.CreatePtrAdd(base, address), offset);
}

void FunctionTranslator::convert_address(const Instruction& in) {
  const unsigned width = in.type().bits;
  llvm::Value* address = read(in, 1, unsigned_type(64));
  if (in.operands[1].kind == Operand::Kind::reg) address = resize(read(in, 1, unsigned_type(width)), 64);
  if (space_of(in) == Space::shared) {
    llvm::Value* base = builder_.CreatePtrToInt(block_field(offsetof(Block, shared), builder_.getPtrTy()),
                                                builder_.getInt64Ty());
    address = in.has(Modifier::to) ? builder_.CreateSub(address, base) : builder_.CreateAdd(address, base);
  }
  write(in, 0, resize(address, width));
}

void FunctionTranslator::is_space(const Instruction& in) {
  llvm::Value* address = read(in, 1, unsigned_type(64));
  llvm::Value* space = builder_.getInt32(static_cast<std::uint32_t>(space_of(in)));
  llvm::Value* answer =
      call_runtime("clcuda_is_space", builder_.getInt32Ty(), {target_.getArg(0), address, space}, false);
  write(in, 0, builder_.CreateICmpNE(answer, builder_.getInt32(0)));
}

// The offset of an operand in the kernel's parameter buffer, if it names `bytes` bytes of one parameter.
std::optional<std::size_t> FunctionTranslator::kernel_parameter_offset(const Instruction& in,
                                                                       const Operand& operand,
                                                                       std::size_t bytes) const {
  if (!source_.entry || space_of(in) != Space::param || operand.kind != Operand::Kind::variable)
    return std::nullopt;
  if (operand.index < source_.results.size() ||
      operand.index - source_.results.size() >= source_.parameters.size())
    return std::nullopt;
  const std::size_t index = operand.index - source_.results.size();
  const std::uint64_t size = source_.parameters[index].bytes();
  if (operand.offset < 0 || bytes > size || static_cast<std::uint64_t>(operand.offset) > size - bytes)
    return std::nullopt;
  return program_.parameter_offset(source_, index) + static_cast<std::size_t>(operand.offset);
}

void FunctionTranslator::load(const Instruction& in) {
  const Type type = in.last_type();
  const Space space = space_of(in);
  const Operand& to = in.operands[0];
  const std::size_t count = vector_length(in);
  if ((to.kind == Operand::Kind::vector ? to.elements.size() : 1) != count)
    refuse(in, "the vector has another length");
  const auto write_all = [&](llvm::ArrayRef<llvm::Value*> values) {
    for (std::size_t i = 0; i < count; ++i)
      write(to.kind == Operand::Kind::vector ? to.elements[i] : to, values[i], type.is_signed());
  };
  std::vector<llvm::Value*> values;
  if (const auto offset = kernel_parameter_offset(in, in.operands[1], count * type.bytes())) {
    for (std::size_t i = 0; i < count; ++i)
      values.push_back(kernel_parameter(*offset + i * type.bytes(), type_of(type)));
    return write_all(values);
  }
  llvm::Value* from = pointer(in, in.operands[1], space);
  // Atomic accesses use an integer type with the same bits.
  const bool ordered = is_ordered(in) && space != Space::param;
  llvm::Type* element =
      ordered || !type.is_floating() ? builder_.getIntNTy(type.total_bits()) : type_of(type);
  for (std::size_t i = 0; i < count; ++i) {
    llvm::Value* place = builder_.CreateConstGEP1_64(builder_.getInt8Ty(), from, i * type.bytes());
    auto* load = builder_.CreateAlignedLoad(element, place, llvm::Align(ordered ? type.bytes() : 1));
    load->setVolatile(in.has(Modifier::volatile_));
    if (ordered)
      load->setAtomic(in.has(Modifier::acquire) ? llvm::AtomicOrdering::Acquire
                                                : llvm::AtomicOrdering::Monotonic);
    if (space == Space::constant)
      load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(load->getContext(), {}));
    values.push_back(load);
  }
  write_all(values);
}

void FunctionTranslator::store(const Instruction& in) {
  const Type type = in.last_type();
  const Space space = space_of(in);
  const Operand& from = in.operands[1];
  const std::size_t count = vector_length(in);
  if ((from.kind == Operand::Kind::vector ? from.elements.size() : 1) != count)
    refuse(in, "the vector has another length");
  llvm::Value* to = pointer(in, in.operands[0], space);
  const bool ordered = is_ordered(in);
  for (std::size_t i = 0; i < count; ++i) {
    llvm::Value* value = read(in, from.kind == Operand::Kind::vector ? from.elements[i] : from, type);
    if (ordered) value = as_integer(value);
    llvm::Value* place = builder_.CreateConstGEP1_64(builder_.getInt8Ty(), to, i * type.bytes());
    auto* store = builder_.CreateAlignedStore(value, place, llvm::Align(ordered ? type.bytes() : 1));
    store->setVolatile(in.has(Modifier::volatile_));
    if (ordered)
      store->setAtomic(in.has(Modifier::release) ? llvm::AtomicOrdering::Release
                                                 : llvm::AtomicOrdering::Monotonic);
  }
}

// The copy is done at once, so waiting for it does nothing. If there is a fourth operand, only that many bytes are read; the remaining ones
// of the copy are zero.
void FunctionTranslator::copy_async(const Instruction& in) {
  const Operand& size = in.operands[2];
  const bool whole_line = in.has(Modifier::cg);
  if (size.kind != Operand::Kind::immediate ||
      !(size.bits == 16 || (!whole_line && (size.bits == 4 || size.bits == 8))))
    refuse(in, "cp.async copies 4, 8 or 16 bytes, with .cg 16");
  const unsigned bytes = static_cast<unsigned>(size.bits);
  llvm::Value *to = pointer(in, in.operands[0], Space::shared),
              *from = pointer(in, in.operands[1], Space::global);
  llvm::Type* all = builder_.getIntNTy(8 * bytes);
  const llvm::Align byte(1);
  if (in.operands.size() < 4) {
    builder_.CreateAlignedStore(builder_.CreateAlignedLoad(all, from, byte), to, byte);
    return;
  }
  llvm::Value* count = read(in, 3, unsigned_type(32));
  builder_.CreateAlignedStore(llvm::ConstantInt::get(all, 0), to, byte);
  for (unsigned i = 0; i < bytes; ++i) {
    llvm::Value* place = builder_.CreateConstGEP1_64(builder_.getInt8Ty(), to, i);
    llvm::Value* source =
        builder_.CreateSelect(builder_.CreateICmpULT(builder_.getInt32(i), count),
                              builder_.CreateConstGEP1_64(builder_.getInt8Ty(), from, i), place);
    builder_.CreateAlignedStore(builder_.CreateAlignedLoad(builder_.getInt8Ty(), source, byte), place, byte);
  }
}

void FunctionTranslator::no_operation(const Instruction&) {}

}  // namespace clcuda::ptx
