// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "compiler/compiled_program.h"
#include "compiler/options.h"

namespace clcuda::compiler {

// LLVM's compile time grows faster than linearly, most of all with the size of a function. Functions of more instructions are larger than
// any that people write, and are not optimised.
constexpr unsigned kMostToOptimize = 40'000;

// Parameters of the compilation besides the module.
struct Lowering {
  const Options& options;
  const Target& target;
  Variant variant;
  // Of the uniform variant: known properties of images, by argument number. Null: all images are RGBA in formats that texture units
  // return unchanged.
  const std::vector<KnownImage>* images = nullptr;
  // Of the uniform variant: buffers among the arguments may have bytes in common.
  bool arguments_overlap = false;
};

}  // namespace clcuda::compiler
