// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "compiler/compiled_program.h"
#include "compiler/options.h"

namespace clcuda::compiler {

// What device code is made for, beside the module.
struct Lowering {
  const Options& options;
  const Target& target;
  Variant variant;
  // Of the uniform variant, by the number of the argument: what is known of the images that it is made for. Null: that the texels of
  // all of them are RGBA, as texture units give it.
  const std::vector<KnownImage>* images = nullptr;
};

}  // namespace clcuda::compiler
