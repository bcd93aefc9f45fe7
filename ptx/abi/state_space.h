// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace clcuda::ptx {

// PTX's state spaces.
enum class Space : std::uint8_t { none, reg, param, local, shared, global, constant };

}  // namespace clcuda::ptx
