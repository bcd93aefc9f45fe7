// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "compiler/program_image.h"
#include "cuda/module.h"

namespace clcuda {

class Device;

// Machine code of a program's variant for a device, as it was made before in this process or in another, or made now. Devices that
// are alike can share it. Throws Error(CL_BUILD_PROGRAM_FAILURE) with the driver's log.
std::shared_ptr<const cuda::MachineCode> cached_machine_code(Device& device,
                                                             const compiler::ProgramImage& image,
                                                             const compiler::VariantCode& code);

// The same, made anew: for when the driver refuses what the cache has.
std::shared_ptr<const cuda::MachineCode> new_machine_code(Device& device, const compiler::ProgramImage& image,
                                                          const compiler::VariantCode& code);

}  // namespace clcuda
