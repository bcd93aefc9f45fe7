// SPDX-License-Identifier: Apache-2.0
#include "base/digest.h"

#include <fmt/format.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace clcuda {
namespace {

// Longer texts are added to a combined digest as their own digest.
constexpr std::size_t kLongest = 4096;

}  // namespace

std::string Digest::hex() const { return fmt::format("{:016x}{:016x}", high, low); }

Digest digest(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.low64, hash.high64};
}

DigestOf& DigestOf::operator()(std::string_view text) {
  const std::uint64_t length = text.size();
  bytes_.append(reinterpret_cast<const char*>(&length), sizeof length);
  if (text.size() <= kLongest) {
    bytes_ += text;
    return *this;
  }
  const Digest long_text = digest(text);
  bytes_.append(reinterpret_cast<const char*>(&long_text), sizeof long_text);
  return *this;
}

}  // namespace clcuda
