// SPDX-License-Identifier: Apache-2.0
#include "harness/cases.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

namespace bench {

void Bench::measure(Extent groups, Extent group, const std::function<void()>& check, double work,
                    const char* unit) {
  const auto batch = [&device = device_, kernel = kernel_, groups, group](size_t launches) {
    while (launches--) kernel->launch(groups, group);
    device.finish();
  };
  batch(1);
  check();
  measured_ = {batch, work, unit};
}

void run_cases(Device& device) {
  benchmark::AddCustomContext("device", device.name());
  for (const Case& each : all_cases())
    add_prepared(each.name, [&device, each] {
      const std::shared_ptr<Kernel> kernel = device.kernel(each.family, each.name);
      Bench bench(device, kernel);
      each.run(bench, *kernel);
      return bench.measured();
    });
  run_added();
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
