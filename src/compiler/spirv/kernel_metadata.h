// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace llvm {
class Function;
}

namespace clcuda::compiler::spirv {

struct EntryPoint;
struct FunctionText;
class ModuleReader;

// What Clang says of a kernel in metadata and attributes: its arguments as OpenCL sees them, its sizes and
// hints.
void describe_kernel(ModuleReader& reader, const EntryPoint& entry, const FunctionText& text,
                     llvm::Function& kernel);

// The part of it that execution modes make.
void apply_execution_modes(ModuleReader& reader, const EntryPoint& entry, llvm::Function& kernel);

}  // namespace clcuda::compiler::spirv
