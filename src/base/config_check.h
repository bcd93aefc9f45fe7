// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace clcuda {

// What is wrong with a variable of the environment that is meant for clcuda.
struct ConfigFault {
  enum class Kind {
    misspelt,  // no variable of config.def; `expected` is the one that was probably meant
    unknown,   // no variable of config.def, nor similar to one
    invalid,   // a value that clcuda does not understand; `expected` says which ones there are
  };
  Kind kind;
  std::string variable, value, expected;
};

// Looks through "NAME=value" strings, of which the last is followed by a null: check_config(environ).
std::vector<ConfigFault> check_config(const char* const* variables);

}  // namespace clcuda
