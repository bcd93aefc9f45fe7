// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory/range_set.h"

#include <gtest/gtest.h>

#include <bitset>
#include <random>

namespace clcuda {
namespace {

// Applies the same operations to a set of single bytes.
TEST(RangeSet, BehavesLikeASetOfBytes) {
  constexpr std::size_t kSize = 64;
  std::mt19937_64 random(std::random_device{}());
  for (int round = 0; round < 500; ++round) {
    RangeSet set;
    std::bitset<kSize> model;
    for (int step = 0; step < 30; ++step) {
      std::size_t a = random() % (kSize + 1), b = random() % (kSize + 1);
      const ByteRange range{std::min(a, b), std::max(a, b)};
      const bool add = random() % 2;
      add ? set.add(range) : set.remove(range);
      for (std::size_t i = range.begin; i < range.end; ++i) model[i] = add;

      a = random() % (kSize + 1), b = random() % (kSize + 1);
      const ByteRange asked{std::min(a, b), std::max(a, b)};
      std::bitset<kSize> inside, missing;
      for (const ByteRange r : set.inside(asked))
        for (std::size_t i = r.begin; i < r.end; ++i) inside.set(i);
      for (const ByteRange r : set.missing(asked))
        for (std::size_t i = r.begin; i < r.end; ++i) missing.set(i);
      bool all = true;
      for (std::size_t i = 0; i < kSize; ++i) {
        const bool in_range = asked.begin <= i && i < asked.end;
        ASSERT_EQ(inside[i], in_range && model[i]);
        ASSERT_EQ(missing[i], in_range && !model[i]);
        if (in_range && !model[i]) all = false;
      }
      ASSERT_EQ(set.contains(asked), all);
      ASSERT_EQ(set.empty(), model.none());
    }
  }
}

}  // namespace
}  // namespace clcuda
