// SPDX-License-Identifier: Apache-2.0
#include "harness/measure.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace bench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_of(const Batch& batch, size_t operations) {
  const Clock::time_point start = Clock::now();
  batch(operations);
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Long enough for the clock and for one wait at the end to weigh little.
constexpr double shortest_sample = 0.01;

// Doubles the batch until it is long enough; what that runs is the warm-up as well.
size_t batch_size(const Batch& batch) {
  size_t operations = 1;
  seconds_of(batch, operations);
  while (seconds_of(batch, operations) < shortest_sample && operations < (size_t(1) << 20)) operations *= 2;
  return operations;
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (static_cast<unsigned char>(c) >= ' ') result += c;
  }
  return result + '"';
}

Options parse_options(int count, char** words) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (i + 1 == count) throw std::runtime_error("options: [--device NAME] [--only CASE] [--seconds N]");
    const char* value = words[++i];
    if (word == "--device") {
      options.device = value;
    } else if (word == "--only") {
      options.only = value;
    } else if (word == "--seconds") {
      options.seconds = std::stod(value);
    } else {
      throw std::runtime_error("unknown option " + word);
    }
  }
  return options;
}

}  // namespace

int run_telling(const char* name, const std::function<bool()>& program) {
  try {
    return program() ? EXIT_SUCCESS : EXIT_FAILURE;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", name, error.what());
    return EXIT_FAILURE;
  }
}

int run_main(const char* name, int count, char** words, const std::function<bool(const Options&)>& program) {
  return run_telling(name, [&] { return program(parse_options(count, words)); });
}

Timing time_per_operation(const Batch& batch, double seconds) {
  const size_t operations = batch_size(batch);
  std::vector<double> samples;
  const Clock::time_point start = Clock::now();
  while (samples.size() < 11 || std::chrono::duration<double>(Clock::now() - start).count() < seconds) {
    samples.push_back(seconds_of(batch, operations) / double(operations));
  }
  return summarize(std::move(samples));
}

Timing summarize(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  const auto at = [&](double part) {
    return samples[size_t(std::lround(part * double(samples.size() - 1)))];
  };
  return {at(0.5), at(0.1), at(0.9), samples.size()};
}

Report::Report(const char* program, const Options& options, std::string platform, std::string device)
    : program_(program), options_(options), platform_(std::move(platform)), device_(std::move(device)) {}

bool Report::wants(const std::string& name) const { return name.find(options_.only) != std::string::npos; }

void Report::run(const std::string& name, const Batch& batch, double work, const char* unit) {
  if (!wants(name)) return;
  const Timing timing = time_per_operation(batch, options_.seconds);
  print(name, timing, work > 0 ? work / timing.median : timing.median * 1e6, unit);
}

void Report::print(const std::string& name, const Timing& timing, double value, const char* unit) const {
  std::printf(
      "{\"program\": \"%s\", \"case\": %s, \"value\": %.6g, \"unit\": \"%s\", \"seconds\": %.6g, \"low\": "
      "%.6g, \"high\": %.6g, "
      "\"samples\": %zu, \"platform\": %s, \"device\": %s}\n",
      program_, quoted(name).c_str(), value, unit, timing.median, timing.low, timing.high, timing.samples,
      quoted(platform_).c_str(), quoted(device_).c_str());
  std::fflush(stdout);
}

}  // namespace bench
