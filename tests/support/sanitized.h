// SPDX-License-Identifier: Apache-2.0
#pragma once

#if defined(__has_feature)
#define CLCUDA_HAS_FEATURE(name) __has_feature(name)
#else
#define CLCUDA_HAS_FEATURE(name) false
#endif

namespace test {

// ThreadSanitizer holds a signal that another thread sends back until the thread makes a call of the system.
#if defined(__SANITIZE_THREAD__)
inline constexpr bool kDelaysSignals = true;
#else
inline constexpr bool kDelaysSignals = CLCUDA_HAS_FEATURE(thread_sanitizer);
#endif

// Whether this program runs under AddressSanitizer or ThreadSanitizer, which are slow and delay the reuse of freed memory.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = kDelaysSignals || CLCUDA_HAS_FEATURE(address_sanitizer);
#endif

}  // namespace test

#undef CLCUDA_HAS_FEATURE
