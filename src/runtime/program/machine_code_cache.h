// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "compiler/compiled_program.h"
#include "cuda/module.h"

namespace clcuda {

class Device;

// The machine code of each module of a variant (compiler/ptx_modules.h).
using MachineCode = std::vector<std::shared_ptr<const cuda::MachineCode>>;

// Machine code of a program's variant for a device: from the cache in memory or on disk, or compiled now, modules in parallel. Devices of
// the same chip can share it. `max_registers`: per work-item; 0: no limit. Throws Error(CL_BUILD_PROGRAM_FAILURE) with the log.
MachineCode cached_machine_code(Device& device, const compiler::CompiledProgram& program,
                                const compiler::VariantCode& code, unsigned max_registers = 0);

// The same, but compiled by the driver and not taken from the cache: called after the driver has refused to load the code.
MachineCode new_machine_code(Device& device, const compiler::CompiledProgram& program,
                             const compiler::VariantCode& code, unsigned max_registers = 0);

}  // namespace clcuda
