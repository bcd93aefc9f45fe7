// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace clcuda {

// Registers a function that exit() calls, in reverse order of registration. The static objects of this library and of LLVM are never
// destroyed, because threads of the library may use them until the process has ended.
void at_process_end(void (*handler)());

}  // namespace clcuda
