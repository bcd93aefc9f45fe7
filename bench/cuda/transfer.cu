// SPDX-License-Identifier: Apache-2.0
// ../transfer.cpp for CUDA.
#include <memory>
#include <string>
#include <vector>

#include "array.h"
#include "check.h"
#include "harness/measure.h"

namespace {

using cuda_bench::check;

struct FreeHost {
  void operator()(void* memory) const { cudaFreeHost(memory); }
};

std::string size_name(size_t bytes) {
  return bytes >= (1 << 20) ? std::to_string(bytes >> 20) + "_MiB" : std::to_string(bytes >> 10) + "_KiB";
}

constexpr size_t largest_copy = size_t(256) << 20;

class Transfer {
 public:
  explicit Transfer(const bench::Options& options)
      : report_("transfer", options, "CUDA", cuda_bench::device_name()) {}

  void run() {
    for (size_t bytes = 64 << 10; bytes < largest_copy; bytes *= 16) run_size(bytes);
    run_size(largest_copy);
    run_image("picture", {8192, 8192});
    run_image("volume", {256, 256, 256});
  }

 private:
  void run_size(size_t bytes) {
    auto memory = cuda_bench::allocate<char>(bytes), other = cuda_bench::allocate<char>(bytes);
    void* host = nullptr;
    check(cudaMallocHost(&host, bytes));
    const std::unique_ptr<void, FreeHost> pinned(host);
    std::vector<char> pageable(bytes, 1);
    const std::string suffix = "_" + size_name(bytes);
    run_host(suffix, "pageable", memory.get(), pageable.data(), bytes);
    run_host(suffix, "pinned", memory.get(), pinned.get(), bytes);
    rate("copy" + suffix, 2 * bytes,
         [&] { check(cudaMemcpyAsync(other.get(), memory.get(), bytes, cudaMemcpyDeviceToDevice)); });
  }
  void run_host(const std::string& suffix, const std::string& kind, void* memory, void* host, size_t bytes) {
    rate("write_" + kind + suffix, bytes,
         [=] { check(cudaMemcpy(memory, host, bytes, cudaMemcpyHostToDevice)); });
    rate("read_" + kind + suffix, bytes,
         [=] { check(cudaMemcpy(host, memory, bytes, cudaMemcpyDeviceToHost)); });
  }
  void run_image(const std::string& kind, const bench::ImageShape& shape) {
    cuda_bench::Array array(shape, true);
    void* host = nullptr;
    check(cudaMallocHost(&host, shape.bytes()));
    const std::unique_ptr<void, FreeHost> pinned(host);
    std::vector<char> pageable(shape.bytes(), 1);
    const std::string suffix = kind + "_" + size_name(shape.bytes());
    run_image_from("pageable_" + suffix, array, pageable.data(), shape.bytes());
    run_image_from("pinned_" + suffix, array, pinned.get(), shape.bytes());
  }
  void run_image_from(const std::string& name, cuda_bench::Array& array, void* host, size_t bytes) {
    rate("write_" + name, bytes, [&] { array.write(host); });
    rate("read_" + name, bytes, [&] { array.read(host); });
  }
  template <typename Act>
  void rate(const std::string& name, size_t bytes, const Act& act) {
    const auto batch = [&](size_t n) {
      while (n--) act();
      check(cudaDeviceSynchronize());
    };
    report_.run(name, batch, double(bytes) * 1e-9, "GB/s");
  }

  bench::Report report_;
};

}  // namespace

int main(int count, char** words) { return bench::run_main<Transfer>("cuda transfer", count, words); }
