// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace clcuda {

// Numbers and texts as a string of bytes, and back. For files of this machine: numbers lie as memory has
// them.
//
//   ByteWriter writer;                        ByteReader reader(bytes);
//   writer.number(count);                     auto count = reader.number<std::uint64_t>();
//   writer.text(name);                        std::string name(reader.text());
//   bytes = writer.take();                    if (!reader.good()) …
class ByteWriter {
 public:
  template <class Number>
    requires std::is_arithmetic_v<Number>
  void number(Number value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void text(std::string_view value) {
    number(std::uint64_t{value.size()});
    bytes_ += value;
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Nothing beyond the end is read: after the first read that would, good() is false, and everything read is 0
// or empty.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  template <class Number>
    requires std::is_arithmetic_v<Number>
  Number number() {
    using Stored = std::conditional_t<std::same_as<Number, bool>, std::uint8_t, Number>;
    Stored stored{};
    const std::string_view bytes = take(sizeof stored);
    if (bytes.size() == sizeof stored) std::memcpy(&stored, bytes.data(), sizeof stored);
    if constexpr (std::same_as<Number, bool>)
      if (stored > 1) fail();
    return static_cast<Number>(stored);
  }
  std::string_view text() { return take(length()); }
  // The number of the items that follow. No item is shorter than a byte, so that it never asks for more
  // memory than the bytes justify.
  std::uint64_t length() {
    const auto count = number<std::uint64_t>();
    if (count > rest_.size()) fail();
    return good_ ? count : 0;
  }
  void fail() { good_ = false; }
  bool good() const { return good_; }
  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view take(std::uint64_t count) {
    if (!good_ || count > rest_.size()) {
      fail();
      return {};
    }
    const std::string_view bytes = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return bytes;
  }

  std::string_view rest_;
  bool good_ = true;
};

}  // namespace clcuda
