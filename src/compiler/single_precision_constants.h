// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

namespace clang {
class ASTConsumer;
}

namespace clcuda::compiler {

// -cl-single-precision-constant: Clang converts constants to float, but if one is converted to double at
// once, it omits both conversions. This consumer, which precedes the one that generates code, rounds the
// constants themselves.
std::unique_ptr<clang::ASTConsumer> create_constant_rounding();

}  // namespace clcuda::compiler
