// SPDX-License-Identifier: Apache-2.0
#include "harness/benchmark.h"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>

namespace bench {
namespace {

bool a_benchmark_failed = false;

Options parse_options(int count, char** words) {
  Options options;
  const std::map<std::string, std::string*> known = {{"--device", &options.device},
                                                     {"--build-options", &options.build_options},
                                                     {"--modules", &options.modules}};
  for (int i = 1; i < count; i += 2) {
    const auto option = known.find(words[i]);
    if (option == known.end() || i + 1 == count)
      throw std::runtime_error(
          "options: [--device NAME] [--build-options OPTIONS] [--modules FOLDER], and those of --help");
    *option->second = words[i + 1];
  }
  return options;
}

// A benchmark that failed is not repeated.
benchmark::internal::Benchmark* register_function(const std::string& name, Function function) {
  auto run = [function = std::move(function), problem = std::string()](benchmark::State& state) mutable {
    if (problem.empty()) {
      try {
        return function(state);
      } catch (const std::exception& error) {
        problem = error.what();
        a_benchmark_failed = true;
      }
    }
    state.SkipWithError(problem.c_str());
  };
  return benchmark::RegisterBenchmark(name.c_str(), run)->Unit(benchmark::kMicrosecond);
}

}  // namespace

void run_added() {
  benchmark::RunSpecifiedBenchmarks();
  benchmark::ClearRegisteredBenchmarks();
}

int run_main(int count, char** words, const std::function<void(const Options&)>& program) {
  try {
    benchmark::Initialize(&count, words);
    program(parse_options(count, words));
    return a_benchmark_failed ? EXIT_FAILURE : EXIT_SUCCESS;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", words[0], error.what());
    return EXIT_FAILURE;
  }
}

benchmark::internal::Benchmark* add(const std::string& name, Function function) {
  return register_function(name, std::move(function))->UseRealTime();
}
benchmark::internal::Benchmark* add_with_own_time(const std::string& name, Function function) {
  return register_function(name, std::move(function))->UseManualTime();
}

void time_batch(benchmark::State& state, const Batch& batch, double work, const char* unit) {
  batch(1);
  while (state.KeepRunningBatch(state.max_iterations)) batch(static_cast<size_t>(state.max_iterations));
  if (work > 0) report_value(state, {work, benchmark::Counter::kIsIterationInvariantRate}, unit);
}

void add_batch(const std::string& name, Batch batch, double work, const char* unit) {
  add(name, [batch = std::move(batch), work, unit](benchmark::State& state) {
    time_batch(state, batch, work, unit);
  });
}

void add_prepared(const std::string& name, std::function<Operation()> prepare) {
  add(name,
      [prepare = std::move(prepare), kept = std::optional<Operation>()](benchmark::State& state) mutable {
        if (!kept) kept = prepare();
        time_batch(state, kept->batch, kept->work, kept->unit);
      });
}

void report_value(benchmark::State& state, const benchmark::Counter& value, const char* unit) {
  state.counters[unit] = value;
  state.SetLabel(unit);
}

}  // namespace bench
