// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

#include <string>
#include <vector>

namespace clcuda::compiler {

// Calls of printf write a record into the launch's buffer (builtins/printf_record.h), which the host formats and prints:
//
//   call i32 (ptr, ...) @printf(ptr @format, i32 %x)    →  %r = call ptr addrspace(1) @__clcuda_printf_reserve(i32 16, i32 0)
//                                                          store i64 %wide_x, …
//
// The result is 0, or -1 if the buffer is full. Kernels that can reach such a call get kPrintfAttribute; the format and the string
// arguments that records refer to by number are kept in the module's metadata. A call with what cannot be printed is an error, reported to
// the context's diagnostic handler. Does nothing in modules that do not declare printf.
struct LowerPrintf : llvm::PassInfoMixin<LowerPrintf> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

// Removes the texts that records refer to from the module's metadata and returns them; their indices are the numbers in the records.
std::vector<std::string> take_printf_texts(llvm::Module& module);

}  // namespace clcuda::compiler
