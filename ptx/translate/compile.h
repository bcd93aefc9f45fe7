// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "ptx/execute/image_format.h"

namespace clcuda::ptx {

// One kernel of a program that compile() has taken, in full code. Throws std::exception.
ImageDescription compile_kernel(std::span<const std::string> units, std::string_view kernel);

}  // namespace clcuda::ptx
