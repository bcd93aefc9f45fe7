// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

namespace clang {
class ASTConsumer;
class DiagnosticsEngine;
}  // namespace clang

namespace clcuda::compiler {

// Refuses samplers made from integers that are not constant (OpenCL C 6.15.15.1), and blocks that use a literal sampler of the function
// around them (a limitation). Clang accepts them, and fails when it generates code.
std::unique_ptr<clang::ASTConsumer> create_sampler_check(clang::DiagnosticsEngine& diagnostics);

}  // namespace clcuda::compiler
