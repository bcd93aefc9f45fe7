// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace clcuda::ptx {

// What an access outside a surface does: it faults, accesses the nearest element, or reads zeros and stores nothing.
enum class SurfaceClamp : std::uint32_t { trap, clamp, zero };

}  // namespace clcuda::ptx
