// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace clcuda {

// A 128-bit hash of some bytes: the name of a cache entry, and a check that a file is intact. Not cryptographic: no protection against
// files made to collide.
struct Digest {
  std::uint64_t low = 0, high = 0;
  std::string hex() const;  // 32 digits
  friend auto operator<=>(const Digest&, const Digest&) = default;
};

Digest digest(std::string_view bytes);

// Hashes several values in order, including their boundaries, so that ("ab")("c") and ("a")("bc") differ:
//
//   const Digest key = DigestOf()("build")(options)(target.sm).finish();
class DigestOf {
 public:
  DigestOf& operator()(std::string_view text);
  template <std::integral Number>
  DigestOf& operator()(Number number) {
    const auto wide = static_cast<std::uint64_t>(number);
    return (*this)(std::string_view(reinterpret_cast<const char*>(&wide), sizeof wide));
  }
  Digest finish() const { return digest(bytes_); }

 private:
  std::string bytes_;
};

}  // namespace clcuda
