// SPDX-License-Identifier: Apache-2.0
// Runs the cases of a program with an OpenCL device.
#include "harness/cases.h"
#include "harness/opencl_device.h"

int main(int count, char** words) {
  return bench::run_main(count, words, [](const bench::Options& options) {
    bench::OpenClDevice device(options);
    bench::run_cases(device);
  });
}
