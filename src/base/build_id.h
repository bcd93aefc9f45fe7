// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace clcuda {

// The GNU build id of the library or program that this code is linked into. It is part of the keys of the program cache, so that entries
// of another build of the library are not used. Empty if the linker made none.
std::string_view build_id();

}  // namespace clcuda
