// SPDX-License-Identifier: Apache-2.0
#pragma once

// The calls for random_calls.cpp. A new API function needs a line in one of these tables, and one in documented_codes.def.
#include <initializer_list>
#include <span>

#include "api/random_calls/arguments.h"

namespace test {

struct Call {
  const char* name;  // the function whose error code `make` returns
  cl_int (*make)(Arguments&);
};
std::span<const Call> creations();
std::span<const Call> program_calls();
std::span<const Call> commands();
std::span<const Call> synchronizations();
std::span<const Call> queries();
std::span<const Call> pointer_calls();

// The usual sizes and origins of regions.
using Sizes = std::initializer_list<std::size_t>;
inline constexpr Sizes kOrigin = {0, 0, 0, 1, 3}, kRegion = {1, 1, 2, 3, 8};

}  // namespace test
