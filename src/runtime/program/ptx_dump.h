// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace clcuda {

// Writes the PTX to a file, which is named after its hash, in the folder CLCUDA_DUMP, if that is set.
void dump_ptx(std::string_view ptx) noexcept;

}  // namespace clcuda
