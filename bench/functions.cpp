// SPDX-License-Identifier: Apache-2.0
// Throughput of the mathematical functions.

#include "harness/cases.h"
#include "harness/opencl_device.h"

int main(int count, char** words) {
  return bench::run_main("functions", count, words, [](const bench::Options& options) {
    bench::OpenClDevice device(options.device);
    return bench::run_cases("functions", bench::function_cases, device, options);
  });
}
