// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "compiler/program_image.h"

namespace clcuda::compiler {

inline constexpr char device_triple[] = "nvptx64-nvidia-nvidiacl";

// The newest architecture we know that the target can run: "sm_90", or "sm_90a" with all that its chip has.
std::string cpu_name(const Target& target);
// Its compute capability × 10.
int architecture_of(const Target& target);
// The newest version of PTX that the target takes and LLVM writes: "+ptx90".
std::string ptx_feature(const Target& target);
// Whether there is an architecture with all that the target's own chip has.
bool has_whole_chip(const Target& target);

// Whether it has the instruction by which a kernel waits for those before it in its stream.
bool can_wait(const Target& target);

// Bytes of parameters that a kernel may take, the launch record included.
std::uint32_t most_parameter_bytes(const Target& target);

}  // namespace clcuda::compiler
