// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "harness/cases.h"

namespace bench {
namespace {

struct Half {
  uint16_t bits;
};

template <typename T>
T number(double value) {
  if constexpr (!std::is_same_v<T, Half>) {
    return T(value);
  } else {  // of a value in half's normal range
    const float single = float(value);
    uint32_t bits = 0;
    std::memcpy(&bits, &single, sizeof bits);
    if (!(bits & 0x7fffffff)) return {};
    return {uint16_t((bits >> 16 & 0x8000) | ((bits >> 13 & 0x3ffff) - (112 << 10)))};
  }
}
bool is_number(Half value) { return (value.bits & 0x7c00) != 0x7c00; }
template <typename T>
bool is_number(T value) {
  return std::isfinite(value);
}

// The lower half of the arguments, with which the kernel's loop starts; it proceeds to the upper half.
template <typename T>
void run(Bench& bench, Kernel& kernel, double low, double high) {
  constexpr unsigned kGroup = 256, kCalls = 64;
  const unsigned n = bench.size(1 << 20, 4 << 10);
  std::vector<T> values;
  for (const float value : random_values(n, 30))
    values.push_back(number<T>(low + (value - 0.5) * (high - low) / 2));
  const Memory in = bench.device().upload(values), out = bench.device().allocate(in.bytes);
  set_arguments(kernel, in, out);
  const auto check = [&] {
    const auto results = bench.device().download<T>(out);
    at_some_places(n, [&](size_t i) { expect_equal(is_number(results[i]), true); });
  };
  bench.measure({n / kGroup}, {kGroup}, check, 1e-9 * kCalls * n, "Gcalls/s");
}

}  // namespace

using half = Half;
const std::vector<Case> kFunctionCases = {
#define FUNCTION(name, T, low, high, opencl, cuda) \
  {#name, "functions", [](Bench& bench, Kernel& kernel) { run<T>(bench, kernel, low, high); }},
#include "kernels/functions.cl"
};

}  // namespace bench
