// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace clcuda {

// The text of the records after a printf buffer's header (builtins/printf_record.h), up to the first record that is damaged or was lost.
// Neither the bytes, which device code wrote, nor the formats, which may come from a program binary, are trusted.
std::string printf_text(std::span<const std::byte> records, const std::vector<std::string>& formats);

}  // namespace clcuda
