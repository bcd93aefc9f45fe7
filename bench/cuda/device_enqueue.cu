// SPDX-License-Identifier: Apache-2.0
// ../device_enqueue.cpp for CUDA dynamic parallelism.
#include <string>

#include "check.h"
#include "harness/benchmark.h"

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

class DeviceEnqueue {
 public:
  DeviceEnqueue() : out_(cuda_bench::allocate<int>(1024)) {
    check(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 16384));
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  }
  ~DeviceEnqueue() { cudaStreamDestroy(stream_); }
  DeviceEnqueue(const DeviceEnqueue&) = delete;
  DeviceEnqueue& operator=(const DeviceEnqueue&) = delete;

  void add() {
    bench::add_batch("host_10000", [this](size_t n) {
      for (size_t i = 0; i < n * wide_count; ++i) small<<<1, 32, 0, stream_>>>(out_.get());
      check(cudaStreamSynchronize(stream_));
    });
    add_device<false>();
    add_device<true>();
  }

 private:
  template <bool tail>
  void add_device() {
    const std::string name = tail ? "_wait_kernel" : "_no_wait";
    bench::add_batch("wide_10000" + name, [this](size_t n) {
      while (n--) wide<tail><<<(wide_count + 255) / 256, 256, 0, stream_>>>(out_.get(), wide_count);
      check(cudaStreamSynchronize(stream_));
    });
    bench::add_batch("chain_1000" + name, [this](size_t n) {
      while (n--) chain<tail><<<1, 1, 0, stream_>>>(out_.get(), 1000);
      check(cudaStreamSynchronize(stream_));
    });
  }

  cuda_bench::DeviceMemory<int> out_;
  cudaStream_t stream_ = nullptr;
};

}  // namespace

int main(int count, char** words) { return cuda_bench::run_main<DeviceEnqueue>(count, words); }
