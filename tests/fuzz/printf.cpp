// SPDX-License-Identifier: Apache-2.0
// The output of a launch: formats from a program binary, and records that a device has written.
#include "runtime/program/printf.h"

#include <bit>
#include <cstdint>
#include <cstring>

#include "base/printf_format.h"
#include "fuzz.h"

namespace fuzz {
namespace {

// An input: formats, each terminated by a null character, then an empty one; then records.
std::string seed(const std::vector<std::string>& formats,
                 const std::vector<std::vector<std::uint64_t>>& records) {
  std::string bytes;
  for (const std::string& format : formats) bytes.append(format).push_back('\0');
  bytes.push_back('\0');
  for (std::size_t i = 0; i < records.size(); ++i) {
    const std::uint32_t head[] = {static_cast<std::uint32_t>(8 + 8 * records[i].size()),
                                  static_cast<std::uint32_t>(i % formats.size())};
    bytes.append(reinterpret_cast<const char*>(head), sizeof head);
    bytes.append(reinterpret_cast<const char*>(records[i].data()), 8 * records[i].size());
  }
  return bytes;
}

}  // namespace

void run(std::string_view input) {
  std::vector<std::string> formats;
  for (;;) {
    const std::size_t end = input.find('\0');
    if (end == input.npos) return;
    const std::string_view format = input.substr(0, end);
    input.remove_prefix(end + 1);
    if (format.empty()) break;
    formats.emplace_back(format);
  }
  const std::vector<std::byte> records(reinterpret_cast<const std::byte*>(input.data()),
                                       reinterpret_cast<const std::byte*>(input.data()) + input.size());
  clcuda::print_records(records, formats, [](std::string_view) {});
  // As the compiler parses a format.
  for (std::string_view format : formats)
    while (!format.empty()) clcuda::next_printf_piece(format);
}

std::vector<std::string> made_seeds() {
  const auto number = [](double value) { return std::bit_cast<std::uint64_t>(value); };
  return {
      seed({"\nplain 100%%\n"}, {{}}),
      seed({"iicsp\n%d %-+8.3x|%c%s%p", "\ntext"}, {{1, 0xffffffff, 'c', 1, 0x1000}, {}}),
      seed({"d4\n%v4.2hlf", "c16l\n%#v16hhx %020lu", "dd\n%a %-30.10G"},
           {{number(1), number(-2.5), number(1e300), number(0.0 / 0.0)},
            {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, ~std::uint64_t{0}},
            {number(0.1), number(1e10)}}),
      seed({"sss\n%s %100s %.2s", "long text"}, {{1, ~std::uint64_t{0}, 1}}),
  };
}

const Form kForm = Form::bytes;

}  // namespace fuzz
