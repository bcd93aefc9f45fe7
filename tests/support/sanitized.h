// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace test {

// Whether this program runs under AddressSanitizer or ThreadSanitizer, which are slow and delay the reuse of freed memory.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif
#else
inline constexpr bool kSanitized = false;
#endif

// ThreadSanitizer holds a signal that another thread sends back until the thread makes a call of the system.
#if defined(__SANITIZE_THREAD__)
inline constexpr bool kDelaysSignals = true;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
inline constexpr bool kDelaysSignals = true;
#else
inline constexpr bool kDelaysSignals = false;
#endif
#else
inline constexpr bool kDelaysSignals = false;
#endif

}  // namespace test
