// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace clcuda {

// Has exit() call `handler`, those given last first. No static object of this library or of LLVM is
// destroyed, before or after: threads of ours may be at work until the process is gone.
void at_process_end(void (*handler)());

}  // namespace clcuda
