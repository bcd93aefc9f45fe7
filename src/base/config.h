// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace clcuda {

// The environment, read once when first asked for. The list is in config.def.
struct Config {
#define CONFIG(type, name, variable, fallback, text) type name = fallback;
#include "base/config.def"
#undef CONFIG
};

const Config& config();

// A variable of the environment; null in a process that has privileges its caller lacks (set-user-ID and the
// like), where whoever calls it must not have a say.
const char* environment(const char* variable) noexcept;
// Whether this is such a process: it reads and writes no files on its caller's behalf.
bool is_privileged() noexcept;

}  // namespace clcuda
