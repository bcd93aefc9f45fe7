// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compiler/passes/passes.h"

namespace clcuda::compiler {

// In the uniform variant, addresses among a kernel's arguments are multiples of `uniform_address_alignment`.
void align_arguments(llvm::Module& module, const Lowering& lowering);

}  // namespace clcuda::compiler
