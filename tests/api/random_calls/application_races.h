// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace test {

// ThreadSanitizer's suppressions for programs that make random calls, as __tsan_default_suppressions() returns them. Races between commands
// on the application's memory, buffers and images are the application's error, and there they are expected. A race is suppressed if a
// pattern matches any function on either stack, so the patterns are functions that only move bytes, none of which calls the API. The calls
// themselves read separate bytes (Arguments::value).
constexpr const char* kApplicationRaces =
    "race:ptx/execute/\n"
    "race:ptx/driver/entry_points/copy.cpp\n"
    "race:ptx/driver/entry_points/copy_3d.cpp\n"
    "race:ptx/driver/entry_points/memset.cpp\n"
    "race:clcuda::copy_bytes\n"
    "race:clcuda::fill_bytes\n"
    "race:clcuda::pack\n"
    "race:clcuda::unpack\n";

}  // namespace test
