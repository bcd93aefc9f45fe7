// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <cstdint>
#include <span>

#include "compiler/spirv/enumerants.h"

namespace clcuda::compiler::spirv {

// The instructions of OpenCL.std that are one call of a function (opencl_std.def). Gives null for the others.
llvm::CallInst* call_opencl_std(llvm::IRBuilderBase& builder, OpenClStd instruction, llvm::Type* result,
                                std::span<llvm::Value* const> operands);

// vload, vstore and their half forms, the latter with a literal for the number of elements or the rounding
// mode. Null for others.
llvm::CallInst* call_vector_access(llvm::IRBuilderBase& builder, OpenClStd instruction, llvm::Type* result,
                                   std::span<llvm::Value* const> operands, std::uint32_t literal);

// Whether the last operand is a literal, and no id.
bool ends_with_literal(OpenClStd instruction);

llvm::CallInst* call_printf(llvm::IRBuilderBase& builder, llvm::Type* result,
                            std::span<llvm::Value* const> operands);

}  // namespace clcuda::compiler::spirv
