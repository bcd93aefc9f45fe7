// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace clcuda {

// The linker's fingerprint (GNU build id) of the library or program that this code is part of: what an older
// or newer library left in the cache is not taken for ours. Empty if the linker was not asked for one.
std::string_view build_id();

}  // namespace clcuda
