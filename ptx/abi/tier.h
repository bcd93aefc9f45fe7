// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace clcuda::ptx {

// How code is compiled: quickly, without optimisation, in about a fifth of the time, so that kernels that run shortly are done before
// optimised code would be ready; or with all optimisations. Both compute the same results.
enum class Tier : std::uint8_t { quick, full };

}  // namespace clcuda::ptx
