// SPDX-License-Identifier: Apache-2.0
// What the programs here, for OpenCL and for CUDA, add to Google Benchmark.
#pragma once

#include <benchmark/benchmark.h>

#include <cstddef>
#include <functional>
#include <string>

namespace bench {

// What a program is told beside Google Benchmark's own options: [--device NAME] [--build-options OPTIONS]
struct Options {
  std::string device;
  std::string build_options;  // for kernels and workloads: added to those of each program
};

// Runs what has been registered, then lets go of it: of what benchmarks have prepared, while its device is
// still there.
void run_added();

// main() of a program: `program` registers benchmarks and runs them. The exit status is 1 if it throws, or if
// a benchmark failed.
int run_main(int count, char** words, const std::function<void(const Options&)>& program);
// The same where the program is a class:
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

// Registers a benchmark, which is timed by the wall clock. It is called for each repetition, between those of
// others; what it throws is reported as its error.
using Function = std::function<void(benchmark::State&)>;
benchmark::internal::Benchmark* add(const std::string& name, Function function);
// One that gives the seconds of each iteration itself (benchmark::State::SetIterationTime).
benchmark::internal::Benchmark* add_with_own_time(const std::string& name, Function function);

// n operations, the last of which is waited for.
using Batch = std::function<void(size_t)>;

// Performs one operation, then times all iterations as one batch. `work` is what an operation does, in units
// of which `unit` is the rate; without it the result is the time of an operation.
void time_batch(benchmark::State& state, const Batch& batch, double work = 0, const char* unit = "");
// Registers a benchmark that is no more than that.
void add_batch(const std::string& name, Batch batch, double work = 0, const char* unit = "");

struct Operation {
  Batch batch;
  double work = 0;
  const char* unit = "";
};
// Registers a benchmark whose operation is prepared when it first runs, and kept for the repetitions.
void add_prepared(const std::string& name, std::function<Operation()> prepare);

// A result that is no time, as a counter named by its unit.
void report_value(benchmark::State& state, const benchmark::Counter& value, const char* unit);

}  // namespace bench
