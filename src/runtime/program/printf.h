// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clcuda {

// Passes on the text of the records after a printf buffer's header (builtins/printf_record.h), up to the first record that is damaged or
// was lost; in pieces, because a record of 16 bytes may stand for a text of megabytes. Neither the bytes, which device code wrote, nor the
// formats, which may come from a program binary, are trusted.
void print_records(std::span<const std::byte> records, const std::vector<std::string>& formats,
                   const std::function<void(std::string_view)>& write);

}  // namespace clcuda
