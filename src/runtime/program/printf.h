// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace clcuda {

// What the records behind a printf buffer's head (builtins/printf_record.h) say, as text. The bytes come from
// the device and the formats from a program binary: neither is trusted. Records up to the first one that is
// damaged or was lost.
std::string printf_text(std::span<const std::byte> records, const std::vector<std::string>& formats);

}  // namespace clcuda
