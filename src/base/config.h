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

}  // namespace clcuda
