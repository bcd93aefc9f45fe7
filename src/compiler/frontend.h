// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "compiler/device_features.h"
#include "compiler/options.h"
#include "compiler/outcome.h"

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
  // Of what is translated again: the folder that was the working folder then. It sees no files but `headers`.
  const std::string* folder = nullptr;
};

// OpenCL C to LLVM IR, as Clang emits it: nothing linked, nothing lowered. Fills in the outcome's log, on what it rests, and the
// image's translations; null if there were errors.
std::unique_ptr<llvm::Module> compile_opencl_c(const SourceUnit& unit, llvm::LLVMContext& context,
                                               Outcome& outcome);

}  // namespace clcuda::compiler
