// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

namespace clang {
class ASTConsumer;
}

namespace clcuda::compiler {

// Kernels that are declared `inline` are kernels like any other. (Clang would emit them only where other code of the module calls them:
// `inline` leaves the definition to another module in C, and to those that use it in C++.) Comes before the code generator.
std::unique_ptr<clang::ASTConsumer> create_inline_kernels();

}  // namespace clcuda::compiler
