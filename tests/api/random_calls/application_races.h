// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace test {

// ThreadSanitizer's suppressions for programs that make random calls, as __tsan_default_suppressions() returns them. Races between commands
// on the application's memory, buffers and images are the application's error, and there they are expected. A race is suppressed if a
// pattern matches any function on either stack, so the patterns are functions that only move bytes, none of which calls the API. They have
// no namespace, which an inlined function's name lacks. The calls themselves read separate bytes (Arguments::value).
constexpr const char* kApplicationRaces =
    "race:ptx/execute/\n"
    "race:ptx/driver/entry_points/copy.cpp\n"
    "race:ptx/driver/entry_points/copy_3d.cpp\n"
    "race:ptx/driver/entry_points/memset.cpp\n"
    "race:copy_bytes\n"
    "race:fill_bytes\n"
    "race:for_each_row<\n"
    "race:streaming_copy\n";

}  // namespace test
