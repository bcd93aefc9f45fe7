// SPDX-License-Identifier: Apache-2.0
#include "harness/cases.h"

namespace bench {
namespace {

// The initial values of sums of `n` products.
std::vector<float> first_sums(size_t count) { return random_values(count, 30); }

void product_in_memory(Bench& bench, Kernel& kernel) {
  const unsigned n = bench.size(2048, 128);
  const size_t count = size_t(n) * n;
  const std::vector<float> a = random_values(count, 31), b = random_values(count, 32),
                           sums = first_sums(count);
  const Memory device_a = bench.device().upload(a), device_b = bench.device().upload(b),
               device_c = bench.device().upload(sums);
  set_arguments(kernel, device_a, device_b, device_c, n);
  const auto check = [&] {
    const auto c = bench.device().download<float>(device_c);
    at_some_places(count, [&](size_t i) {
      double expected = sums[i];
      for (size_t k = 0; k < n; ++k) expected += double(a[i / n * n + k]) * b[k * n + i % n];
      expect_near(c[i], expected, 1e-4);
    });
  };
  bench.measure({n / 32, n / 8}, {32, 8}, check, 2e-9 * double(count) * n, "GFLOP/s");
}

void symmetric_product(Bench& bench, Kernel& kernel) {
  const unsigned n = bench.size(1024, 128);
  const size_t count = size_t(n) * n;
  const std::vector<float> a = random_values(count, 33), sums = first_sums(count);
  const Memory device_a = bench.device().upload(a), device_c = bench.device().upload(sums);
  set_arguments(kernel, device_a, device_c, n);
  const auto check = [&] {
    const auto c = bench.device().download<float>(device_c);
    at_some_places(count, [&](size_t i) {
      double expected = sums[i];
      for (size_t k = 0; k < n; ++k) expected += double(a[i / n * n + k]) * a[i % n * n + k];
      expect_near(c[i], expected, 1e-4);
    });
  };
  bench.measure({n / 32, n / 8}, {32, 8}, check, 2e-9 * double(count) * n, "GFLOP/s");
}

void row_sums(Bench& bench, Kernel& kernel) {
  const unsigned n = bench.size(8192, 1024);
  const size_t count = size_t(n) * n;
  const std::vector<float> a = random_values(count, 34), b = random_values(count, 35),
                           x = random_values(n, 36), sums = first_sums(n);
  const Memory device_a = bench.device().upload(a), device_b = bench.device().upload(b),
               device_x = bench.device().upload(x), device_y = bench.device().upload(sums),
               device_z = bench.device().upload(sums);
  set_arguments(kernel, device_a, device_b, device_x, device_y, device_z, n);
  const auto check = [&] {
    const auto y = bench.device().download<float>(device_y), z = bench.device().download<float>(device_z);
    at_some_places(n, [&](size_t i) {
      double in_y = sums[i], in_z = sums[i];
      for (size_t k = 0; k < n; ++k) {
        in_y += double(a[i * n + k]) * x[k];
        in_z += double(b[i * n + k]) * x[k];
      }
      expect_near(y[i], in_y, 1e-4);
      expect_near(z[i], in_z, 1e-4);
    });
  };
  bench.measure({n / 256}, {256}, check, 8e-9 * double(count), "GB/s");
}

void column_sums(Bench& bench, Kernel& kernel) {
  const unsigned n = bench.size(8192, 1024);
  const size_t count = size_t(n) * n;
  const std::vector<float> a = random_values(count, 37), x = random_values(n, 38), sums = first_sums(n);
  const Memory device_a = bench.device().upload(a), device_x = bench.device().upload(x),
               device_y = bench.device().upload(sums);
  set_arguments(kernel, device_a, device_x, device_y, n);
  const auto check = [&] {
    const auto y = bench.device().download<float>(device_y);
    at_some_places(n, [&](size_t i) {
      double expected = sums[i];
      for (size_t k = 0; k < n; ++k) expected += double(a[k * n + i]) * x[k];
      expect_near(y[i], expected, 1e-4);
    });
  };
  bench.measure({n / 256}, {256}, check, 4e-9 * double(count), "GB/s");
}

// Values with which the results stay near the initial ones, however often the kernel runs.
void sweep_down(Bench& bench, Kernel& kernel) {
  const unsigned n = bench.size(8192, 1024);
  const size_t count = size_t(n) * n;
  std::vector<float> x = random_values(count, 39), a = random_values(count, 40), b = random_values(count, 41);
  for (float& value : a) value *= 1e-4f;
  const Memory device_x = bench.device().upload(x), device_a = bench.device().upload(a),
               device_b = bench.device().upload(b);
  set_arguments(kernel, device_x, device_a, device_b, n);
  const auto check = [&] {
    const auto in_x = bench.device().download<float>(device_x),
               in_b = bench.device().download<float>(device_b);
    at_some_places(n, [&](size_t column) {
      double above = x[column], divisor = b[column];
      for (size_t i = 1; i < n; ++i) {
        const size_t at = i * n + column;
        above = x[at] - above * a[at] / divisor;
        divisor = b[at] - double(a[at]) * a[at] / divisor;
        expect_near(in_x[at], above, 1e-5);
        expect_near(in_b[at], divisor, 1e-5);
      }
    });
  };
  bench.measure({n / 256}, {256}, check, 20e-9 * double(count), "GB/s");
}

void deviations(Bench& bench, Kernel& kernel) {
  const unsigned n = bench.size(8192, 1024);
  const size_t count = size_t(n) * n;
  const std::vector<float> data = random_values(count, 42);
  const Memory device_data = bench.device().upload(data),
               device_mean = bench.device().allocate(n * sizeof(float)),
               device_deviation = bench.device().allocate(n * sizeof(float));
  set_arguments(kernel, device_data, device_mean, device_deviation, n);
  const auto check = [&] {
    const auto mean = bench.device().download<float>(device_mean),
               deviation = bench.device().download<float>(device_deviation);
    at_some_places(n, [&](size_t column) {
      double sum = 0, squares = 0;
      for (size_t i = 0; i < n; ++i) sum += data[i * n + column];
      for (size_t i = 0; i < n; ++i)
        squares += (data[i * n + column] - sum / n) * (data[i * n + column] - sum / n);
      expect_near(mean[column], sum / n, 1e-4);
      expect_near(deviation[column], squares, 1e-3);
    });
  };
  bench.measure({n / 256}, {256}, check, 8e-9 * double(count), "GB/s");
}

}  // namespace

const std::vector<Case> kAccumulatorCases = {{"product_in_memory", "accumulators", product_in_memory},
                                             {"symmetric_product", "accumulators", symmetric_product},
                                             {"row_sums", "accumulators", row_sums},
                                             {"column_sums", "accumulators", column_sums},
                                             {"sweep_down", "accumulators", sweep_down},
                                             {"deviations", "accumulators", deviations}};

}  // namespace bench
