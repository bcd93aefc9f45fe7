// SPDX-License-Identifier: Apache-2.0
// Additions to Google Benchmark for these programs, for OpenCL and for CUDA.
#pragma once

#include <benchmark/benchmark.h>

#include <cstddef>
#include <functional>
#include <string>

namespace bench {

// A program's options besides Google Benchmark's own: [--device NAME] [--build-options OPTIONS] [--modules FOLDER]
struct Options {
  std::string device;
  std::string build_options;  // for kernels and workloads: added to those of each program
  std::string modules;        // for the same: FOLDER/FAMILY.spv is taken instead of the source
};

// Runs the registered benchmarks, then releases them, with everything that they have prepared, before the device is destroyed.
void run_added();

// main() of a program: `program` registers benchmarks and runs them. The exit status is 1 if it throws, or if
// a benchmark failed.
int run_main(int count, char** words, const std::function<void(const Options&)>& program);
// The same for a program that is a class:
//
//   int main(int count, char** words) { return bench::run_main<Transfer>(count, words); }
template <class Program>
int run_main(int count, char** words) {
  return run_main(count, words, [](const Options& options) {
    Program program(options);
    program.add();
    run_added();
  });
}

// Registers a benchmark, which is measured in wall-clock time. It is called for each repetition, interleaved with others; an exception is
// reported as its error.
using Function = std::function<void(benchmark::State&)>;
benchmark::internal::Benchmark* add(const std::string& name, Function function);
// A benchmark that sets the time of each iteration itself (benchmark::State::SetIterationTime).
benchmark::internal::Benchmark* add_with_own_time(const std::string& name, Function function);

// Executes n operations, and waits for the last one.
using Batch = std::function<void(size_t)>;

// Executes one operation, then measures all iterations as one batch. `work` is the work of an operation in units whose rate is `unit`;
// without it the result is the time of an operation.
void time_batch(benchmark::State& state, const Batch& batch, double work = 0, const char* unit = "");
// Registers a benchmark that consists of one time_batch().
void add_batch(const std::string& name, Batch batch, double work = 0, const char* unit = "");

struct Operation {
  Batch batch;
  double work = 0;
  const char* unit = "";
};
// Registers a benchmark whose operation is prepared at its first run, and kept for the repetitions.
void add_prepared(const std::string& name, std::function<Operation()> prepare);

// For names of benchmarks: 64_KiB, 1_MiB.
inline std::string size_name(size_t bytes) {
  return bytes >= (1 << 20) ? std::to_string(bytes >> 20) + "_MiB" : std::to_string(bytes >> 10) + "_KiB";
}

// A result other than a time, as a counter with its unit as the name.
void report_value(benchmark::State& state, const benchmark::Counter& value, const char* unit);

}  // namespace bench
