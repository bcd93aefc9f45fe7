// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace clcuda::compiler {

// A program that one of our passes rejects, with a line of the build log. Thrown through our own frames only,
// so that everything is destroyed in order, unlike after a CompilerFault.
struct ProgramError {
  std::string reason;
};

}  // namespace clcuda::compiler
