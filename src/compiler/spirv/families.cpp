// SPDX-License-Identifier: Apache-2.0
#include "compiler/spirv/families.h"

#include <algorithm>
#include <array>

#include "compiler/spirv/refuse.h"

namespace clcuda::compiler::spirv {
namespace {

using Family = bool (*)(FunctionReader&, const Instruction&);

// The most frequent families first.
constexpr std::array kFamilies = {
    Family(read_memory),
    Family(read_pointer),
    Family(read_arithmetic),
    Family(read_control_flow),
    Family(read_comparison),
    Family(read_composite),
    Family(read_conversion),
    Family(read_bits),
    Family(read_logic),
    Family(read_call),
    Family(read_hint),
    Family(read_extended_instruction),
    Family(read_atomic),
    Family(read_barrier),
    Family(read_group),
    Family(read_non_uniform_group),
    Family(read_image),
    Family(read_image_query),
    Family(read_extended_arithmetic),
    Family(read_dot_product),
    Family(read_async_copy),
    Family(read_pipe),
    Family(read_device_enqueue),
    Family(read_intel_sub_group),
    Family(read_kernel_clock),
};

}  // namespace

void read_instruction(FunctionReader& reader, const Instruction& instruction) {
  const auto takes = [&](Family family) { return family(reader, instruction); };
  require(std::ranges::any_of(kFamilies, takes), "it is not supported");
}

}  // namespace clcuda::compiler::spirv
