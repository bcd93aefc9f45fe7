// SPDX-License-Identifier: Apache-2.0
#include "runtime/program/printf.h"

#include <locale.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string_view>

#include "base/default_floating_mode.h"
#include "base/printf_format.h"
#include "builtins/printf_record.h"

namespace clcuda {
namespace {

using Length = PrintfPiece::Length;

// One argument of a record: its letter and its slots.
struct Value {
  char letter = 0;
  std::span<const std::uint64_t> slots;
};

std::uint64_t word_at(std::span<const std::byte> bytes, std::size_t offset) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes.data() + offset, sizeof word);
  return word;
}

// The arguments that the letters of a format describe, as far as there are slots for them.
std::vector<Value> values_of(std::string_view types, std::span<const std::uint64_t> slots) {
  std::vector<Value> values;
  while (!types.empty()) {
    const char letter = types.front();
    types.remove_prefix(1);
    std::size_t count = 0;
    bool vector = false;
    while (!types.empty() && types.front() >= '0' && types.front() <= '9') {
      vector = true;
      count =
          std::min<std::size_t>(slots.size() + 1, count * 10 + static_cast<std::size_t>(types.front() - '0'));
      types.remove_prefix(1);
    }
    if (!vector) count = 1;
    if (count > slots.size()) break;
    values.push_back({letter, slots.first(count)});
    slots = slots.subspan(count);
  }
  return values;
}

// If conversion and argument do not match, the value is converted; the specification leaves such calls undefined.
std::int64_t as_integer(char letter, std::uint64_t slot) {
  if (letter != 'd') return static_cast<std::int64_t>(slot);
  const double value = std::bit_cast<double>(slot);
  constexpr double kLimit = 9.2e18;
  return std::isnan(value) ? 0 : static_cast<std::int64_t>(std::clamp(value, -kLimit, kLimit));
}

double as_double(char letter, std::uint64_t slot) {
  return letter == 'd' ? std::bit_cast<double>(slot) : static_cast<double>(static_cast<std::int64_t>(slot));
}

// While one exists, the thread has C's locale, whatever the application has set: OpenCL C has a decimal point (section 6.15.14), and a
// comma between the elements of a vector.
class PlainLocale {
 public:
  PlainLocale() : before_(plain() ? ::uselocale(plain()) : nullptr) {}
  ~PlainLocale() {
    if (before_) ::uselocale(before_);
  }
  PlainLocale(const PlainLocale&) = delete;
  PlainLocale& operator=(const PlainLocale&) = delete;

 private:
  // Null if there is no memory for it. Never freed: threads may print while the process ends.
  static locale_t plain() {
    static const locale_t locale = ::newlocale(LC_ALL_MASK, "C", nullptr);
    return locale;
  }
  const locale_t before_;
};

class Printer {
 public:
  explicit Printer(const std::vector<std::string>& formats) : formats_(formats) {}

  void print(std::uint32_t format_index, std::span<const std::uint64_t> slots) {
    const PlainLocale locale;
    if (format_index >= formats_.size()) return;
    const std::string_view entry = formats_[format_index];
    const std::size_t end = entry.find('\n');
    if (end == std::string_view::npos) return;
    const std::vector<Value> values = values_of(entry.substr(0, end), slots);
    std::string_view format = entry.substr(end + 1);
    auto next = values.begin();
    while (!format.empty()) {
      const PrintfPiece piece = next_printf_piece(format);
      if (piece.conversion == '%')
        text_ += '%';
      else if (!piece.takes_argument() || next == values.end())
        text_ += piece.text;
      else
        print_value(piece, *next++);
    }
  }

  const std::string& text() const { return text_; }
  std::string take() { return std::exchange(text_, {}); }

 private:
  void print_value(const PrintfPiece& piece, const Value& value) {
    const std::size_t wanted = piece.vector_size ? static_cast<std::size_t>(piece.vector_size) : 1;
    const std::size_t count = std::min(wanted, value.slots.size());
    for (std::size_t i = 0; i < count; ++i) {
      if (i) text_ += ',';
      print_element(piece, value.letter, value.slots[i]);
    }
  }

  void print_element(const PrintfPiece& piece, char letter, std::uint64_t slot) {
    if (piece.conversion == 's') return print_string(piece, letter, slot);
    if (piece.conversion == 'c')
      return print_formatted(piece, "", static_cast<int>(as_integer(letter, slot)));
    if (piece.conversion == 'p')
      return print_formatted(piece, "", reinterpret_cast<void*>(static_cast<std::uintptr_t>(slot)));
    if (piece.is_floating()) return print_formatted(piece, "", as_double(letter, slot));
    print_integer(piece, as_integer(letter, slot));
  }

  // Prints as many bits as the length modifier says; higher ones are sign extension, or of an argument that does not match the conversion.
  void print_integer(const PrintfPiece& piece, std::int64_t value) {
    if (piece.length == Length::l) return print_formatted(piece, "ll", static_cast<long long>(value));
    const int bits = piece.length == Length::hh ? 8 : piece.length == Length::h ? 16 : 32;
    const std::uint64_t low = static_cast<std::uint64_t>(value) & ((std::uint64_t{1} << bits) - 1);
    if (!piece.is_signed()) return print_formatted(piece, "ll", static_cast<long long>(low));
    print_formatted(piece, "ll",
                    static_cast<long long>(static_cast<std::int64_t>(low << (64 - bits)) >> (64 - bits)));
  }

  void print_string(const PrintfPiece& piece, char letter, std::uint64_t slot) {
    const char* text = letter == 's' && slot < formats_.size() ? formats_[slot].c_str() : "(null)";
    print_formatted(piece, "", text);
  }

  // The host's printf does the conversion: OpenCL C takes its conversions over from C.
  template <class T>
  void print_formatted(const PrintfPiece& piece, const char* length, T value) {
    std::string format = "%";
    for (const char flag : {'-', '+', ' ', '#', '0'})
      if (piece.flags.find(flag) != std::string_view::npos) format += flag;
    if (piece.width >= 0) format += std::to_string(piece.width);
    if (piece.precision >= 0) format += "." + std::to_string(piece.precision);
    format += length;
    format += piece.conversion;
    // Fits all but long strings and the widest fields.
    std::array<char, 512> place;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    const int size = std::snprintf(place.data(), place.size(), format.c_str(), value);
    if (size < 0) return;
    const auto length_of_text = static_cast<std::size_t>(size);
    if (length_of_text < place.size()) {
      text_.append(place.data(), length_of_text);
      return;
    }
    const std::size_t before = text_.size();
    text_.resize(before + length_of_text + 1);
    std::snprintf(text_.data() + before, length_of_text + 1, format.c_str(), value);
    text_.resize(before + length_of_text);
#pragma GCC diagnostic pop
  }

  const std::vector<std::string>& formats_;
  std::string text_;
};

}  // namespace

void print_records(std::span<const std::byte> records, const std::vector<std::string>& formats,
                   const std::function<void(std::string_view)>& write) {
  constexpr std::size_t kPiece = 1 << 20;
  const DefaultFloatingMode mode;
  Printer printer(formats);
  std::vector<std::uint64_t> slots;
  while (records.size() >= sizeof(clcuda_printf_record)) {
    clcuda_printf_record record;
    std::memcpy(&record, records.data(), sizeof record);
    if (record.size < sizeof record || record.size % 8 != 0 || record.size > records.size()) break;
    slots.clear();
    for (std::size_t at = sizeof record; at < record.size; at += 8) slots.push_back(word_at(records, at));
    printer.print(record.format, slots);
    if (printer.text().size() >= kPiece) write(printer.take());
    records = records.subspan(record.size);
  }
  if (!printer.text().empty()) write(printer.take());
}

}  // namespace clcuda
