// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace clcuda {

// memcpy() for data that a device will read next. It bypasses the processor's caches: a copy engine reads cached data at half the rate, and
// the application's data remain in the caches.
void streaming_copy(void* to, const void* from, std::size_t size) noexcept;

}  // namespace clcuda
