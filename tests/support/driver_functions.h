// SPDX-License-Identifier: Apache-2.0
// All driver functions that the library uses, for a program that puts something around each of them (own_driver.h).
#pragma once

#include <cstdint>
#include <string_view>

#include "support/own_driver.h"

namespace test {

enum class DriverFunction : std::uint8_t {
#define REQUIRED(function) function,
#define OPTIONAL(function) REQUIRED(function)
#include "cuda/driver_functions.def"
#undef REQUIRED
#undef OPTIONAL
  count
};

inline constexpr std::string_view kDriverFunctionNames[] = {
#define REQUIRED(function) #function,
#define OPTIONAL(function) REQUIRED(function)
#include "cuda/driver_functions.def"
#undef REQUIRED
#undef OPTIONAL
};

constexpr std::string_view name_of(DriverFunction function) {
  return kDriverFunctionNames[static_cast<std::size_t>(function)];
}

// Replaces each function that the table has by Wrapped<its name, its place in the table>::call, which takes the same arguments. Functions
// that the executor does not have stay null.
template <template <DriverFunction, auto> class Wrapped>
void wrap_every_function(clcuda::cuda::DriverTable& table) {
#define REQUIRED(function) \
  if (table.function)      \
    table.function = &Wrapped<DriverFunction::function, &clcuda::cuda::DriverTable::function>::call;
#define OPTIONAL(function) REQUIRED(function)
#include "cuda/driver_functions.def"
#undef REQUIRED
#undef OPTIONAL
}

}  // namespace test
