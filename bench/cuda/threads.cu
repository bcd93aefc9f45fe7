// SPDX-License-Identifier: Apache-2.0
// ../threads.cpp for the CUDA driver API: each thread launches into a stream of its own.
#include <string>
#include <thread>
#include <vector>

#include "check.h"
#include "harness/benchmark.h"

namespace {

using cuda_bench::check;

__global__ void empty() {}

class Streams {
 public:
  explicit Streams(size_t count) : streams_(count) {
    for (CUstream& stream : streams_) check(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  }
  ~Streams() {
    for (CUstream stream : streams_) cuStreamDestroy(stream);
  }
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;
  CUstream operator[](size_t index) const { return streams_[index]; }

 private:
  std::vector<CUstream> streams_;
};

// The time of one launch of a thread; all together make count times as many.
void launch_from(benchmark::State& state, size_t count, CUfunction function) {
  const Streams streams(count);
  bench::time_batch(state, [&](size_t n) {
    std::vector<std::jthread> threads;
    for (size_t i = 0; i < count; ++i)
      threads.emplace_back([&, i] {
        cudaSetDevice(0);
        for (size_t k = 0; k < n; ++k)
          cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, streams[i], nullptr, nullptr);
        cuStreamSynchronize(streams[i]);
      });
  });
}

struct Threads {
  void add() {
    cudaFunction_t function = nullptr;
    check(cudaGetFuncBySymbol(&function, reinterpret_cast<const void*>(empty)));
    for (const size_t threads : {1, 2, 4, 8, 16, 32})
      bench::add("launch_from_" + std::to_string(threads) + "_threads",
                 [=](benchmark::State& state) { launch_from(state, threads, function); });
  }
};

}  // namespace

int main(int count, char** words) { return cuda_bench::run_main<Threads>(count, words); }
