// SPDX-License-Identifier: Apache-2.0
// setp set selp slct
#include "ptx/translate/function_translator.h"

namespace clcuda::ptx {
namespace {

using Predicate = llvm::CmpInst::Predicate;

struct Comparison {
  Modifier name;
  Predicate floating, is_signed, is_unsigned;
};

constexpr Predicate kNone = Predicate::BAD_ICMP_PREDICATE;

constexpr Comparison kComparisons[] = {
    {Modifier::eq, Predicate::FCMP_OEQ, Predicate::ICMP_EQ, Predicate::ICMP_EQ},
    {Modifier::ne, Predicate::FCMP_ONE, Predicate::ICMP_NE, Predicate::ICMP_NE},
    {Modifier::lt, Predicate::FCMP_OLT, Predicate::ICMP_SLT, Predicate::ICMP_ULT},
    {Modifier::le, Predicate::FCMP_OLE, Predicate::ICMP_SLE, Predicate::ICMP_ULE},
    {Modifier::gt, Predicate::FCMP_OGT, Predicate::ICMP_SGT, Predicate::ICMP_UGT},
    {Modifier::ge, Predicate::FCMP_OGE, Predicate::ICMP_SGE, Predicate::ICMP_UGE},
    {Modifier::equ, Predicate::FCMP_UEQ, kNone, kNone},
    {Modifier::neu, Predicate::FCMP_UNE, kNone, kNone},
    {Modifier::ltu, Predicate::FCMP_ULT, kNone, kNone},
    {Modifier::leu, Predicate::FCMP_ULE, kNone, kNone},
    {Modifier::gtu, Predicate::FCMP_UGT, kNone, kNone},
    {Modifier::geu, Predicate::FCMP_UGE, kNone, kNone},
    {Modifier::num, Predicate::FCMP_ORD, kNone, kNone},
    {Modifier::nan, Predicate::FCMP_UNO, kNone, kNone},
    {Modifier::lo, kNone, kNone, Predicate::ICMP_ULT},
    {Modifier::ls, kNone, kNone, Predicate::ICMP_ULE},
    {Modifier::hi, kNone, kNone, Predicate::ICMP_UGT},
    {Modifier::hs, kNone, kNone, Predicate::ICMP_UGE},
};

}  // namespace

llvm::Value* FunctionTranslator::compare(const Instruction& in, Type type, llvm::Value* a, llvm::Value* b) {
  for (const Comparison& comparison : kComparisons) {
    if (!in.has(comparison.name)) continue;
    const Predicate predicate = type.is_floating() ? comparison.floating
                                : type.is_signed() ? comparison.is_signed
                                                   : comparison.is_unsigned;
    if (predicate == kNone) refuse(in, "this comparison does not go with this type");
    return type.is_floating() ? builder_.CreateFCmp(predicate, flush_if(in, a), flush_if(in, b))
                              : builder_.CreateICmp(predicate, a, b);
  }
  refuse(in, "no comparison");
}

// Combines the outcome with a predicate operand, if the instruction has one.
llvm::Value* FunctionTranslator::combine(const Instruction& in, llvm::Value* outcome, std::size_t operand) {
  if (operand >= in.operands.size()) return outcome;
  llvm::Value* other = read(in, operand, kPredicateType);
  if (in.has(Modifier::and_)) return builder_.CreateAnd(outcome, other);
  return in.has(Modifier::or_) ? builder_.CreateOr(outcome, other) : builder_.CreateXor(outcome, other);
}

void FunctionTranslator::compare_predicate(const Instruction& in) {
  const Type type = in.type();
  llvm::Value* outcome = compare(in, type, read(in, 1, type), read(in, 2, type));
  write_pair(in, combine(in, outcome, 3), combine(in, builder_.CreateNot(outcome), 3));
}

void FunctionTranslator::compare_packed(const Instruction& in) {
  const Type type = in.type();
  llvm::Value* both = compare(in, type, read(in, 1, type), read(in, 2, type));
  write_pair(in, combine(in, builder_.CreateExtractElement(both, std::uint64_t{0}), 3),
             combine(in, builder_.CreateExtractElement(both, std::uint64_t{1}), 3));
}

void FunctionTranslator::compare_value(const Instruction& in) {
  const Type to = in.type(0), from = in.type(1);
  llvm::Value* outcome = combine(in, compare(in, from, read(in, 1, from), read(in, 2, from)), 3);
  llvm::Type* type = type_of(to);
  llvm::Value* yes =
      to.is_floating() ? llvm::ConstantFP::get(type, 1.0) : llvm::Constant::getAllOnesValue(type);
  write(in, 0, builder_.CreateSelect(outcome, yes, llvm::Constant::getNullValue(type)));
}

void FunctionTranslator::compare_value_packed(const Instruction& in) {
  const Type to = in.type(0), from = in.type(1);
  llvm::Value* outcome = compare(in, from, read(in, 1, from), read(in, 2, from));
  llvm::Type* type = type_of(to);
  write(in, 0,
        builder_.CreateSelect(outcome, llvm::ConstantFP::get(type, 1.0), llvm::Constant::getNullValue(type)));
}

void FunctionTranslator::select(const Instruction& in) {
  llvm::Value* chosen =
      builder_.CreateSelect(read(in, 3, kPredicateType), read(in, 1, in.type()), read(in, 2, in.type()));
  write(in, 0, chosen, in.type().is_signed());
}

void FunctionTranslator::select_by_sign(const Instruction& in) {
  const Type type = in.type(0), by = in.type(1);
  llvm::Value* sign = read(in, 3, by);
  llvm::Value* zero = llvm::Constant::getNullValue(sign->getType());
  llvm::Value* not_negative = by.is_floating() ? builder_.CreateFCmpOGE(flush_if(in, sign), zero)
                                               : builder_.CreateICmpSGE(sign, zero);
  write(in, 0, builder_.CreateSelect(not_negative, read(in, 1, type), read(in, 2, type)), type.is_signed());
}

}  // namespace clcuda::ptx
