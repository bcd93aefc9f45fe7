// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

namespace clang {
class ASTConsumer;
class DiagnosticsEngine;
}  // namespace clang

namespace clcuda::compiler {

// Refuses samplers made from integers that are not constant (OpenCL C 6.15.15.1), at which Clang fails when it generates code. It also
// fails at blocks that capture a literal sampler of the function around them; so these are given the integer that it is made from:
//
//   const sampler_t s = CLK_FILTER_NEAREST; … ^{ read_imagef(image, s, at); }    →  ^{ read_imagef(image, CLK_FILTER_NEAREST, at); }
std::unique_ptr<clang::ASTConsumer> create_sampler_check(clang::DiagnosticsEngine& diagnostics);

}  // namespace clcuda::compiler
