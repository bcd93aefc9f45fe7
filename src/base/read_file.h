// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace clcuda {

// The content of a regular file (those of /proc are, too); nothing if it cannot be read, is something else, or is longer than `most`. Does
// not block, as opening a pipe would, and the processes that the application starts do not inherit the descriptor.
std::optional<std::string> read_file(const std::string& path, std::size_t most);

// For files of /proc and /sys.
inline constexpr std::size_t kLargestReport = 64 << 20;

}  // namespace clcuda
