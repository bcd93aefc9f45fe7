// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace soak {

// From here on the standard output of this process goes through a pipe to a thread of it. What is no line
// "soak <number>" goes on to the standard error stream. Without that call, nothing is expected.
void catch_printed();
// Launched kernels print these numbers, each once.
void expect_printed(std::uint32_t first, std::size_t count);
// What is missing, or too much, when all launches are complete; empty if there is none.
std::string difference_of_printed();

}  // namespace soak
