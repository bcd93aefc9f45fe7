// SPDX-License-Identifier: Apache-2.0
// ../shared_memory.cpp for CUDA: managed memory, with prefetches where OpenCL maps and unmaps.
#include <string>

#include "check.h"
#include "harness/benchmark.h"
#include "harness/shared_list.h"

namespace {

using cuda_bench::check;

__global__ void increment(std::uint32_t* p) { p[blockIdx.x * blockDim.x + threadIdx.x] += 1; }

__global__ void follow(const bench::Node* n, std::uint32_t* sum) {
  std::uint32_t s = 0;
  for (; n; n = n->next) s += n->value;
  *sum = s;
}

template <typename Value>
cuda_bench::DeviceMemory<Value> managed(size_t count) {
  void* memory = nullptr;
  check(cudaMallocManaged(&memory, count * sizeof(Value)));
  return cuda_bench::DeviceMemory<Value>(static_cast<Value*>(memory));
}

void prefetch(const void* memory, size_t bytes, bool to_host) {
  cudaMemLocation location{};
  location.type = to_host ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  check(cudaMemPrefetchAsync(memory, bytes, location, 0, 0));
}

class SharedMemory {
 public:
  void add() {
    for (const bool prefetches : {true, false})
      for (const size_t mebibytes : {1, 64})
        bench::add(
            std::string(prefetches ? "coarse" : "fine") + "_turns_" + std::to_string(mebibytes) + "_MiB",
            [=](benchmark::State& state) { turns(state, prefetches, mebibytes); });
    bench::add("word_turns", word_turns);
    bench::add("follow_list", follow_list);
  }

 private:
  static void turns(benchmark::State& state, bool prefetches, size_t mebibytes) {
    const size_t bytes = mebibytes << 20, count = bytes / sizeof(std::uint32_t);
    const auto memory = managed<std::uint32_t>(count);
    const auto batch = [&](size_t n) {
      while (n--) {
        if (prefetches) {
          prefetch(memory.get(), bytes, true);
          check(cudaDeviceSynchronize());
        }
        bench::add_one(memory.get(), count);
        if (prefetches) prefetch(memory.get(), bytes, false);
        increment<<<static_cast<unsigned>(count / 256), 256>>>(memory.get());
        check(cudaDeviceSynchronize());
      }
    };
    bench::time_batch(state, batch, 2e-9 * double(bytes), "GB/s");
  }
  static void word_turns(benchmark::State& state) {
    const auto memory = managed<std::uint32_t>(1);
    bench::time_batch(state, [&](size_t n) {
      while (n--) {
        bench::add_one(memory.get(), 1);
        increment<<<1, 1>>>(memory.get());
        check(cudaDeviceSynchronize());
      }
    });
  }
  static void follow_list(benchmark::State& state) {
    const auto nodes = managed<bench::Node>(bench::kListLength);
    const auto sum = managed<std::uint32_t>(1);
    const bench::Node* first = bench::link_list(nodes.get());
    prefetch(nodes.get(), bench::kListLength * sizeof(bench::Node), false);
    const auto batch = [&](size_t n) {
      while (n--) follow<<<1, 1>>>(first, sum.get());
      check(cudaDeviceSynchronize());
    };
    bench::time_batch(state, batch, double(bench::kListLength) * 1e-6, "M/s");
  }
};

}  // namespace

int main(int count, char** words) { return cuda_bench::run_main<SharedMemory>(count, words); }
