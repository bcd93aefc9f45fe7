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

// Answers queries of the library about an image that is a kernel's argument (builtins/image.h: the channel order, the format of its
// texels) by constants, if the code is compiled for images of a known kind. An attribute of the argument records what the code relies on,
// for the launch to check:
//
//   @k(ptr %image)                                                          →  @k(ptr "clcuda-known-image"="1 12816 0 0" %image)
//   %order = call i32 @__clcuda_ask_image_order(ptr %image, i32 %loaded)    →  i32 12816
//
// `images`: what is known, by the arguments' indices; it must outlive the pass. If it is null, the channel order is assumed to be CL_RGBA.
// In the general variant, and for properties that are not known, the answer is the value loaded at run time. Runs when the library's
// functions have been inlined and before the code that depends on the answers is simplified. Does nothing to queries about other images.
class SpecializeImageQueries : public llvm::PassInfoMixin<SpecializeImageQueries> {
 public:
  SpecializeImageQueries(Variant variant, const std::vector<KnownImage>* images)
      : variant_(variant), images_(images) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) const;

 private:
  Variant variant_;
  const std::vector<KnownImage>* images_;
};

// What that attribute of a kernel's argument says.
KnownImage read_known_image(const llvm::Argument& argument);

// The library's queries about images; `none`: the call is none of them.
enum class ImageQuery : std::uint8_t { none, order, format, read_is_known };
ImageQuery image_query_of(const llvm::CallInst& call);

}  // namespace clcuda::compiler
