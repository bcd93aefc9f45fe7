// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <numeric>

#include "harness/cases.h"

namespace bench {
namespace {

constexpr unsigned kGroup = 256, kGroups = 1024;

void reduction(Bench& bench, Kernel& kernel) {
  const unsigned n = bench.size(64 << 20, 4 << 20);
  const std::vector<float> values = random_values(n, 13);
  const Memory from = bench.device().upload(values), sums = bench.device().allocate(kGroups * sizeof(float));
  set_arguments(kernel, from, sums, n);
  const auto check = [&] {
    const auto partial = bench.device().download<float>(sums);
    expect_near(std::accumulate(partial.begin(), partial.end(), 0.0),
                std::accumulate(values.begin(), values.end(), 0.0), 1e-5);
  };
  bench.measure({kGroups}, {kGroup}, check, double(from.bytes) * 1e-9, "GB/s");
}

void scan(Bench& bench, Kernel& kernel) {
  const unsigned n = bench.size(64 << 20, 1 << 20), tile = 4 * kGroup;
  const std::vector<unsigned> words = random_words(n, 14);
  const Memory from = bench.device().upload(words), sums = bench.device().allocate(from.bytes),
               totals = bench.device().allocate(n / tile * sizeof(unsigned));
  set_arguments(kernel, from, sums, totals);
  const auto check = [&] {
    const auto results = bench.device().download<unsigned>(sums),
               all = bench.device().download<unsigned>(totals);
    at_some_places(n / tile, [&](size_t i) {
      std::vector<unsigned> expected(tile);
      std::partial_sum(words.begin() + i * tile, words.begin() + (i + 1) * tile, expected.begin());
      if (!std::equal(expected.begin(), expected.end(), results.begin() + i * tile))
        throw std::runtime_error("wrong sums");
      expect_equal(all[i], expected.back());
    });
  };
  bench.measure({n / tile}, {kGroup}, check, 2e-9 * double(from.bytes), "GB/s");
}

void histogram(Bench& bench, Kernel& kernel) {
  const unsigned n = bench.size(32 << 20, 256 << 10);
  const std::vector<unsigned> words = random_words(n, 15);
  const Memory from = bench.device().upload(words),
               counts = bench.device().allocate(kGroups * 256 * sizeof(unsigned));
  set_arguments(kernel, from, counts, n);
  const auto check = [&] {
    const auto partial = bench.device().download<unsigned>(counts);
    std::vector<size_t> expected(256), actual(256);
    for (unsigned word : words) {
      for (int shift = 0; shift < 32; shift += 8) ++expected[word >> shift & 255];
    }
    for (size_t i = 0; i < partial.size(); ++i) actual[i % 256] += partial[i];
    if (actual != expected) throw std::runtime_error("wrong counts");
  };
  bench.measure({kGroups}, {kGroup}, check, double(from.bytes) * 1e-9, "GB/s");
}

void radix_pass(Bench& bench, Kernel& kernel) {
  const unsigned n = bench.size(16 << 20, 128 << 10), shift = 8;
  const std::vector<unsigned> keys = random_words(n, 16);
  const Memory from = bench.device().upload(keys), to = bench.device().allocate(from.bytes);
  set_arguments(kernel, from, to, shift);
  const auto check = [&] {
    const auto sorted = bench.device().download<unsigned>(to);
    at_some_places(n / kGroup, [&](size_t i) {
      std::vector<unsigned> expected;
      for (unsigned digit = 0; digit < 16; ++digit) {
        std::copy_if(keys.begin() + i * kGroup, keys.begin() + (i + 1) * kGroup, std::back_inserter(expected),
                     [&](unsigned key) { return (key >> shift & 15) == digit; });
      }
      if (!std::equal(expected.begin(), expected.end(), sorted.begin() + i * kGroup))
        throw std::runtime_error("wrong order");
    });
  };
  bench.measure({n / kGroup}, {kGroup}, check, n * 1e-9, "Gkeys/s");
}

}  // namespace

const std::vector<Case> kCollectiveCases = {{"reduction", "collective", reduction},
                                            {"scan", "collective", scan},
                                            {"histogram", "collective", histogram},
                                            {"radix_pass", "collective", radix_pass}};

}  // namespace bench
