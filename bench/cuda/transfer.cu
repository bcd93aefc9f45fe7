// SPDX-License-Identifier: Apache-2.0
// ../transfer.cpp for CUDA.
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "array.h"
#include "check.h"
#include "harness/benchmark.h"

namespace {

using cuda_bench::check;

struct FreeHost {
  void operator()(void* memory) const { cudaFreeHost(memory); }
};

constexpr size_t largest_copy = size_t(256) << 20;

class Transfer {
 public:
  void add() {
    for (size_t bytes = 64 << 10; bytes < largest_copy; bytes *= 16) add_size(bytes);
    add_size(largest_copy);
    add_image("picture", {8192, 8192});
    add_image("volume", {256, 256, 256});
  }

 private:
  // Pinned or not; made when it is first asked for.
  void* host_memory(size_t bytes, bool pinned) {
    if (!pinned) {
      pageable_[bytes].resize(bytes, 1);
      return pageable_[bytes].data();
    }
    auto& memory = pinned_[bytes];
    if (!memory) {
      void* made = nullptr;
      check(cudaMallocHost(&made, bytes));
      memory.reset(made);
    }
    return memory.get();
  }
  void add_size(size_t bytes) {
    for (const bool pinned : {false, true})
      for (const bool write : {true, false})
        bench::add(name_of(write, pinned) + bench::size_name(bytes), [=, this](benchmark::State& state) {
          const auto memory = cuda_bench::allocate<char>(bytes);
          void* host = host_memory(bytes, pinned);
          time(state, bytes, [&] {
            check(write ? cudaMemcpy(memory.get(), host, bytes, cudaMemcpyHostToDevice)
                        : cudaMemcpy(host, memory.get(), bytes, cudaMemcpyDeviceToHost));
          });
        });
    bench::add("copy_" + bench::size_name(bytes), [=](benchmark::State& state) {
      const auto from = cuda_bench::allocate<char>(bytes), to = cuda_bench::allocate<char>(bytes);
      time(state, 2 * bytes,
           [&] { check(cudaMemcpyAsync(to.get(), from.get(), bytes, cudaMemcpyDeviceToDevice)); });
    });
  }
  void add_image(const std::string& kind, const bench::ImageShape& shape) {
    for (const bool pinned : {false, true})
      for (const bool write : {true, false})
        bench::add(name_of(write, pinned) + kind + "_" + bench::size_name(shape.bytes()),
                   [=, this](benchmark::State& state) {
                     cuda_bench::Array array(shape, true);
                     void* host = host_memory(shape.bytes(), pinned);
                     time(state, shape.bytes(), [&] { write ? array.write(host) : array.read(host); });
                   });
  }
  static std::string name_of(bool write, bool pinned) {
    return std::string(write ? "write_" : "read_") + (pinned ? "pinned_" : "pageable_");
  }
  template <typename Act>
  static void time(benchmark::State& state, size_t bytes, const Act& act) {
    const auto batch = [&](size_t n) {
      while (n--) act();
      check(cudaDeviceSynchronize());
    };
    bench::time_batch(state, batch, double(bytes) * 1e-9, "GB/s");
  }

  std::map<size_t, std::vector<char>> pageable_;
  std::map<size_t, std::unique_ptr<void, FreeHost>> pinned_;
};

}  // namespace

int main(int count, char** words) { return cuda_bench::run_main<Transfer>(count, words); }
