// SPDX-License-Identifier: Apache-2.0
// ../device_enqueue.cpp for CUDA dynamic parallelism.
#include <string>

#include "check.h"
#include "harness/measure.h"

namespace {

using cuda_bench::check;

constexpr size_t wide_count = 10000;

__global__ void small(int* out) { out[blockIdx.x * blockDim.x + threadIdx.x] += 1; }

template <bool tail>
__global__ void wide(int* out, unsigned count) {
  if (blockIdx.x * blockDim.x + threadIdx.x < count)
    small<<<1, 32, 0, tail ? cudaStreamTailLaunch : cudaStreamFireAndForget>>>(out);
}

template <bool tail>
__global__ void chain(int* out, int left) {
  out[0] += 1;
  if (left > 1)
    chain<tail><<<1, 1, 0, tail ? cudaStreamTailLaunch : cudaStreamFireAndForget>>>(out, left - 1);
}

template <bool tail>
void run_device(bench::Report& report, int* out, cudaStream_t stream) {
  const std::string name = tail ? "_wait_kernel" : "_no_wait";
  report.run("wide_10000" + name, [&](size_t n) {
    while (n--) wide<tail><<<(wide_count + 255) / 256, 256, 0, stream>>>(out, wide_count);
    check(cudaStreamSynchronize(stream));
  });
  report.run("chain_1000" + name, [&](size_t n) {
    while (n--) chain<tail><<<1, 1, 0, stream>>>(out, 1000);
    check(cudaStreamSynchronize(stream));
  });
}

void run(const bench::Options& options) {
  check(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 16384));
  bench::Report report("device_enqueue", options, "CUDA", cuda_bench::device_name());
  const auto out = cuda_bench::allocate<int>(1024);
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  report.run("host_10000", [&](size_t n) {
    for (size_t i = 0; i < n * wide_count; ++i) small<<<1, 32, 0, stream>>>(out.get());
    check(cudaStreamSynchronize(stream));
  });
  run_device<false>(report, out.get(), stream);
  run_device<true>(report, out.get(), stream);
  check(cudaStreamDestroy(stream));
}

}  // namespace

int main(int count, char** words) {
  return bench::run_main("cuda device_enqueue", count, words, [](const bench::Options& options) {
    check(cudaSetDevice(0));
    run(options);
    return true;
  });
}
