// SPDX-License-Identifier: Apache-2.0
// Launches from many threads at the same time, each with its own queue and kernel, and builds of programs with increasing numbers of
// kernels.
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "harness/benchmark.h"
#include "support/client.h"

namespace {

constexpr const char* kSource = "kernel void empty() {}";

class Threads {
 public:
  explicit Threads(const bench::Options& options)
      : session_(options.device), program_(session_.build(kSource)) {
    benchmark::AddCustomContext("device", session_.device_name());
  }

  void add() {
    for (const size_t count : {1, 2, 4, 8, 16, 32})
      bench::add("launch_from_" + std::to_string(count) + "_threads",
                 [=, this](benchmark::State& state) { launch_from(state, count); });
    for (const unsigned count : {1, 10, 100, 1000})
      bench::add("build_" + std::to_string(count) + "_kernels",
                 [=, this](benchmark::State& state) { build(state, count); })
          ->Iterations(1)
          ->Repetitions(count < 1000 ? 5 : 2);
  }

 private:
  // The time of one launch in a thread; all threads together launch `count` times as many.
  void launch_from(benchmark::State& state, size_t count) {
    std::vector<client::Queue> queues;
    std::vector<client::Kernel> kernels;
    for (size_t i = 0; i < count; ++i) {
      cl_int error = CL_SUCCESS;
      queues.emplace_back(
          clCreateCommandQueueWithProperties(session_.context(), session_.device(), nullptr, &error));
      client::check(error, "clCreateCommandQueueWithProperties");
      kernels.push_back(session_.kernel(program_, "empty"));
    }
    bench::time_batch(state, [&](size_t n) {
      std::vector<std::jthread> threads;
      for (size_t i = 0; i < count; ++i)
        threads.emplace_back([&, i] {
          const size_t one = 1;
          for (size_t k = 0; k < n; ++k)
            clEnqueueNDRangeKernel(queues[i].get(), kernels[i].get(), 1, nullptr, &one, &one, 0, nullptr,
                                   nullptr);
          clFinish(queues[i].get());
        });
    });
  }

  void build(benchmark::State& state, unsigned count) {
    std::string text;
    for (unsigned k = 0; k < count; ++k)
      text += "kernel void k" + std::to_string(k) +
              "(global uint* p, uint n) { uint x = p[get_global_id(0)]; " +
              "for (uint i = 0; i < n; ++i) x = x * " + std::to_string(random_()) + "u + i; " +
              "p[get_global_id(0)] = x; }\n";
    for (auto _ : state) session_.kernel(session_.build(text), "k0");
  }

  client::Session session_;
  client::Program program_;
  std::random_device random_;
};

}  // namespace

int main(int count, char** words) { return bench::run_main<Threads>(count, words); }
