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

// Serialises numbers and texts to a string of bytes, and reads them back. Numbers are in this machine's byte order, so the bytes are for
// files of this machine only.
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

// Refers to the bytes, as do the texts that it returns, and does not copy them. Never reads beyond the end: from the first such attempt on,
// good() is false and all reads return 0 or an empty text.
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
  // The number of items that follow. Fails if it is larger than the number of bytes left, so that a caller that allocates that many items
  // does not need more memory than the input justifies.
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
