// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace clcuda {

// An error in an environment variable that is meant for clcuda: CLCUDA_TRCE is misspelt, CLCUDA_NVTX=yes invalid.
struct ConfigFault {
  enum class Kind {
    misspelt,  // no variable of config.def; `expected` is the one that was probably meant
    unknown,   // no variable of config.def, nor similar to one
    invalid,   // an invalid value; `expected` describes the valid ones
  };
  Kind kind;
  std::string variable, value, expected;
};

// Checks "NAME=value" strings, the last of which is followed by a null pointer: check_config(environ).
std::vector<ConfigFault> check_config(const char* const* variables);

}  // namespace clcuda
