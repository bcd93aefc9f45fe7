// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace clcuda {

// memcpy() whose result is for a device: it goes to memory past the processor's caches, out of which a copy
// engine reads at half the rate, and leaves in them what the application has there.
void streaming_copy(void* to, const void* from, std::size_t size) noexcept;

}  // namespace clcuda
