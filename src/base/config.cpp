// SPDX-License-Identifier: Apache-2.0
#include "base/config.h"

#include <sys/auxv.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace clcuda {
namespace {

void read(const char* variable, std::string& value) {
  if (const char* text = environment(variable)) value = text;
}

// No number is negative (config_check.h).
void read(const char* variable, int& value) {
  constexpr long kMost = std::numeric_limits<int>::max();
  const char* text = environment(variable);
  if (text) value = static_cast<int>(std::clamp(std::strtol(text, nullptr, 10), 0L, kMost));
}

void read(const char* variable, bool& value) {
  if (const char* text = environment(variable)) value = std::string(text) != "0";
}

Config read_environment() {
  Config config;
#define CONFIG(type, name, variable, fallback, text) read(variable, config.name);
#include "base/config.def"
#undef CONFIG
  return config;
}

}  // namespace

const char* environment(const char* variable) noexcept { return ::secure_getenv(variable); }
bool is_privileged() noexcept { return ::getauxval(AT_SECURE) != 0; }

const Config& config() {
  // Never destroyed: threads may read it during exit.
  static const Config& config = *new Config(read_environment());
  return config;
}

}  // namespace clcuda
