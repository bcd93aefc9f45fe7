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
// The version of PTX to write, as "+ptx78": the lowest that has the chip and takes so many bytes of parameters; for a program's own PTX,
// which is of the whole chip, the newest that the target takes and LLVM writes. (LLVM 22 and ptxas 13.0 disagree about what the newest
// versions bring: with 9.0 least and greatest of 16 bits, and halves in threes, came out wrong on Hopper.)
std::string ptx_feature(const Target& target, std::uint32_t parameter_bytes);
// Whether there is an architecture with all that the target's own chip has.
bool has_whole_chip(const Target& target);

// Whether it has the instruction by which a kernel waits for those before it in its stream.
bool can_wait(const Target& target);

// Bytes of parameters that a kernel may take, the launch record included.
std::uint32_t most_parameter_bytes(const Target& target);

}  // namespace clcuda::compiler
