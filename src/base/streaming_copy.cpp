// SPDX-License-Identifier: Apache-2.0
#include "base/streaming_copy.h"

#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace clcuda {

#ifdef __SSE2__

namespace {

constexpr std::size_t kLine = 64;
// Smaller copies would spend much of their time on the fence at the end.
constexpr std::size_t kLeast = 16 << 10;

void stream_line(std::byte* to, const std::byte* from) noexcept {
  for (std::size_t at = 0; at < kLine; at += sizeof(__m128i)) {
    const __m128i part = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + at));
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + at), part);
  }
}

}  // namespace

void streaming_copy(void* to, const void* from, std::size_t size) noexcept {
  auto* out = static_cast<std::byte*>(to);
  const auto* in = static_cast<const std::byte*>(from);
  if (size < kLeast) {
    std::memcpy(out, in, size);
    return;
  }
  const std::size_t head = -reinterpret_cast<std::uintptr_t>(out) % kLine;
  std::memcpy(out, in, head);
  const std::size_t end = head + (size - head) / kLine * kLine;
  for (std::size_t at = head; at < end; at += kLine) stream_line(out + at, in + at);
  std::memcpy(out + end, in + end, size - end);
  _mm_sfence();  // before the device is told to read
}

#else

void streaming_copy(void* to, const void* from, std::size_t size) noexcept { std::memcpy(to, from, size); }

#endif

}  // namespace clcuda
