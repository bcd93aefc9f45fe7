// SPDX-License-Identifier: Apache-2.0
#include "harness/cases.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace bench {

void Bench::measure(const std::string& name, Kernel& kernel, Extent groups, Extent group,
                    const std::function<void()>& check, double work, const char* unit) {
  kernel.launch(groups, group);
  device_.finish();
  check();
  const auto batch = [&](size_t launches) {
    while (launches--) kernel.launch(groups, group);
    device_.finish();
  };
  report_.run(name, batch, work, unit);
}

bool run_cases(const char* program, std::span<const Case> cases, Device& device, const Options& options) {
  Report report(program, options, device.platform(), device.name());
  Bench bench(device, report);
  bool good = true;
  for (const Case& each : cases) {
    if (std::string(each.name).find(options.only) == std::string::npos) continue;
    try {
      each.run(bench, *device.kernel(each.family, each.name));
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s: %s\n", each.name, error.what());
      good = false;
    }
  }
  return good;
}

std::vector<float> random_values(size_t count, unsigned seed) {
  std::minstd_rand random(seed);
  std::vector<float> values(count);
  for (float& value : values) value = 0.5f + float(random() & 0xffff) / 65536.0f;
  return values;
}

std::vector<unsigned> random_words(size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<unsigned> words(count);
  for (unsigned& word : words) word = unsigned(random());
  return words;
}

void expect_near(double actual, double expected, double tolerance) {
  if (std::abs(actual - expected) <= tolerance * std::max(std::abs(expected), 1.0)) return;
  throw std::runtime_error(std::to_string(actual) + " instead of " + std::to_string(expected));
}

void expect_equal(size_t actual, size_t expected) {
  if (actual != expected)
    throw std::runtime_error(std::to_string(actual) + " instead of " + std::to_string(expected));
}

}  // namespace bench
