// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

namespace clang {
class ASTConsumer;
}

namespace clcuda::compiler {

// -cl-single-precision-constant: Clang takes a constant for one of single precision, but where that becomes a double at once, it leaves out
// both conversions. This rounds the constants themselves, ahead of the consumer that makes code of them.
std::unique_ptr<clang::ASTConsumer> round_constants_ahead_of(std::unique_ptr<clang::ASTConsumer> consumer);

}  // namespace clcuda::compiler
