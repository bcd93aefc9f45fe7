// SPDX-License-Identifier: Apache-2.0
// The functions of ../kernels/functions.cl, compiled by nvcc.
#include <cstdio>
#include <exception>

#include "cuda_device.h"
#include "harness/cases.h"
#include "kernels/language.h"
//
#include "kernels/functions.cl"

namespace {

const std::pair<const char*, const void*> kernels[] = {
#define FUNCTION(name, ...) {#name, reinterpret_cast<const void*>(name)},
#include "kernels/functions.cl"
};

}  // namespace

int main(int count, char** words) {
  try {
    cuda_bench::CudaDevice device(kernels);
    return bench::run_cases("functions", bench::function_cases, device, bench::parse_options(count, words))
               ? 0
               : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "cuda functions: %s\n", error.what());
    return 1;
  }
}
