// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

#include <cstdint>
#include <vector>

#include "compiler/compiled_program.h"

namespace llvm {
class Argument;
class CallInst;
}  // namespace llvm

namespace clcuda::compiler {

// What the library asks of an image (builtins/image.h) while it reads or writes: the order of its channels
// with what goes with that, and the format of its texels. Where the image is an argument of a kernel, and the
// code is made for images of a certain kind, the answer is a constant here, and an attribute of the argument
// says that the code rests on it. To run when the library's functions have been inlined, before what follows
// from the answers is simplified. Does nothing to questions about images that are no argument of a kernel.
class SpecializeImageQueries : public llvm::PassInfoMixin<SpecializeImageQueries> {
 public:
  SpecializeImageQueries(Variant variant, const std::vector<KnownImage>* images)
      : variant_(variant), images_(images) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) const;

 private:
  Variant variant_;
  const std::vector<KnownImage>* images_;
};

// What SpecializeImageQueries has left at a kernel's argument.
KnownImage read_known_image(const llvm::Argument& argument);

enum class ImageQuery : std::uint8_t { none, order, format, read_is_known };
ImageQuery image_query_of(const llvm::CallInst& call);

}  // namespace clcuda::compiler
