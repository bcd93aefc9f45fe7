// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "ptx/abi/code_object.h"
#include "ptx/abi/tier.h"

namespace clcuda::ptx {

// Links PTX units and compiles them to a code object, as bytes. Empty, with unit, line and reason in `log`, if the PTX is rejected. A code
// object without optimisation (Tier::quick) contains the PTX, for CodeObject::tier_up. Throws std::bad_alloc if the process lacks memory
// or threads.
std::optional<std::string> compile(std::span<const std::string_view> units, std::string& log,
                                   Tier tier = Tier::full);

// Compiles one kernel of such units with optimisation. Throws std::exception.
CodeObjectDescription compile_kernel(std::span<const std::string> units, std::string_view kernel);

}  // namespace clcuda::ptx
