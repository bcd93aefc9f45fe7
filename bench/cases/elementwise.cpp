// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "harness/cases.h"

namespace bench {
namespace {

constexpr unsigned kGroup = 256;

void triad(Bench& bench, Kernel& kernel) {
  const unsigned n = bench.size(64 << 20, 4 << 20);
  const std::vector<float> b = random_values(n, 1), c = random_values(n, 2);
  const Memory device_a = bench.device().allocate(n * sizeof(float)), device_b = bench.device().upload(b),
               device_c = bench.device().upload(c);
  set_arguments(kernel, device_a, device_b, device_c, 3.0f);
  const auto check = [&] {
    const auto a = bench.device().download<float>(device_a);
    at_some_places(n, [&](size_t i) { expect_near(a[i], double(b[i]) + 3.0 * c[i], 1e-6); });
  };
  bench.measure({n / kGroup}, {kGroup}, check, double(n) * 3 * sizeof(float) * 1e-9, "GB/s");
}

void transcendental(Bench& bench, Kernel& kernel) {
  const unsigned n = bench.size(16 << 20, 256 << 10);
  const std::vector<float> values = random_values(n, 3);
  const Memory from = bench.device().upload(values), to = bench.device().allocate(n * sizeof(float));
  set_arguments(kernel, from, to);
  const auto check = [&] {
    const auto results = bench.device().download<float>(to);
    at_some_places(n, [&](size_t i) {
      const double x = values[i];
      expect_near(results[i], std::sin(x) + std::exp(x) + std::pow(x, double(1.7f)) + std::log(x), 1e-5);
    });
  };
  bench.measure({n / kGroup}, {kGroup}, check, 4.0 * n * 1e-9, "Gcalls/s");
}

double normal_distribution(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

void black_scholes(Bench& bench, Kernel& kernel) {
  constexpr float kRate = 0.03f, kVolatility = 0.3f;
  const unsigned n = bench.size(16 << 20, 256 << 10);
  const std::vector<float> prices = random_values(n, 4), strikes = random_values(n, 5),
                           years = random_values(n, 6);
  Device& device = bench.device();
  const Memory device_prices = device.upload(prices), device_strikes = device.upload(strikes),
               device_years = device.upload(years), calls = device.allocate(n * sizeof(float)),
               puts = device.allocate(n * sizeof(float));
  set_arguments(kernel, device_prices, device_strikes, device_years, calls, puts, kRate, kVolatility);
  const auto check = [&] {
    const auto call = device.download<float>(calls), put = device.download<float>(puts);
    at_some_places(n, [&](size_t i) {
      const double price = prices[i], strike = strikes[i], time = years[i],
                   deviation = double(kVolatility) * std::sqrt(time);
      const double d1 =
          (std::log(price / strike) + (kRate + 0.5 * kVolatility * kVolatility) * time) / deviation;
      const double discounted = strike * std::exp(-kRate * time);
      const double expected =
          price * normal_distribution(d1) - discounted * normal_distribution(d1 - deviation);
      expect_near(call[i], expected, 2e-6);
      expect_near(put[i], expected + discounted - price, 2e-6);
    });
  };
  bench.measure({n / kGroup}, {kGroup}, check, n * 1e-9, "Goptions/s");
}

unsigned mandelbrot_steps(float x0, float y0, unsigned most) {
  double x = 0, y = 0;
  unsigned step = 0;
  for (; step < most && x * x + y * y <= 4; ++step) {
    const double next = x * x - y * y + x0;
    y = 2 * x * y + y0;
    x = next;
  }
  return step;
}

void mandelbrot(Bench& bench, Kernel& kernel) {
  const unsigned width = bench.size(8192, 256), most = bench.size(1024, 128);
  const float left = -2.0f, top = -1.5f, distance = 3.0f / float(width);
  const Memory steps = bench.device().allocate(size_t(width) * width * sizeof(unsigned));
  set_arguments(kernel, steps, width, left, top, distance, most);
  const auto check = [&] {
    // At the border of the set, results depend on rounding, so some may differ.
    const auto results = bench.device().download<unsigned>(steps);
    unsigned different = 0;
    at_some_places(results.size(), [&](size_t i) {
      const float x = left + float(i % width) * distance, y = top + float(i / width) * distance;
      different += results[i] != mandelbrot_steps(x, y, most);
    });
    if (different > 5) throw std::runtime_error(std::to_string(different) + " of 52 points are wrong");
  };
  bench.measure({width / 32, width / 8}, {32, 8}, check, double(width) * width * 1e-6, "Mpixel/s");
}

struct Philox {
  uint32_t counter[4];
  uint32_t key[2];
};

void run_rounds(Philox& state) {
  for (int i = 0; i < 10; ++i) {
    const uint64_t first = uint64_t(0xD2511F53) * state.counter[0],
                   second = uint64_t(0xCD9E8D57) * state.counter[2];
    const uint32_t next[4] = {uint32_t(second >> 32) ^ state.counter[1] ^ state.key[0], uint32_t(second),
                              uint32_t(first >> 32) ^ state.counter[3] ^ state.key[1], uint32_t(first)};
    std::copy(next, next + 4, state.counter);
    state.key[0] += 0x9E3779B9;
    state.key[1] += 0xBB67AE85;
  }
}

unsigned points_inside(unsigned item, unsigned seed, unsigned rounds) {
  unsigned inside = 0;
  for (unsigned round = 0; round < rounds; ++round) {
    Philox state{{item, round, 0, 0}, {seed, 0}};
    run_rounds(state);
    for (int pair = 0; pair < 4; pair += 2) {
      const float x = float(state.counter[pair]) * 2.3283064e-10f,
                  y = float(state.counter[pair + 1]) * 2.3283064e-10f;
      inside += double(x) * x + double(y) * y <= 1.0;
    }
  }
  return inside;
}

void monte_carlo(Bench& bench, Kernel& kernel) {
  const unsigned n = bench.size(1 << 20, 16 << 10), rounds = 64, seed = 20;
  const Memory hits = bench.device().allocate(n * sizeof(unsigned));
  set_arguments(kernel, hits, seed, rounds);
  const auto check = [&] {
    const auto results = bench.device().download<unsigned>(hits);
    at_some_places(
        n, [&](size_t i) { expect_near(results[i], points_inside(unsigned(i), seed, rounds), 0.01); });
  };
  bench.measure({n / kGroup}, {kGroup}, check, 4e-9 * n * rounds, "Gnumbers/s");
}

}  // namespace

const std::vector<Case> kElementwiseCases = {{"triad", "elementwise", triad},
                                             {"transcendental", "elementwise", transcendental},
                                             {"black_scholes", "elementwise", black_scholes},
                                             {"mandelbrot", "elementwise", mandelbrot},
                                             {"monte_carlo", "elementwise", monte_carlo}};

}  // namespace bench
