// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace clcuda::cuda {

// The alignment, in bytes, from which the hardware distributes memory evenly over its L2 slices: random atomic updates of a table of 256
// KiB take 1.05 to 1.15 times as long at other addresses. The driver allocates blocks contiguously, so a block whose size is not a multiple
// misaligns the blocks after it.
constexpr std::size_t kPage = 64 << 10;

// `size` rounded up to whole pages.
constexpr std::size_t in_pages(std::size_t size) { return (size + kPage - 1) / kPage * kPage; }

}  // namespace clcuda::cuda
