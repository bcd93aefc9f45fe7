// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/Function.h>

#include <string>

namespace clcuda::ptx {

// Defines `name`, a RegionEntry: loops over rows of work-items and along each, with `item` as the body, which
// becomes part of it. The inner loop is declared parallel where items cannot notice each other's progress: no
// atomic, volatile or unknown access. `vectorize` never: where it is not worth the time that trying takes.
enum class Vectorize { never, if_parallel };
void make_item_loop(llvm::Function& item, const std::string& name, Vectorize vectorize);

}  // namespace clcuda::ptx
