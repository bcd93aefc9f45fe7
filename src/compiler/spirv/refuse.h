// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace clcuda::compiler::spirv {

// Ends the reading of a module, through frames of ours only (compiler/refusal.h). Whoever goes through the
// instructions adds which of them it was.
[[noreturn]] void refuse(const std::string& reason);

inline void require(bool condition, const char* reason) {
  if (!condition) refuse(reason);
}

}  // namespace clcuda::compiler::spirv
