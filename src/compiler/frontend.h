// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "compiler/compiler.h"
#include "compiler/options.h"

namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

namespace clcuda::compiler {

struct SourceUnit {
  std::string_view source;
  std::span<const Header> headers;  // found by #include before anything on disk
  const Options& options;
  const Target& target;
  const DeviceFeatures& features;
};

// OpenCL C to LLVM IR, as Clang emits it: nothing linked, nothing lowered. Fills in the outcome's log, and on what it rests; null
// if there were errors.
std::unique_ptr<llvm::Module> compile_opencl_c(const SourceUnit& unit, llvm::LLVMContext& context,
                                               Outcome& outcome);

}  // namespace clcuda::compiler
