// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/Instructions.h>

#include <cstdint>

namespace clcuda::compiler {

// Size in bytes of the record that a call of printf writes (builtins/printf_record.h).
std::uint64_t printf_record_size(const llvm::CallInst& call);

// Gives kernels from which one of the calls can be reached the attribute kPrintfAttribute. Its value is an upper bound of the bytes that
// one work-item prints, or 0 if no bound is known: a call in a loop, in a recursion, or in a function that is not only called directly.
//
//   define ptx_kernel void @k() "clcuda-printf"="24"    // one call with two values
void mark_printing_kernels(llvm::Module& module, llvm::ArrayRef<llvm::CallInst*> calls);

}  // namespace clcuda::compiler
