// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <cstddef>

namespace clcuda {

// The unit in which the system maps and protects memory, and the driver registers it: 4 KiB on x86-64, up to 64 KiB on Arm.
inline std::size_t host_page() noexcept {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

}  // namespace clcuda
