// SPDX-License-Identifier: Apache-2.0
// OpExtInst with the set OpenCL.std.
#include <llvm/IR/MDBuilder.h>

#include <array>
#include <vector>

#include "compiler/passes/address_spaces.h"
#include "compiler/program_error.h"
#include "compiler/spirv/builtin_call.h"
#include "compiler/spirv/families.h"
#include "compiler/spirv/function_reader.h"
#include "compiler/spirv/opencl_std.h"

namespace clcuda::compiler::spirv {
namespace {

// Prefetches are hints. The library's function does nothing for any type.
llvm::CallInst* prefetch(FunctionReader& reader, llvm::Type* result, std::span<llvm::Value* const> operands) {
  llvm::IRBuilderBase& builder = reader.builder();
  require(operands.size() == 2 && result->isVoidTy(), "its operands or its result are wrong");
  if (pointer_space(operands[0]) != kGlobalSpace) return nullptr;
  return call_builtin(builder, "prefetch", builder.getVoidTy(),
                      {{pointer_to_constant(integer(8, Sign::with), kGlobalSpace), operands[0]},
                       {kSizeType, to_integer(builder, operands[1], 64)}});
}

// OpenCL C has these functions in single precision only, and no unprefixed functions for division.
llvm::Value* divide(llvm::IRBuilderBase& builder, OpenClStd instruction,
                    std::span<llvm::Value* const> operands) {
  const bool is_reciprocal = instruction == OpenClStd::half_recip || instruction == OpenClStd::native_recip;
  const bool is_quotient = instruction == OpenClStd::half_divide || instruction == OpenClStd::native_divide;
  if (!is_reciprocal && !is_quotient) return nullptr;
  llvm::Type* type = operands.front()->getType();
  if (!type->isFPOrFPVectorTy() || type->getScalarType()->isFloatTy()) return nullptr;
  require(operands.size() == (is_quotient ? 2 : 1) && operands.back()->getType() == type,
          "the operands are of wrong types");
  if (is_reciprocal) return builder.CreateFDiv(llvm::ConstantFP::get(type, 1), operands[0]);
  return builder.CreateFDiv(operands[0], operands[1]);
}

// Clang adds the precision that the language requires as !fpmath to calls of sqrt.
void note_accuracy(FunctionReader& reader, OpenClStd instruction, llvm::CallInst& call) {
  if (instruction != OpenClStd::sqrt || !call.getType()->getScalarType()->isFloatTy()) return;
  if (reader.module().unit().options.correctly_rounded_divide_sqrt) return;
  call.setMetadata(llvm::LLVMContext::MD_fpmath, llvm::MDBuilder(reader.context()).createFPMath(3.0f));
}

llvm::Value* emit(FunctionReader& reader, OpenClStd instruction, llvm::Type* result, const Instruction& in) {
  llvm::IRBuilderBase& builder = reader.builder();
  const bool has_literal = ends_with_literal(instruction);
  require(in.size() > (has_literal ? 3U : 2U), "there are no operands");
  auto ids = in.operands_from(2);
  if (has_literal) ids = ids.first(ids.size() - 1);
  std::vector<llvm::Value*> operands;
  for (const std::uint32_t id : ids) operands.push_back(reader.value(id));
  if (instruction == OpenClStd::printf) return call_printf(builder, result, operands);
  if (instruction == OpenClStd::prefetch) return prefetch(reader, result, operands);
  if (llvm::Value* quotient = divide(builder, instruction, operands)) return quotient;
  if (llvm::CallInst* call = call_vector_access(builder, instruction, result, operands, in[in.size() - 1]))
    return call;
  llvm::CallInst* call = call_opencl_std(builder, instruction, result, operands);
  require(call, "there is no such instruction");
  note_accuracy(reader, instruction, *call);
  return call;
}

}  // namespace

bool read_extended_instruction(FunctionReader& reader, const Instruction& in) {
  llvm::IRBuilderBase& builder = reader.builder();
  if (in.op() == Op::UntypedPrefetchKHR) {
    const std::array operands = {reader.value(in[0]), reader.value(in[1])};
    prefetch(reader, builder.getVoidTy(), operands);
    return true;
  }
  if (in.op() != Op::ExtInst) return false;
  if (reader.module().extended_set(in[0]) == ExtendedSet::ignored) return true;
  const auto instruction = static_cast<OpenClStd>(in[1]);
  const llvm::IRBuilderBase::FastMathFlagGuard guard(builder);
  builder.setFastMathFlags(reader.math_flags(in));
  try {
    const Type& type = reader.type(in.type());
    llvm::Value* result = emit(reader, instruction, type.value, in);
    if (!type.is(TypeKind::void_type)) reader.define(in, result);
  } catch (const ProgramError& error) {
    refuse(name_of(instruction) + " of OpenCL.std: " + error.reason);
  }
  return true;
}

}  // namespace clcuda::compiler::spirv
