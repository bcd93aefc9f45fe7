// SPDX-License-Identifier: Apache-2.0
#include "base/compilation_limits.h"

#include <algorithm>

#include "base/config.h"

namespace clcuda {
namespace {

// Sanitizers make the compiler up to four times as slow.
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr int kSlowdown = 4;
#else
constexpr int kSlowdown = 1;
#endif

constexpr int kMostSeconds = 24 * 60 * 60, kLeastMegabytes = 64;

int seconds() { return std::clamp(config().build_time, 1, kMostSeconds); }

}  // namespace

WorkBudget::Limits compilation_limits() {
  return {.time = std::chrono::seconds(seconds()) * kSlowdown,
          .bytes = static_cast<std::size_t>(std::max(config().build_memory, kLeastMegabytes)) << 20};
}

std::optional<std::chrono::nanoseconds> longest_compilation() {
  if (!WorkBudget::enforced()) return std::nullopt;
  const std::chrono::nanoseconds budget = compilation_limits().time;
  return budget + std::max<std::chrono::nanoseconds>(budget / 4, std::chrono::seconds(2));
}

unsigned compilation_scale() { return static_cast<unsigned>(std::max(seconds() / Config().build_time, 1)); }

}  // namespace clcuda
