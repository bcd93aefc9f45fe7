// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "compiler/spirv/builtin_call.h"
#include "compiler/spirv/enumerants.h"

namespace clcuda::compiler::spirv {

// What a reduction or a scan combines numbers by, as OpenCL C's functions are called.
enum class Operands : std::uint8_t { integers, floating, booleans };
struct Combination {
  const char* function;
  Operands operands;
  Sign sign = Sign::with;
};

// "reduce_add" and the like; refuses operations other than reductions and scans.
std::string reduction_name(GroupOperation operation, const Combination& combination);

// The function of that name, over each number of a value; `cluster` is null where there is none.
llvm::Value* combine(llvm::IRBuilderBase& builder, const std::string& function,
                     const Combination& combination, llvm::Value* value, llvm::Value* cluster);

}  // namespace clcuda::compiler::spirv
