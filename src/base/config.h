// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace clcuda {

// The settings from environment variables; config.def lists them, with their meaning and default.
//
//   if (config().trace_all) …
struct Config {
#define CONFIG(type, name, variable, fallback, text) type name = fallback;
#include "base/config.def"
#undef CONFIG
};

// Read once, at the first call. Thread-safe.
const Config& config();

// The value of an environment variable, or null if it is not set. Always null in a privileged process (set-user-ID and the like), because
// the caller's environment must not influence such a process.
const char* environment(const char* variable) noexcept;
// True in a process with privileges that its caller lacks. Such a process reads and writes no files on its caller's behalf.
bool is_privileged() noexcept;

}  // namespace clcuda
