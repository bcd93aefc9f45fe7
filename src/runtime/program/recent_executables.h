// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "compiler/compiled_program.h"
#include "runtime/program/machine_code_cache.h"

namespace clcuda {

class Device;
class Executable;

// The executables that were made last stay on their devices for a while, even if no program has them any more: a program that is
// built again needs no more than to find its own. Those that hold variables are made anew each time, because every program has its
// own variables.
std::shared_ptr<Executable> find_recent_executable(const Device& device,
                                                   const compiler::CompiledProgram& image);
void keep_executable(const std::shared_ptr<Executable>& executable, const MachineCode& machine_code);

}  // namespace clcuda
