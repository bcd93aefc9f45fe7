// SPDX-License-Identifier: Apache-2.0
// The functions of ../kernels/functions.cl, compiled by nvcc.

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
  return bench::run_main(count, words, [](const bench::Options&) {
    cuda_bench::CudaDevice device(kernels);
    bench::run_cases(device);
  });
}
