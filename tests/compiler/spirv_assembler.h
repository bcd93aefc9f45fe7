// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace clcuda::compiler::testing {

// Assembles a SPIR-V module with spirv-as; an error fails the test.
std::string assembled(const std::string& text, const std::string& version = "spv1.4");

}  // namespace clcuda::compiler::testing
