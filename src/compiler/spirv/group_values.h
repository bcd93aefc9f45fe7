// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compiler/spirv/builtin_call.h"
#include "compiler/spirv/refuse.h"

namespace clcuda::compiler::spirv {

// What work-items exchange are single numbers. Of a vector each element goes by itself, and a boolean as an int; `exchange` takes a
// number and gives one of the same type.
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

// A boolean as OpenCL C's functions take and give it.
inline BuiltinArgument predicate(llvm::IRBuilderBase& builder, llvm::Value* value) {
  require(value->getType()->isIntegerTy(1), "its predicate is not a boolean");
  return {kSignedInt, builder.CreateZExt(value, builder.getInt32Ty())};
}

// An index, a distance, a size: any integer.
inline BuiltinArgument index(llvm::IRBuilderBase& builder, llvm::Value* value) {
  return {kUnsignedInt, to_integer(builder, value, 32)};
}

}  // namespace clcuda::compiler::spirv
