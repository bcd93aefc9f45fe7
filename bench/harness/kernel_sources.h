// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace bench {

// The text of kernels/NAME.cl, or of kernels/language.h for "language".
std::string_view kernel_source(std::string_view name);

}  // namespace bench
