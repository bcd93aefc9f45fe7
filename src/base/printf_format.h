// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace clcuda {

// A piece of a format string of OpenCL C's printf (6.15.14): plain text, or one conversion. "%5d items" is the conversion 'd' of width 5,
// and the text " items". The compiler uses the pieces to find the arguments that are strings, the runtime to print. Refers to the format
// string.
struct PrintfPiece {
  enum class Length : unsigned char { none, hh, h, hl, l };

  std::string_view text;  // the piece in the format string
  // The conversion's letter. 0: plain text, which is printed unchanged; also an invalid conversion.
  char conversion = 0;
  std::string_view flags;
  int width = -1, precision = -1;  // -1: not given
  int vector_size = 0;             // 0: a scalar
  Length length = Length::none;

  bool takes_argument() const { return conversion && conversion != '%'; }
  bool is_floating() const { return std::string_view("aAeEfFgG").find(conversion) != std::string_view::npos; }
  bool is_signed() const { return conversion == 'd' || conversion == 'i'; }
};

// The largest width or precision, in characters: C guarantees no more for a conversion.
inline constexpr int kLongestPrintfField = 4095;

// Removes the first piece from a format that is not empty, and returns it.
PrintfPiece next_printf_piece(std::string_view& format);

}  // namespace clcuda
