// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "compiler/compiled_program.h"

namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

namespace clcuda::compiler {

struct Lowering;

// Reads bitcode that this compiler wrote. Null, with the reason in `log`, if it cannot be read.
std::unique_ptr<llvm::Module> read_bitcode(std::string_view bitcode, llvm::LLVMContext& context,
                                           std::string& log);
std::string write_bitcode(const llvm::Module& module);

// Of bitcode that this compiler wrote, some kernels and what they need. Nothing else of it is read.
std::unique_ptr<llvm::Module> read_kernels(std::string_view bitcode, std::span<const KernelInfo> kernels,
                                           llvm::LLVMContext& context);

// Adds what the module uses of the OpenCL C library and of libdevice, as internal functions. False, with the
// names in `log`, if something stays undefined: no later step could say so as well.
bool link_libraries(llvm::Module& module, const Lowering& lowering, std::string& log);

// Joins the modules of compiled objects and libraries into the first. False, with the reason in `log`, for
// symbols defined twice or declared differently.
bool link_objects(llvm::Module& first, std::unique_ptr<llvm::Module> next, std::string& log);

}  // namespace clcuda::compiler
