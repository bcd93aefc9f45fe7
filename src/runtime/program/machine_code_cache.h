// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "compiler/compiled_program.h"
#include "cuda/module.h"

namespace clcuda {

class Device;

// Of each module of a variant (compiler/ptx_modules.h).
using MachineCode = std::vector<std::shared_ptr<const cuda::MachineCode>>;

// Machine code of a program's variant for a device, as it was made before in this process or in another, or made now, the modules side
// by side. Devices that are alike can share it. `max_registers`: that a work-item may take, where not 0.
// Throws Error(CL_BUILD_PROGRAM_FAILURE) with the driver's log.
MachineCode cached_machine_code(Device& device, const compiler::CompiledProgram& image,
                                const compiler::VariantCode& code, unsigned max_registers = 0);

// The same, made anew: for when the driver refuses what the cache has.
MachineCode new_machine_code(Device& device, const compiler::CompiledProgram& image,
                             const compiler::VariantCode& code, unsigned max_registers = 0);

}  // namespace clcuda
