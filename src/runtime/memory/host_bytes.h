// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

namespace clcuda {

// What commands do to the application's memory on the host, and nothing else: what the application does there meanwhile is a race of its own,
// and tools that look for ours are told to pass over these functions.
void copy_bytes(void* to, const void* from, std::size_t size);
void fill_bytes(std::byte* to, std::size_t size, std::span<const std::byte> pattern);

}  // namespace clcuda
