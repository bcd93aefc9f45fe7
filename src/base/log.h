// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <exception>
#include <string_view>
#include <utility>

namespace clcuda::log {

enum class Level { error, warning, info, debug };

bool enabled(Level level);
void write(Level level, std::string_view message);

// Logs nothing if there is no memory for the message, so that destructors and other code that must not fail can log.
template <class... Args>
void say(Level level, fmt::format_string<Args...> format, Args&&... args) noexcept {
  try {
    if (enabled(level)) write(level, fmt::format(format, std::forward<Args>(args)...));
  } catch (const std::exception&) {
    // A message is not worth a failure.
  }
}

// log::error("device {} lost: {}", ordinal, name);   — written to standard error if CLCUDA_LOG includes the level
template <class... Args>
void error(fmt::format_string<Args...> format, Args&&... args) noexcept {
  say(Level::error, format, std::forward<Args>(args)...);
}
template <class... Args>
void warning(fmt::format_string<Args...> format, Args&&... args) noexcept {
  say(Level::warning, format, std::forward<Args>(args)...);
}
template <class... Args>
void info(fmt::format_string<Args...> format, Args&&... args) noexcept {
  say(Level::info, format, std::forward<Args>(args)...);
}
template <class... Args>
void debug(fmt::format_string<Args...> format, Args&&... args) noexcept {
  say(Level::debug, format, std::forward<Args>(args)...);
}

}  // namespace clcuda::log
