// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace soak {

// A signal that ends the process has its stack printed to the standard error first, for machines without a debugger. To be called before
// OpenCL is: the library's own handler calls this one for what is not its own.
void report_crashes();

}  // namespace soak
