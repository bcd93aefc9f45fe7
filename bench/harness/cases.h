// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/device.h"
#include "harness/measure.h"

namespace bench {

// What a case works with.
class Bench {
 public:
  Bench(Device& device, Report& report) : device_(device), report_(report) {}

  Device& device() { return device_; }
  // Enough to fill a large GPU, or what a CPU does in about 20 ms.
  unsigned size(unsigned on_gpu, unsigned on_cpu) const { return device_.is_gpu() ? on_gpu : on_cpu; }

  // Launches once, checks the result, then measures. `work` is what one launch does, in units of which `unit` is the rate.
  void measure(const std::string& name, Kernel& kernel, Extent groups, Extent group,
               const std::function<void()>& check, double work, const char* unit);

 private:
  Device& device_;
  Report& report_;
};

struct Case {
  const char* name;  // that of the kernel as well
  const char* family;
  void (*run)(Bench&, Kernel&);
};

// The cases of one file of kernels, cases/FAMILY.cpp.
extern const std::vector<Case> elementwise_cases, matrix_cases, half_cases, particle_cases, collective_cases,
    grid_cases, fourier_cases, byte_cases, image_cases, group_cases, function_cases, sequence_cases,
    field_cases, point_cases, graph_cases;
// The kernels by which the compiler's passes were chosen, and others, which show whether that was a good choice for programs at large.
std::span<const Case> kernel_cases();
std::span<const Case> workload_cases();

// Runs those that the options ask for. One that does not build or gives wrong results is told to standard error; false then.
bool run_cases(const char* program, std::span<const Case> cases, Device& device, const Options& options);

// `count` values between 0.5 and 1.5, or words; the same each time.
std::vector<float> random_values(size_t count, unsigned seed);
std::vector<unsigned> random_words(size_t count, unsigned seed);

// Throws unless the two are equal but for `tolerance`, relative to the larger of |expected| and 1.
void expect_near(double actual, double expected, double tolerance);
void expect_equal(size_t actual, size_t expected);

// Calls check(i) for places 0 ≤ i < count spread over all.
template <typename Check>
void at_some_places(size_t count, const Check& check) {
  std::minstd_rand random(unsigned(count) | 1);
  for (int i = 0; i < 50; ++i) check(size_t(random()) * size_t(random()) % count);
  check(0);
  check(count - 1);
}

}  // namespace bench
