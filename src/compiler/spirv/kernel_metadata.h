// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace llvm {
class Function;
}

namespace clcuda::compiler::spirv {

struct EntryPoint;
struct FunctionText;
class ModuleReader;

// Gives a kernel the metadata and attributes that Clang gives it: its arguments' types and qualifiers (kernel_arg_type …), its
// work-group sizes and hints.
void describe_kernel(ModuleReader& reader, const EntryPoint& entry, const FunctionText& text,
                     llvm::Function& kernel);

// The part of it that OpExecutionMode determines: reqd_work_group_size, work_group_size_hint and the like.
void apply_execution_modes(ModuleReader& reader, const EntryPoint& entry, llvm::Function& kernel);

}  // namespace clcuda::compiler::spirv
