// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "ptx/abi/code_object.h"
#include "ptx/abi/tier.h"

namespace clcuda::ptx {

// PTX units linked together → a code object, as bytes. Returns nothing and fills `log` (unit, line, reason)
// if the PTX is refused. One of quick code keeps the PTX: CodeObject::tier_up.
std::optional<std::string> compile(std::span<const std::string_view> units, std::string& log,
                                   Tier tier = Tier::full);

// One kernel of a program that compile() has taken, in full code. Throws std::exception.
CodeObjectDescription compile_kernel(std::span<const std::string> units, std::string_view kernel);

}  // namespace clcuda::ptx
