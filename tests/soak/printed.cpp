// SPDX-License-Identifier: Apache-2.0
#include "soak/printed.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>

#include "soak/tally.h"

namespace soak {
namespace {

// The number of lines, and the sum of their numbers.
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

void take_line(const std::string& line) {
  constexpr std::string_view kPrefix = "soak ";
  if (!line.starts_with(kPrefix)) {
    std::fprintf(stderr, "%s\n", line.c_str());
    return;
  }
  seen().add(1, std::strtoull(line.c_str() + kPrefix.size(), nullptr, 10));
  count(Count::printed);
}

// Does not use a FILE: exit() takes the lock of each, which a thread that waits in getline() would hold.
void take_lines(int from) {
  std::string text;
  char bytes[4096];
  for (ssize_t size; (size = read(from, bytes, sizeof bytes)) > 0;) {
    text.append(bytes, static_cast<std::size_t>(size));
    std::size_t begin = 0;
    for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
      take_line(text.substr(begin, end - begin));
    text.erase(0, begin);
  }
}

}  // namespace

void catch_printed() {
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  std::fflush(stdout);
  dup2(ends[1], STDOUT_FILENO);
  close(ends[1]);
  // Runs until the process ends.
  std::thread(take_lines, ends[0]).detach();
}

void expect_printed(std::uint32_t first, std::size_t count) {
  expected().add(count, count * first + count * (count - 1) / 2);
}

// The reading thread may be late.
std::string difference_of_printed() {
  for (int i = 0; i < 1000 && seen().lines < expected().lines; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  if (seen().lines == expected().lines && seen().sum == expected().sum) return "";
  return std::to_string(seen().lines) + " lines with a sum of " + std::to_string(seen().sum) +
         " instead of " + std::to_string(expected().lines) + " with " + std::to_string(expected().sum);
}

}  // namespace soak
