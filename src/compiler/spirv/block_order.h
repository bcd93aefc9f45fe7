// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "compiler/spirv/instruction.h"

namespace clcuda::compiler::spirv {

// The blocks of a function's body in an order in which each comes after the blocks that dominate it, as SPIR-V demands and LLVM's
// translator does not always do: a value is then defined before it is used. Each span includes what is ahead of the block's label (OpLine)
// and refers to `body`. `width` returns the bits of an integer by its id, as the literals of OpSwitch have that width.
std::vector<std::span<const Instruction>> blocks_in_order(
    const std::vector<Instruction>& body,
    const std::function<std::optional<std::uint32_t>(std::uint32_t)>& width);

}  // namespace clcuda::compiler::spirv
