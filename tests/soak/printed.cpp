// SPDX-License-Identifier: Apache-2.0
#include "soak/printed.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "soak/tally.h"

namespace soak {
namespace {

// How many numbers, and their sum.
struct Sums {
  std::atomic<std::uint64_t> lines = 0, sum = 0;
  void add(std::uint64_t more_lines, std::uint64_t more) {
    sum += more;
    lines += more_lines;
  }
};
Sums& expected() {
  static Sums sums;
  return sums;
}
Sums& seen() {
  static Sums sums;
  return sums;
}

void take_line(const char* line) {
  constexpr std::size_t kPrefix = 5;
  if (std::strncmp(line, "soak ", kPrefix) != 0) {
    std::fputs(line, stderr);
    return;
  }
  seen().add(1, std::strtoull(line + kPrefix, nullptr, 10));
  count(Count::printed);
}

void take_lines(std::FILE* from) {
  char* line = nullptr;
  std::size_t room = 0;
  while (getline(&line, &room, from) > 0) take_line(line);
  std::free(line);
}

}  // namespace

void catch_printed() {
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  std::fflush(stdout);
  dup2(ends[1], STDOUT_FILENO);
  close(ends[1]);
  // As long as the process.
  std::thread(take_lines, fdopen(ends[0], "r")).detach();
}

void expect_printed(std::uint32_t first, std::size_t count) {
  expected().add(count, count * first + count * (count - 1) / 2);
}

// The thread that takes the lines may be behind a little.
std::string difference_of_printed() {
  for (int i = 0; i < 1000 && seen().lines < expected().lines; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  if (seen().lines == expected().lines && seen().sum == expected().sum) return "";
  return std::to_string(seen().lines) + " lines with a sum of " + std::to_string(seen().sum) +
         " instead of " + std::to_string(expected().lines) + " with " + std::to_string(expected().sum);
}

}  // namespace soak
