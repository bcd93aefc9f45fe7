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
// For read_bitcode() and read_kernels().
std::string write_bitcode(const llvm::Module& module);

// Reads some kernels and their dependencies from bitcode that this compiler wrote, lazily.
std::unique_ptr<llvm::Module> read_kernels(std::string_view bitcode, std::span<const KernelInfo> kernels,
                                           llvm::LLVMContext& context);

// Adds the functions of the OpenCL C library and of libdevice that the module uses, as internal functions. False,
// with the names in `log`, if symbols remain undefined: later steps could not report this as well.
bool link_libraries(llvm::Module& module, const Lowering& lowering, std::string& log);

// Links the modules of compiled objects and libraries into the first. False, with the reason in `log`, for
// symbols defined twice or declared differently.
bool link_objects(llvm::Module& first, std::unique_ptr<llvm::Module> next, std::string& log);

}  // namespace clcuda::compiler
