// SPDX-License-Identifier: Apache-2.0
// How every benchmark here measures and reports, so that OpenCL programs and their CUDA twins can be
// compared.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace bench {

// Common command line: [--device NAME] [--only PART_OF_A_CASE] [--seconds PER_CASE]
struct Options {
  std::string device;
  std::string only;
  double seconds = 0.3;
};

// What a benchmark's main() does with its command line. The exit status is 1 if `program` returns false, or throws, which is told on
// stderr under `name`.
int run_main(const char* name, int count, char** words, const std::function<bool(const Options&)>& program);
// One whose program is a class:
//
//   int main(int count, char** words) { return bench::run_main<Transfer>("transfer", count, words); }
template <class Program>
int run_main(const char* name, int count, char** words) {
  return run_main(name, count, words, [](const Options& options) {
    Program(options).run();
    return true;
  });
}
// The same without a command line.
int run_telling(const char* name, const std::function<bool()>& program);

// Seconds for one operation: the median of all samples, and their 10th and 90th percentiles.
struct Timing {
  double median;
  double low;
  double high;
  size_t samples;
};

// `batch(n)` performs n operations and waits for the last. After a warm-up the batch is made large enough for
// the clock, and sampled for the given time (11 times at least).
using Batch = std::function<void(size_t)>;
Timing time_per_operation(const Batch& batch, double seconds);

// Of samples that were taken elsewhere.
Timing summarize(std::vector<double> samples);

// Prints one JSON line for each case.
class Report {
 public:
  Report(const char* program, const Options& options, std::string platform, std::string device);

  // Times a case, unless --only leaves it out. `work` is what one operation does, in units of which `unit` is
  // the rate; with work 0 the result is the time of an operation, in microseconds.
  void run(const std::string& name, const Batch& batch, double work = 0, const char* unit = "us");

  // Whether --only asks for it.
  bool wants(const std::string& name) const;

  // A case that was timed by its own means; in microseconds.
  void add(const std::string& name, const Timing& timing) { print(name, timing, timing.median * 1e6, "us"); }

  // A value that is no time.
  void add_value(const std::string& name, double value, const char* unit) {
    print(name, {value, value, value, 1}, value, unit);
  }

 private:
  void print(const std::string& name, const Timing& timing, double value, const char* unit) const;

  const char* program_;
  Options options_;
  std::string platform_;
  std::string device_;
};

}  // namespace bench
