// SPDX-License-Identifier: Apache-2.0
// atom red fence membar. Scopes are ignored: every memory order applies to the whole machine.
#include "ptx/translate/function_translator.h"

namespace clcuda::ptx {
namespace {

llvm::AtomicOrdering ordering(const Instruction& in) {
  if (in.has(Modifier::acq_rel)) return llvm::AtomicOrdering::AcquireRelease;
  if (in.has(Modifier::acquire)) return llvm::AtomicOrdering::Acquire;
  if (in.has(Modifier::release)) return llvm::AtomicOrdering::Release;
  return llvm::AtomicOrdering::Monotonic;
}

llvm::AtomicRMWInst::BinOp operation(const Instruction& in) {
  using Op = llvm::AtomicRMWInst::BinOp;
  const Type type = in.type();
  if (in.has(Modifier::and_)) return Op::And;
  if (in.has(Modifier::or_)) return Op::Or;
  if (in.has(Modifier::xor_)) return Op::Xor;
  if (in.has(Modifier::exch)) return Op::Xchg;
  if (in.has(Modifier::add)) return type.is_floating() ? Op::FAdd : Op::Add;
  if (in.has(Modifier::inc)) return Op::UIncWrap;
  if (in.has(Modifier::dec)) return Op::UDecWrap;
  if (in.has(Modifier::min)) return type.is_signed() ? Op::Min : Op::UMin;
  return type.is_signed() ? Op::Max : Op::UMax;
}

}  // namespace

void FunctionTranslator::atomic(const Instruction& in) {
  const Type type = in.type();
  const bool returns = in.form->opcode == "atom";
  const std::size_t first = returns ? 1 : 0;
  llvm::Value* place = pointer(in, in.operands[first], space_of(in));
  llvm::Value* value = read(in, first + 1, type);
  if (in.has(Modifier::exch)) value = as_integer(value);
  llvm::Value* old =
      builder_.CreateAtomicRMW(operation(in), place, value, llvm::Align(type.bytes()), ordering(in));
  if (returns) write(in, 0, old);
}

void FunctionTranslator::atomic_cas(const Instruction& in) {
  const Type type = bits_type(in.type().bits);
  llvm::Value* place = pointer(in, in.operands[1], space_of(in));
  const auto success = ordering(in);
  const auto failure = llvm::AtomicCmpXchgInst::getStrongestFailureOrdering(success);
  llvm::Value* outcome = builder_.CreateAtomicCmpXchg(place, read(in, 2, type), read(in, 3, type),
                                                      llvm::Align(type.bytes()), success, failure);
  write(in, 0, builder_.CreateExtractValue(outcome, 0));
}

void FunctionTranslator::fence(const Instruction& in) {
  const bool light = in.has(Modifier::acq_rel) || in.has(Modifier::acquire) || in.has(Modifier::release);
  builder_.CreateFence(light ? llvm::AtomicOrdering::AcquireRelease
                             : llvm::AtomicOrdering::SequentiallyConsistent);
}

}  // namespace clcuda::ptx
