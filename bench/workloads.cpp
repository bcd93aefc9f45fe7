// SPDX-License-Identifier: Apache-2.0
// Throughput of kernels as other suites have them, each checked before it is timed.
#include <cstdio>
#include <exception>

#include "harness/cases.h"
#include "harness/opencl_device.h"

int main(int count, char** words) {
  try {
    const bench::Options options = bench::parse_options(count, words);
    bench::OpenClDevice device(options.device);
    return bench::run_cases("workloads", bench::workload_cases(), device, options) ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "workloads: %s\n", error.what());
    return 1;
  }
}
