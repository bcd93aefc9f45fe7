// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "compiler/compiled_program.h"

namespace llvm {
class Module;
}

namespace clcuda::compiler {

// The kernels of a program, by number, in groups that are worth a thread each, so that parts of a program are optimised, emitted and
// assembled in parallel. The grouping depends on the program only, not on the machine.
std::vector<std::vector<std::size_t>> divide(const llvm::Module& module,
                                             const std::vector<KernelInfo>& kernels);

// For tools that write a program's code as one module: programs are not divided from here on. To be called before the first build.
void keep_programs_whole();

}  // namespace clcuda::compiler
