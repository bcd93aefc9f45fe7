// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/Instructions.h>

#include <cstdint>

namespace clcuda::compiler {

// Bytes of the record that a call of printf leaves (builtins/printf_record.h).
std::uint64_t printf_record_size(const llvm::CallInst& call);

// Kernels from which one of the calls can be reached get `kPrintfAttribute`. Its value is the most bytes that one work-item prints, or 0
// where that is not known: a call in a loop, in a recursion, or in a function whose callers are not all known.
void mark_printing_kernels(llvm::ArrayRef<llvm::CallInst*> calls);

}  // namespace clcuda::compiler
