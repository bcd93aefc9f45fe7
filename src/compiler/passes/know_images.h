// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/passes.h"

namespace clcuda::compiler {

// What the library asks of an image (builtins/image.h) while it reads or writes: the order of its channels with what goes with that, and
// the format of its texels. Where the image is an argument of a kernel, and the code is made for images of a certain kind
// (Lowering::images), the answer is a constant here, and an attribute of the argument says that the code rests on it. To run when the
// library's functions have been inlined, before what follows from the answers is simplified.
class KnowImages : public llvm::PassInfoMixin<KnowImages> {
 public:
  explicit KnowImages(const Lowering& lowering) : lowering_(&lowering) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) const;

 private:
  const Lowering* lowering_;
};

}  // namespace clcuda::compiler
