// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

namespace clcuda {

// Accesses of commands to the application's host memory. If the application accesses the memory at the same time, that is its own data
// race. Tools that search for races in clcuda therefore ignore these functions, which must contain no other accesses.
void copy_bytes(void* to, const void* from, std::size_t size);
void fill_bytes(std::byte* to, std::size_t size, std::span<const std::byte> pattern);

}  // namespace clcuda
