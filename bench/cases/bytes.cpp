// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string_view>

#include "harness/cases.h"

namespace bench {
namespace {

void sha256(Bench& bench, Kernel& kernel) {
  const unsigned n = bench.size(16 << 20, 64 << 10);
  const Memory digests = bench.device().allocate(n * sizeof(unsigned));
  set_arguments(kernel, digests);
  const auto check = [&] {
    // The first words of SHA-256 of the bytes 00 00 00 00, 00 00 00 01 and 00 00 ff ff, by sha256sum.
    const auto results = bench.device().download<unsigned>(digests);
    expect_equal(results[0], 0xdf3f6198);
    expect_equal(results[1], 0xb40711a8);
    expect_equal(results[0xffff], 0xb7d1b3a1);
  };
  bench.measure({n / 256}, {256}, check, n * 1e-9, "Ghashes/s");
}

void string_search(Bench& bench, Kernel& kernel) {
  constexpr std::string_view kWanted = "abbaabab";
  const unsigned n = bench.size(64 << 20, 1 << 20), length = unsigned(kWanted.size());
  std::vector<uint8_t> text;
  for (unsigned word : random_words(n + length, 24)) text.push_back(word & 1 ? 'a' : 'b');
  Device& device = bench.device();
  const Memory found = device.allocate(2048 * sizeof(unsigned));
  set_arguments(kernel, device.upload(text), device.upload(std::vector<char>(kWanted.begin(), kWanted.end())),
                length, n, found);
  const auto check = [&] {
    const auto partial = device.download<unsigned>(found);
    size_t expected = 0;
    for (size_t i = 0; i < n; ++i) expected += std::equal(kWanted.begin(), kWanted.end(), text.begin() + i);
    expect_equal(std::accumulate(partial.begin(), partial.end(), size_t(0)), expected);
  };
  bench.measure({2048}, {256}, check, n * 1e-9, "GB/s");
}

}  // namespace

const std::vector<Case> kByteCases = {{"sha256", "bytes", sha256}, {"string_search", "bytes", string_search}};

}  // namespace bench
