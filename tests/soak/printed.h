// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace soak {

// Redirects standard output through a pipe to a thread of this process. Lines other than "soak <number>" are passed on to standard error.
// Without this call, no printed numbers are expected.
void catch_printed();
// Records that launched kernels will print each of these numbers once.
void expect_printed(std::uint32_t first, std::size_t count);
// The missing or extra numbers after all launches are complete; empty if there are none.
std::string difference_of_printed();

}  // namespace soak
