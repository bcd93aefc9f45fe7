// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "compiler/spirv/builtin_call.h"
#include "compiler/spirv/enumerants.h"

namespace clcuda::compiler::spirv {

// How reductions and scans of groups combine numbers, as the functions of OpenCL C are called: {"add", OperandKind::integers}.
enum class OperandKind : std::uint8_t { integers, floating, booleans };
struct Combination {
  const char* function;
  OperandKind operands;
  Sign sign = Sign::with;
};

// "reduce_add", "scan_inclusive_add", …; throws ProgramError for operations other than reductions and scans.
std::string reduction_name(GroupOperation operation, const Combination& combination);

// Calls the function of that name for each element of a value. `cluster` is the cluster's size, or null.
llvm::Value* combine(llvm::IRBuilderBase& builder, const std::string& function,
                     const Combination& combination, llvm::Value* value, llvm::Value* cluster);

}  // namespace clcuda::compiler::spirv
