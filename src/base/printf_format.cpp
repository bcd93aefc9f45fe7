// SPDX-License-Identifier: Apache-2.0
#include "base/printf_format.h"

#include <algorithm>
#include <optional>

namespace clcuda {
namespace {

class Reader {
 public:
  explicit Reader(std::string_view rest) : rest_(rest) {}

  std::string_view rest() const { return rest_; }

  bool take(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  std::string_view take_all_of(std::string_view characters) {
    const std::string_view taken = rest_.substr(0, rest_.find_first_not_of(characters));
    rest_.remove_prefix(taken.size());
    return taken;
  }

  std::optional<int> number() {
    const std::string_view digits = take_all_of("0123456789");
    if (digits.empty()) return std::nullopt;
    int value = 0;
    for (const char digit : digits) value = std::min(kLongestPrintfField, value * 10 + (digit - '0'));
    return value;
  }

  char take_one_of(std::string_view characters) {
    if (rest_.empty() || characters.find(rest_.front()) == std::string_view::npos) return 0;
    const char taken = rest_.front();
    rest_.remove_prefix(1);
    return taken;
  }

 private:
  std::string_view rest_;
};

PrintfPiece::Length take_length(Reader& reader) {
  using Length = PrintfPiece::Length;
  if (reader.take("hh")) return Length::hh;
  if (reader.take("hl")) return Length::hl;
  if (reader.take("h")) return Length::h;
  // size_t and ptrdiff_t (OpenCL C 3.1) have the size of long; so has C's long long, which OpenCL C only reserves.
  if (reader.take("ll") || reader.take("l") || reader.take("z") || reader.take("t")) return Length::l;
  return Length::none;
}

bool is_vector_size(int size) { return size == 2 || size == 3 || size == 4 || size == 8 || size == 16; }

// The conversion after a '%'; plain text if OpenCL C has no such conversion.
PrintfPiece take_conversion(Reader& reader) {
  PrintfPiece piece;
  piece.flags = reader.take_all_of("-+ #0");
  piece.width = reader.number().value_or(-1);
  if (reader.take(".")) piece.precision = reader.number().value_or(0);
  bool known = true;
  if (reader.take("v")) {
    piece.vector_size = reader.number().value_or(0);
    known = is_vector_size(piece.vector_size);
  }
  piece.length = take_length(reader);
  piece.conversion = reader.take_one_of(piece.vector_size || piece.length != PrintfPiece::Length::none
                                            ? "diouxXaAeEfFgG"
                                            : "diouxXaAeEfFgGcsp%");
  if (!known) piece.conversion = 0;
  return piece;
}

}  // namespace

PrintfPiece next_printf_piece(std::string_view& format) {
  PrintfPiece piece;
  const std::string_view whole = format;
  if (format.front() == '%') {
    Reader reader(format.substr(1));
    piece = take_conversion(reader);
    format = reader.rest();
  } else {
    format.remove_prefix(std::min(format.find('%'), format.size()));
  }
  piece.text = whole.substr(0, whole.size() - format.size());
  return piece;
}

}  // namespace clcuda
