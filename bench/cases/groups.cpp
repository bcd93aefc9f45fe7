// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include "harness/cases.h"

namespace bench {
namespace {

constexpr unsigned kGroup = 256, kWarp = 32;

// One launch processes `count` values `rounds` times.
struct Size {
  explicit Size(const Bench& bench) : count(bench.size(1 << 20, 4 << 10)), rounds(bench.size(256, 4)) {}
  unsigned count, rounds;
  double work() const { return 1e-9 * count * rounds; }
};

float next(float value) { return value * 0.5f + 0.25f; }
unsigned next(unsigned value) { return value * 5 + 1; }

// The sum for item `at` of a group over all rounds; combine(items of the group, item) is its result in a round.
template <typename Value, typename Sum, typename Combine>
Sum summed(const std::vector<Value>& values, size_t first, unsigned size, unsigned at, unsigned rounds,
           Sum sum, const Combine& combine) {
  std::vector<Value> items(values.begin() + first, values.begin() + first + size);
  for (unsigned i = 0; i < rounds; ++i) {
    sum += combine(items, at);
    for (Value& item : items) item = next(item);
  }
  return sum;
}

double sum_of_all(const std::vector<float>& items, unsigned) {
  double sum = 0;
  for (float item : items) sum += item;
  return sum;
}

void sums_of_groups(Bench& bench, Kernel& kernel, unsigned size) {
  const Size n(bench);
  const std::vector<float> values = random_values(n.count, 31);
  const Memory from = bench.device().upload(values),
               sums = bench.device().allocate(n.count / size * sizeof(float));
  set_arguments(kernel, from, sums, n.rounds);
  const auto check = [&] {
    const auto results = bench.device().download<float>(sums);
    at_some_places(results.size(), [&](size_t i) {
      expect_near(results[i], summed(values, i * size, size, 0, n.rounds, 0.0, sum_of_all), 1e-5);
    });
  };
  bench.measure({n.count / kGroup}, {kGroup}, check, n.work(), "Gvalues/s");
}

void sub_group_sum(Bench& bench, Kernel& kernel) { sums_of_groups(bench, kernel, kWarp); }
void work_group_sum(Bench& bench, Kernel& kernel) { sums_of_groups(bench, kernel, kGroup); }

void sub_group_minimum(Bench& bench, Kernel& kernel) {
  const Size n(bench);
  const std::vector<unsigned> values = random_words(n.count, 32);
  const Memory from = bench.device().upload(values),
               sums = bench.device().allocate(n.count / kWarp * sizeof(unsigned));
  set_arguments(kernel, from, sums, n.rounds);
  const auto least = [](const std::vector<unsigned>& items, unsigned) {
    return *std::min_element(items.begin(), items.end());
  };
  const auto check = [&] {
    const auto results = bench.device().download<unsigned>(sums);
    at_some_places(results.size(), [&](size_t i) {
      expect_equal(results[i], summed(values, i * kWarp, kWarp, 0, n.rounds, 0u, least));
    });
  };
  bench.measure({n.count / kGroup}, {kGroup}, check, n.work(), "Gvalues/s");
}

void sub_group_scan(Bench& bench, Kernel& kernel) {
  const Size n(bench);
  const std::vector<float> values = random_values(n.count, 33);
  const Memory from = bench.device().upload(values), sums = bench.device().allocate(from.bytes);
  set_arguments(kernel, from, sums, n.rounds);
  const auto up_to = [](const std::vector<float>& items, unsigned at) {
    double sum = 0;
    for (unsigned i = 0; i <= at; ++i) sum += items[i];
    return sum;
  };
  const auto check = [&] {
    const auto results = bench.device().download<float>(sums);
    at_some_places(results.size(), [&](size_t i) {
      expect_near(results[i],
                  summed(values, i / kWarp * kWarp, kWarp, unsigned(i % kWarp), n.rounds, 0.0, up_to), 1e-5);
    });
  };
  bench.measure({n.count / kGroup}, {kGroup}, check, n.work(), "Gvalues/s");
}

void work_group_scan(Bench& bench, Kernel& kernel) {
  const Size n(bench);
  const std::vector<unsigned> values = random_words(n.count, 34);
  const Memory from = bench.device().upload(values), sums = bench.device().allocate(from.bytes);
  set_arguments(kernel, from, sums, n.rounds);
  const auto below = [](const std::vector<unsigned>& items, unsigned at) {
    unsigned sum = 0;
    for (unsigned i = 0; i < at; ++i) sum += items[i];
    return sum;
  };
  const auto check = [&] {
    const auto results = bench.device().download<unsigned>(sums);
    at_some_places(results.size(), [&](size_t i) {
      expect_equal(results[i],
                   summed(values, i / kGroup * kGroup, kGroup, unsigned(i % kGroup), n.rounds, 0u, below));
    });
  };
  bench.measure({n.count / kGroup}, {kGroup}, check, n.work(), "Gvalues/s");
}

}  // namespace

const std::vector<Case> kGroupCases = {{"sub_group_sum", "groups", sub_group_sum},
                                       {"sub_group_minimum", "groups", sub_group_minimum},
                                       {"sub_group_scan", "groups", sub_group_scan},
                                       {"work_group_sum", "groups", work_group_sum},
                                       {"work_group_scan", "groups", work_group_scan}};

}  // namespace bench
