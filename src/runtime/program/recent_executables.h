// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "compiler/compiled_program.h"
#include "runtime/program/machine_code_cache.h"

namespace clcuda {

class Device;
class Executable;

// A cache of executables that are loaded on their devices. It keeps them even if no program uses them any more, so that a program that is
// built again need not load its code. Null if the cache has none. Executables with program-scope variables are not kept, because each
// program has its own variables.
std::shared_ptr<Executable> find_recent_executable(const Device& device,
                                                   const compiler::CompiledProgram& program);
void keep_executable(const std::shared_ptr<Executable>& executable, const MachineCode& machine_code);

}  // namespace clcuda
