// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "compiler/compiled_program.h"

namespace clcuda::compiler {

inline constexpr char kDeviceTriple[] = "nvptx64-nvidia-nvidiacl";

// A chip (compute capability × 10) and the newest PTX of which both the driver and the PTX compiler library make its machine code;
// versions as cuDriverGetVersion counts them. A library that there is not (0), or that is older than the chip, does not count.
Target target_for(int sm, int driver, int library);

// Whether a device runs what was made for a target.
bool runs_on(const Target& made_for, const Target& device);

// The newest architecture we know that the target can run, as code for it is selected: "sm_90".
std::string cpu_name(const Target& target);
// Its compute capability × 10.
int architecture_of(const Target& target);
// The version of PTX that code is selected for, as "+ptx78": the lowest that has the chip and takes so many bytes of parameters. (With
// what LLVM 22 selects for 9.0, such as min.u16x2, least and greatest of 16 bits came out wrong on Hopper.)
std::string ptx_feature(const Target& target, std::uint32_t parameter_bytes);
// PTX of the whole chip says so, and is of the newest version that the target takes and LLVM knows: both for the program's own PTX.
std::string declared_for(const Target& target, std::string ptx);
// Whether there is an architecture with all that the target's own chip has.
bool has_whole_chip(const Target& target);

// Whether it has the instruction by which a kernel waits for those before it in its stream.
bool can_wait(const Target& target);

// Bytes of parameters that a kernel may take, the launch record included.
std::uint32_t most_parameter_bytes(const Target& target);

}  // namespace clcuda::compiler
