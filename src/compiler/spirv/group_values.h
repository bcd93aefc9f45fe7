// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compiler/spirv/builtin_call.h"
#include "compiler/spirv/refuse.h"

namespace clcuda::compiler::spirv {

// Applies `exchange`, which takes a number and returns one of the same type, to each element of a value; a boolean is exchanged as an int.
// The functions with which work-items exchange values are called with single numbers.
//
//   exchange_numbers(builder, value, [&](llvm::Value* number) { return …call of sub_group_broadcast…; });
template <class Exchange>
llvm::Value* exchange_numbers(llvm::IRBuilderBase& builder, llvm::Value* value, const Exchange& exchange) {
  if (value->getType()->isVectorTy()) {
    llvm::Value* result = llvm::PoisonValue::get(value->getType());
    for (unsigned i = 0; i < elements_of(value->getType()); ++i)
      result = builder.CreateInsertElement(
          result, exchange_numbers(builder, builder.CreateExtractElement(value, i), exchange), i);
    return result;
  }
  if (value->getType()->isIntegerTy(1))
    return builder.CreateIsNotNull(exchange(builder.CreateZExt(value, builder.getInt32Ty())));
  require(value->getType()->isIntegerTy() || value->getType()->isFloatingPointTy(),
          "an operand is neither a number nor a vector of numbers");
  return exchange(value);
}

// The same for functions that take two numbers, elements of two values of one type.
template <class Exchange>
llvm::Value* exchange_numbers(llvm::IRBuilderBase& builder, llvm::Value* first, llvm::Value* second,
                              const Exchange& exchange) {
  if (first->getType()->isVectorTy()) {
    llvm::Value* result = llvm::PoisonValue::get(first->getType());
    for (unsigned i = 0; i < elements_of(first->getType()); ++i)
      result =
          builder.CreateInsertElement(result,
                                      exchange_numbers(builder, builder.CreateExtractElement(first, i),
                                                       builder.CreateExtractElement(second, i), exchange),
                                      i);
    return result;
  }
  if (!first->getType()->isIntegerTy(1)) return exchange(first, second);
  llvm::Type* integer = builder.getInt32Ty();
  return builder.CreateIsNotNull(
      exchange(builder.CreateZExt(first, integer), builder.CreateZExt(second, integer)));
}

// A boolean as functions of OpenCL C take and return it, an int. Throws ProgramError for other values.
inline BuiltinArgument predicate(llvm::IRBuilderBase& builder, llvm::Value* value) {
  require(value->getType()->isIntegerTy(1), "its predicate is not a boolean");
  return {kSignedInt, builder.CreateZExt(value, builder.getInt32Ty())};
}

// An index, distance or size as a uint; SPIR-V permits integers of any width.
inline BuiltinArgument index(llvm::IRBuilderBase& builder, llvm::Value* value) {
  return {kUnsignedInt, to_integer(builder, value, 32)};
}

}  // namespace clcuda::compiler::spirv
