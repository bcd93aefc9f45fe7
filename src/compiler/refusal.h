// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace clcuda::compiler {

// A program that one of our own passes cannot take. Thrown through frames of ours only, so that all is destroyed in order, unlike behind a
// CompilerFault.
struct Refusal {
  std::string reason;
};

}  // namespace clcuda::compiler
