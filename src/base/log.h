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

// Where there is no memory for the message, nothing is said: destructors and other places that cannot fail
// may log.
template <class... Args>
void say(Level level, fmt::format_string<Args...> format, Args&&... args) noexcept {
  if (!enabled(level)) return;
  try {
    write(level, fmt::format(format, std::forward<Args>(args)...));
  } catch (const std::exception&) {
    // What there is to say is of no more use than the program that goes on.
  }
}

// log::error("device {} lost: {}", ordinal, name);   — to the standard error stream, if CLCUDA_LOG asks for that level
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
