// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace clcuda::ptx {

// A token of PTX. Refers to the text.
struct Token {
  enum class Kind : std::uint8_t { end, word, part, integer, single_bits, double_bits, text, mark };
  Kind kind = Kind::end;
  std::string_view spelling;  // word; part: without its dot; text: without quotes; mark: one character
  std::uint64_t bits = 0;     // integer, single_bits, double_bits
  unsigned line = 0;

  bool is(char mark) const { return kind == Kind::mark && spelling.front() == mark; }
};

// The tokens of a text, the last of kind `end`. `text` must outlive them. Throws ParseError for what is no token.
std::vector<Token> tokenize(std::string_view text);

}  // namespace clcuda::ptx
