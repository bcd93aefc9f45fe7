// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory/host_bytes.h"

#include <cstring>

namespace clcuda {

void copy_bytes(void* to, const void* from, std::size_t size) { std::memcpy(to, from, size); }

void fill_bytes(std::byte* to, std::size_t size, std::span<const std::byte> pattern) {
  for (std::size_t at = 0; at < size; at += pattern.size())
    std::memcpy(to + at, pattern.data(), pattern.size());
}

}  // namespace clcuda
