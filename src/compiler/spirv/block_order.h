// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "compiler/spirv/instruction.h"

namespace clcuda::compiler::spirv {

// The blocks of a function's body, each with what stands before its label, such that a block comes behind
// those that dominate it: so modules should have them, and LLVM's translator does not always. `width` gives
// the bits of an integer, by its id, for OpSwitch.
std::vector<std::span<const Instruction>> blocks_in_order(
    const std::vector<Instruction>& body,
    const std::function<std::optional<std::uint32_t>(std::uint32_t)>& width);

}  // namespace clcuda::compiler::spirv
