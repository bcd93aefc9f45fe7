// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace test {

// If CLCUDA_TEST_SOURCES is set, writes the program to that folder as <hash>.cl, and its build options as <hash>.cl.options.
// scripts/check-architectures compiles these files for other architectures.
void keep_source(const std::string& source, const std::string& options);

}  // namespace test
