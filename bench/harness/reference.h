// SPDX-License-Identifier: Apache-2.0
// Inputs and expected results of the kernel benchmarks, for OpenCL and CUDA alike.
#pragma once

#include <cstddef>
#include <vector>

namespace bench {

// `count` values between 0.5 and 1.5, the same each time.
std::vector<float> random_values(size_t count, unsigned seed);

// Throws unless the two are equal but for `tolerance`, relative to the larger of |expected| and 1.
void expect_near(const char* what, double actual, double expected, double tolerance);

// One element of each kernel's result, computed in double precision.
double sgemm_element(const std::vector<float>& a, const std::vector<float>& b, size_t n, size_t row,
                     size_t column);
double nbody_force_x(const std::vector<float>& bodies, size_t body);
double sum(const std::vector<float>& values);
double transcendental(double x);

}  // namespace bench
