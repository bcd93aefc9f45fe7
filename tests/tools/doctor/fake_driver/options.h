// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>

// The results of the libraries in this folder are set by environment variables.
inline long fake_option(const char* variable, long fallback) {
  const char* text = std::getenv(variable);
  return text ? std::strtol(text, nullptr, 10) : fallback;
}
