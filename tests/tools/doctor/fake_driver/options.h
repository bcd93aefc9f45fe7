// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>

// What the libraries of this folder tell is in variables of the environment.
inline long fake_option(const char* variable, long fallback) {
  const char* text = std::getenv(variable);
  return text ? std::strtol(text, nullptr, 10) : fallback;
}
