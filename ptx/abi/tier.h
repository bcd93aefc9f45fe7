// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace clcuda::ptx {

// How code is made: quickly, at a fifth of the time, so that most kernels are done with before better code of
// them were; or as good as it gets. Both compute the same.
enum class Tier : std::uint8_t { quick, full };

}  // namespace clcuda::ptx
