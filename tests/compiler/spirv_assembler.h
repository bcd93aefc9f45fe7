// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace clcuda::compiler::testing {

// The words of a SPIR-V module from its text, by spirv-as. Its complaint fails the test.
std::string assembled(const std::string& text, const std::string& version = "spv1.4");

}  // namespace clcuda::compiler::testing
