// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace test {

// Prints the stack to standard error before a signal ends the process, for machines without a debugger. To be called before OpenCL is used:
// the library's signal handler calls this one for signals that it does not handle. Does nothing under a sanitizer, which prints its own
// report.
void report_crashes();

}  // namespace test
