// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <cstdint>
#include <span>

#include "compiler/spirv/enumerants.h"

namespace clcuda::compiler::spirv {

// Calls the builtin function of an OpenCL.std instruction that is one call (opencl_std.def). Null for the other instructions.
llvm::CallInst* call_opencl_std(llvm::IRBuilderBase& builder, OpenClStd instruction, llvm::Type* result,
                                std::span<llvm::Value* const> operands);

// vloadn, vstoren and the forms for half. `literal` is their last operand: the number of elements, or the rounding mode. Null for other
// instructions.
llvm::CallInst* call_vector_access(llvm::IRBuilderBase& builder, OpenClStd instruction, llvm::Type* result,
                                   std::span<llvm::Value* const> operands, std::uint32_t literal);

// True if the instruction's last operand is a literal, not an id.
bool ends_with_literal(OpenClStd instruction);

llvm::CallInst* call_printf(llvm::IRBuilderBase& builder, llvm::Type* result,
                            std::span<llvm::Value* const> operands);

}  // namespace clcuda::compiler::spirv
