// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

namespace clang {
class ASTConsumer;
}

namespace clcuda::compiler {

// -cl-single-precision-constant: Clang converts constants to float, but if one is converted to double at
// once, it omits both conversions. This consumer rounds the constants themselves, before the one that
// generates code.
std::unique_ptr<clang::ASTConsumer> round_constants_ahead_of(std::unique_ptr<clang::ASTConsumer> consumer);

}  // namespace clcuda::compiler
