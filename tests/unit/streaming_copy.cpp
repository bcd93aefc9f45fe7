// SPDX-License-Identifier: Apache-2.0
#include "base/streaming_copy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace clcuda {
namespace {

// Random sizes and alignments: the target is correct, and bytes beside it are unchanged.
TEST(StreamingCopy, CopiesWhatMemcpyDoes) {
  std::mt19937 random(std::random_device{}());
  constexpr std::size_t kMost = 100'000;
  std::vector<std::uint8_t> from(kMost + 64);
  for (std::uint8_t& byte : from) byte = static_cast<std::uint8_t>(random());
  for (int turn = 0; turn < 500; ++turn) {
    const std::size_t size = random() % (turn % 2 ? kMost : 200), in = random() % 64, out = random() % 64;
    std::vector<std::uint8_t> to(size + 2 * 64, 0x5a), expected = to;
    std::copy_n(from.begin() + in, size, expected.begin() + out);
    streaming_copy(to.data() + out, from.data() + in, size);
    ASSERT_EQ(to, expected) << size << " bytes from " << in << " to " << out;
  }
}

}  // namespace
}  // namespace clcuda
