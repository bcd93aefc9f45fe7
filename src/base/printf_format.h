// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace clcuda {

// A format string of OpenCL C's printf (6.15.14) in pieces: the compiler asks which arguments are strings,
// the runtime prints.
struct PrintfPiece {
  enum class Length : unsigned char { none, hh, h, hl, l };

  std::string_view text;  // as it stands in the format
  // 0: plain text, to be copied as it is, also where a conversion is not one of OpenCL C.
  char conversion = 0;
  std::string_view flags;
  int width = -1, precision = -1;  // -1: not given
  int vector_size = 0;             // 0: a scalar
  Length length = Length::none;

  bool takes_argument() const { return conversion && conversion != '%'; }
  bool is_floating() const { return std::string_view("aAeEfFgG").find(conversion) != std::string_view::npos; }
  bool is_signed() const { return conversion == 'd' || conversion == 'i'; }
};

// The longest field that a width or precision can ask for: what C guarantees for a conversion.
inline constexpr int kLongestPrintfField = 4095;

// Takes the first piece off a format that is not empty.
PrintfPiece next_printf_piece(std::string_view& format);

}  // namespace clcuda
