// SPDX-License-Identifier: Apache-2.0
// Throughput of kernels as other suites have them, each checked before it is timed.

#include "harness/cases.h"
#include "harness/opencl_device.h"

int main(int count, char** words) {
  return bench::run_main("workloads", count, words, [](const bench::Options& options) {
    bench::OpenClDevice device(options.device);
    return bench::run_cases("workloads", bench::workload_cases(), device, options);
  });
}
