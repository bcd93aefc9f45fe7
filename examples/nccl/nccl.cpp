// SPDX-License-Identifier: Apache-2.0
// nccl [--gpus N] [--max-megabytes N]
//
// Sums of arrays over all GPUs by NCCL's all-reduce, one process with a rank for each GPU: on OpenCL buffers that a kernel fills, and in
// the streams of OpenCL queues (cl_clcuda_cuda_interop), so that the host waits for nothing between kernels and NCCL. A kernel checks every
// sum. Prints the time of an all-reduce from 1 KiB on, and that of the same in plain CUDA, by turns in the same run.
#include "support/nccl.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "gpu.h"

namespace {

using all_reduce::CudaGpu;
using all_reduce::OpenclGpu;
using client::check;

constexpr int kRounds = 9;

struct Options {
  size_t gpus = 0, max_megabytes = 256;
};

Options parsed(int count, char** words) {
  Options options;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string word = words[i];
    const size_t value = std::strtoull(words[i + 1], nullptr, 10);
    if (word == "--gpus")
      options.gpus = value;
    else if (word == "--max-megabytes")
      options.max_megabytes = value;
    else
      throw std::runtime_error("unknown option " + word);
  }
  if (count % 2 == 0 || options.max_megabytes < 1 || options.max_megabytes > 8192)
    throw std::runtime_error("usage: nccl [--gpus N] [--max-megabytes 1..8192]");
  return options;
}

// The GPUs that can run this: all, or the first `count`.
std::vector<cl_device_id> chosen(size_t count) {
  std::vector<cl_device_id> gpus = client::devices("");
  std::erase_if(gpus, [](cl_device_id device) {
    return !client::Session(device).is_gpu() || !client::CudaInterop::supported(device);
  });
  if (gpus.size() < std::max<size_t>(count, 2))
    throw std::runtime_error("an all-reduce needs two GPUs or more, and as many as --gpus; here are " +
                             std::to_string(gpus.size()) + " that have cl_clcuda_cuda_interop");
  if (count != 0) gpus.resize(count);
  return gpus;
}

// A communicator with a rank for each GPU.
class Communicators {
 public:
  explicit Communicators(const std::deque<OpenclGpu>& gpus)
      : nccl_(client::Nccl::get()), ranks_(gpus.size()) {
    std::vector<int> ordinals;
    ordinals.reserve(gpus.size());
    for (const OpenclGpu& gpu : gpus) ordinals.push_back(gpu.ordinal());
    check(nccl_.CommInitAll(ranks_.data(), static_cast<int>(ordinals.size()), ordinals.data()),
          "ncclCommInitAll");
  }
  ~Communicators() {
    for (ncclComm_t rank : ranks_) nccl_.CommDestroy(rank);
  }
  Communicators(const Communicators&) = delete;
  Communicators& operator=(const Communicators&) = delete;

  // Enqueues the sum of the GPUs' arrays into their streams.
  template <typename Gpus>
  void sum_up(const Gpus& gpus, size_t values) const {
    check(nccl_.GroupStart(), "ncclGroupStart");
    for (size_t i = 0; i < gpus.size(); ++i)
      check(nccl_.AllReduce(gpus[i].given(), gpus[i].sum(), values, ncclFloat, ncclSum, ranks_[i],
                            gpus[i].stream()),
            "ncclAllReduce");
    check(nccl_.GroupEnd(), "ncclGroupEnd");
  }

 private:
  const client::Nccl& nccl_;
  std::vector<ncclComm_t> ranks_;
};

// Microseconds per call, for many calls until all GPUs have finished.
template <typename Gpus, typename Call>
double time_of(const Gpus& gpus, int calls, Call call) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < calls; ++i) call();
  for (const auto& gpu : gpus) gpu.finish();
  const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
  return time.count() / calls;
}

double median(std::vector<double> times) {
  std::ranges::nth_element(times, times.begin() + kRounds / 2);
  return times[kRounds / 2];
}

std::deque<OpenclGpu> opencl_gpus(const std::vector<cl_device_id>& devices, size_t max_values) {
  std::deque<OpenclGpu> gpus;
  for (cl_device_id device : devices)
    gpus.emplace_back(device, static_cast<unsigned>(gpus.size()), max_values);
  return gpus;
}

std::deque<CudaGpu> cuda_gpus(const std::deque<OpenclGpu>& same, size_t max_values) {
  std::deque<CudaGpu> gpus;
  for (const OpenclGpu& gpu : same) gpus.emplace_back(gpu.ordinal(), max_values);
  return gpus;
}

class Comparison {
 public:
  Comparison(const std::vector<cl_device_id>& devices, size_t max_values)
      : opencl_(opencl_gpus(devices, max_values)),
        cuda_(cuda_gpus(opencl_, max_values)),
        communicators_(opencl_) {}

  // Prints a line; returns how many sums are wrong.
  size_t measure(size_t values) const {
    const size_t bytes = values * sizeof(float);
    prepare(values);
    const int calls = bytes < (size_t{1} << 20) ? 500 : 50;
    const auto by_opencl = [&] { sum_up_opencl(values); };
    const auto by_cuda = [&] { communicators_.sum_up(cuda_, values); };
    time_of(opencl_, 10, by_opencl);
    time_of(cuda_, 10, by_cuda);
    std::vector<double> opencl, cuda;
    for (int round = 0; round < kRounds; ++round) {
      opencl.push_back(time_of(opencl_, calls, by_opencl));
      cuda.push_back(time_of(cuda_, calls, by_cuda));
    }
    const size_t wrong = count_wrong(values);
    const double gpus = static_cast<double>(opencl_.size()), time = median(opencl);
    // The data that each GPU must send at least, divided by the time.
    const double rate = 2 * (gpus - 1) / gpus * static_cast<double>(bytes) / time * 1e-3;
    std::printf("%12zu %12.1f %12.1f %10.1f %8.3f %8zu\n", bytes, time, median(cuda), rate,
                time / median(cuda), wrong);
    return wrong;
  }

 private:
  void prepare(size_t values) const {
    for (size_t i = 0; i < opencl_.size(); ++i) {
      opencl_[i].fill(values);
      opencl_[i].finish();
      cuda_[i].copy_from(opencl_[i].given(), values * sizeof(float));
    }
  }
  void sum_up_opencl(size_t values) const {
    for (const OpenclGpu& gpu : opencl_) gpu.acquire();
    communicators_.sum_up(opencl_, values);
    for (const OpenclGpu& gpu : opencl_) gpu.release();
  }
  // If plain CUDA's sum differs, all of a GPU's sums count as wrong.
  size_t count_wrong(size_t values) const {
    size_t wrong = 0;
    for (size_t i = 0; i < opencl_.size(); ++i) {
      wrong += opencl_[i].count_wrong(values, static_cast<unsigned>(opencl_.size()));
      if (!cuda_[i].same_sum(opencl_[i].sum(), values * sizeof(float))) wrong += values;
    }
    return wrong;
  }

  std::deque<OpenclGpu> opencl_;
  std::deque<CudaGpu> cuda_;
  Communicators communicators_;
};

int run(const Options& options) {
  const std::vector<cl_device_id> devices = chosen(options.gpus);
  std::printf("nccl: %zu GPUs (%s), NCCL %s\n", devices.size(),
              client::Session(devices.front()).device_name().c_str(), client::Nccl::get().version().c_str());
  const size_t max_values = (options.max_megabytes << 20) / sizeof(float);
  const Comparison comparison(devices, max_values);
  std::printf("%12s %12s %12s %10s %8s %8s\n", "bytes", "OpenCL, us", "CUDA, us", "bus GB/s", "ratio",
              "wrong");
  size_t wrong = 0;
  for (size_t values = 256; values <= max_values; values *= 8) wrong += comparison.measure(values);
  std::printf("check: %zu sums are wrong\n", wrong);
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int count, char** words) try {
  return run(parsed(count, words));
} catch (const std::exception& error) {
  std::fprintf(stderr, "nccl: %s\n", error.what());
  return EXIT_FAILURE;
}
