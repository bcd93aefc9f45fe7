// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include "compiler/spirv/families.h"
#include "compiler/spirv/function_reader.h"
#include "compiler/spirv/operands.h"

namespace clcuda::compiler::spirv {
namespace {

using Predicate = llvm::CmpInst::Predicate;

std::optional<Predicate> integer_predicate(Op op) {
  switch (op) {
    case Op::IEqual:
      return Predicate::ICMP_EQ;
    case Op::INotEqual:
      return Predicate::ICMP_NE;
    case Op::UGreaterThan:
      return Predicate::ICMP_UGT;
    case Op::SGreaterThan:
      return Predicate::ICMP_SGT;
    case Op::UGreaterThanEqual:
      return Predicate::ICMP_UGE;
    case Op::SGreaterThanEqual:
      return Predicate::ICMP_SGE;
    case Op::ULessThan:
      return Predicate::ICMP_ULT;
    case Op::SLessThan:
      return Predicate::ICMP_SLT;
    case Op::ULessThanEqual:
      return Predicate::ICMP_ULE;
    case Op::SLessThanEqual:
      return Predicate::ICMP_SLE;
    default:
      return std::nullopt;
  }
}

std::optional<Predicate> floating_predicate(Op op) {
  switch (op) {
    case Op::FOrdEqual:
      return Predicate::FCMP_OEQ;
    case Op::FUnordEqual:
      return Predicate::FCMP_UEQ;
    case Op::FOrdNotEqual:
    case Op::LessOrGreater:
      return Predicate::FCMP_ONE;
    case Op::FUnordNotEqual:
      return Predicate::FCMP_UNE;
    case Op::FOrdLessThan:
      return Predicate::FCMP_OLT;
    case Op::FUnordLessThan:
      return Predicate::FCMP_ULT;
    case Op::FOrdGreaterThan:
      return Predicate::FCMP_OGT;
    case Op::FUnordGreaterThan:
      return Predicate::FCMP_UGT;
    case Op::FOrdLessThanEqual:
      return Predicate::FCMP_OLE;
    case Op::FUnordLessThanEqual:
      return Predicate::FCMP_ULE;
    case Op::FOrdGreaterThanEqual:
      return Predicate::FCMP_OGE;
    case Op::FUnordGreaterThanEqual:
      return Predicate::FCMP_UGE;
    case Op::Ordered:
      return Predicate::FCMP_ORD;
    case Op::Unordered:
      return Predicate::FCMP_UNO;
    default:
      return std::nullopt;
  }
}

}  // namespace

bool read_comparison(FunctionReader& reader, const Instruction& in) {
  if (const auto predicate = integer_predicate(in.op())) {
    const auto [left, right] = integers(reader, in);
    reader.define(in, reader.builder().CreateICmp(*predicate, left, right));
    return true;
  }
  if (const auto predicate = floating_predicate(in.op())) {
    const auto [left, right] = floats(reader, in);
    llvm::IRBuilderBase::FastMathFlagGuard guard(reader.builder());
    reader.builder().setFastMathFlags(reader.math_flags(in));
    reader.define(in, reader.builder().CreateFCmp(*predicate, left, right));
    return true;
  }
  return false;
}

}  // namespace clcuda::compiler::spirv
