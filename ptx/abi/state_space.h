// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace clcuda::ptx {

// PTX's state spaces: the kinds of memory that a variable can be in; `none` is the generic space.
enum class Space : std::uint8_t { none, reg, param, local, shared, global, constant };

}  // namespace clcuda::ptx
