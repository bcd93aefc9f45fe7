// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "compiler/compiled_program.h"

namespace clcuda::compiler {

inline constexpr char kDeviceTriple[] = "nvptx64-nvidia-nvidiacl";

// The target for a chip (compute capability × 10): the newest PTX that both the driver and the PTX compiler library support; versions as
// in cuDriverGetVersion. A library that is absent (0) or older than the chip is ignored.
Target target_for(int sm, int driver, int library);

// The target for a chip where no device is at hand: PTX that every driver knows that is supported and knows the chip.
Target target_for_chip(int sm);

// Whether a device runs code compiled for a target.
bool runs_on(const Target& made_for, const Target& device);

// The newest known architecture whose code the target runs, for code generation: "sm_90".
std::string cpu_name(const Target& target);
// Its compute capability × 10.
int architecture_of(const Target& target);
// The PTX version for code generation, as "+ptx78": the lowest that supports the chip and this many bytes of parameters. (With LLVM 22's
// code for PTX 9.0, such as min.u16x2, 16-bit minima and maxima were wrong on Hopper.)
std::string ptx_feature(const Target& target, std::uint32_t parameter_bytes);
// Architecture-specific PTX declares it, in the newest version that both the target and LLVM support: needed for inline PTX.
std::string declared_for(const Target& target, std::string ptx);
// Whether there is an architecture-specific target for the chip.
bool has_whole_chip(const Target& target);

// Whether it has griddepcontrol.wait, with which a kernel waits for preceding kernels in its stream.
bool can_wait(const Target& target);

// Limit on the bytes of a kernel's parameters, launch record included.
std::uint32_t most_parameter_bytes(const Target& target);

}  // namespace clcuda::compiler
