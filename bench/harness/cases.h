// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/benchmark.h"
#include "harness/device.h"

namespace bench {

// The environment of a case.
class Bench {
 public:
  Bench(Device& device, std::shared_ptr<Kernel> kernel) : device_(device), kernel_(std::move(kernel)) {}

  Device& device() { return device_; }
  // A size that fills a large GPU, or takes a CPU about 20 ms.
  unsigned size(unsigned on_gpu, unsigned on_cpu) const { return device_.is_gpu() ? on_gpu : on_cpu; }

  // Launches once, checks the result, and registers the launch for measurement. `work` is that of one launch, in units whose rate is
  // `unit`.
  void measure(Extent groups, Extent group, const std::function<void()>& check, double work,
               const char* unit);
  const Operation& measured() const { return measured_; }

 private:
  Device& device_;
  std::shared_ptr<Kernel> kernel_;
  Operation measured_;
};

struct Case {
  const char* name;  // that of the kernel as well
  const char* family;
  void (*run)(Bench&, Kernel&);
};

// The cases for each file of kernels, cases/FAMILY.cpp.
extern const std::vector<Case> kElementwiseCases, kMatrixCases, kHalfCases, kParticleCases, kCollectiveCases,
    kGridCases, kFourierCases, kByteCases, kImageCases, kGroupCases, kFunctionCases, kSequenceCases,
    kFieldCases, kPointCases, kGraphCases, kAccumulatorCases;
// The cases of the program: ../kernels.cpp, ../workloads.cpp or ../functions.cpp.
std::vector<Case> all_cases();

// Runs them on the device. Each keeps its memory for its repetitions: 8 GiB if all run on a GPU.
void run_cases(Device& device);

// `count` values between 0.5 and 1.5, or words; the same each time.
std::vector<float> random_values(size_t count, unsigned seed);
std::vector<unsigned> random_words(size_t count, unsigned seed);

// Throws unless the two are equal but for `tolerance`, relative to the larger of |expected| and 1.
void expect_near(double actual, double expected, double tolerance);
void expect_equal(size_t actual, size_t expected);

// Calls check(i) for some indices 0 ≤ i < count, spread evenly.
template <typename Check>
void at_some_places(size_t count, const Check& check) {
  std::minstd_rand random(unsigned(count) | 1);
  for (int i = 0; i < 50; ++i) check(size_t(random()) * size_t(random()) % count);
  check(0);
  check(count - 1);
}

}  // namespace bench
