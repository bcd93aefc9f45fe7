// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"

#include <cstdio>
#include <string>

#include "base/config.h"

namespace clcuda::log {
namespace {

constexpr const char* kNames[] = {"error", "warning", "info", "debug"};

int threshold() {
  for (int level = 0; level < 4; ++level)
    if (config().log == kNames[level]) return level;
  return -1;
}

}  // namespace

bool enabled(Level level) {
  static const int limit = threshold();
  return static_cast<int>(level) <= limit;
}

void write(Level level, std::string_view message) {
  const std::string line = fmt::format("clcuda {}: {}\n", kNames[static_cast<int>(level)], message);
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace clcuda::log
