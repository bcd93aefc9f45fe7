// SPDX-License-Identifier: Apache-2.0
// What the soak test considers a leak (soak/trend.h).
#include "soak/trend.h"

#include <gtest/gtest.h>

#include <random>

namespace {

using soak::growth;
using soak::Sample;

// Samples that grow by `more` from the first to the last, with noise of up to `noise` in either direction.
std::vector<Sample> line(double more, double noise) {
  constexpr int kSamples = 31;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> off(-noise, noise);
  std::vector<Sample> samples;
  for (int i = 0; i < kSamples; ++i)
    samples.push_back({10.0 * i, 50'000 + more * i / (kSamples - 1) + (noise > 0 ? off(random) : 0)});
  return samples;
}

TEST(Trend, IsThatOfTheLine) {
  EXPECT_DOUBLE_EQ(0, growth(line(0, 0)));
  EXPECT_NEAR(3000, growth(line(3000, 0)), 1e-6);
  EXPECT_NEAR(-700, growth(line(-700, 0)), 1e-6);
}

TEST(Trend, IsSeenThroughNoise) {
  EXPECT_NEAR(0, growth(line(0, 1000)), 700);
  EXPECT_NEAR(5000, growth(line(5000, 1000)), 700);
}

TEST(Trend, IsNotThatOfFewSamples) {
  std::vector<Sample> samples = line(0, 0);
  samples.back().value += 100'000;
  samples[3].value -= 100'000;
  EXPECT_NEAR(0, growth(samples), 1);
}

TEST(Trend, IsNoneOfTooFew) {
  EXPECT_EQ(0, growth({}));
  EXPECT_EQ(0, growth({{1, 5}}));
  EXPECT_EQ(0, growth({{1, 5}, {1, 9}}));
}

}  // namespace
