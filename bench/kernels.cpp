// SPDX-License-Identifier: Apache-2.0
// Throughput of five typical kernels. Each is checked once before it is timed.
#include <cstdio>
#include <exception>

#include "harness/measure.h"
#include "kernel_cases.h"

int main(int count, char** words) {
  try {
    bench::KernelCases(bench::parse_options(count, words)).run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "kernels: %s\n", error.what());
    return 1;
  }
}
