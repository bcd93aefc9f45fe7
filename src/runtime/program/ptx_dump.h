// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace clcuda {

// Writes the text to a file of its own in the folder that CLCUDA_DUMP names, if it names one.
void dump_ptx(std::string_view ptx) noexcept;

}  // namespace clcuda
