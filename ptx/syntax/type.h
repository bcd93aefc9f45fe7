// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace clcuda::ptx {

// PTX's fundamental and packed types: the type of a register, and of each `.type` part of an instruction. u32 is {unsigned_integer, 32},
// f16x2 is {floating, 16, 2}.
enum class TypeKind : std::uint8_t {
  none,
  predicate,
  bits,
  unsigned_integer,
  signed_integer,
  floating,
  bfloat
};

struct Type {
  TypeKind kind = TypeKind::none;
  std::uint16_t bits = 0;  // of one element
  std::uint8_t lanes = 1;  // 2 for .f16x2 and the like

  bool operator==(const Type&) const = default;
  unsigned total_bits() const { return bits * lanes; }
  unsigned bytes() const { return (total_bits() + 7) / 8; }
  bool is_floating() const { return kind == TypeKind::floating || kind == TypeKind::bfloat; }
  bool is_signed() const { return kind == TypeKind::signed_integer; }
  Type element() const { return {kind, bits, 1}; }
};

constexpr Type kPredicateType{TypeKind::predicate, 1, 1};
constexpr Type bits_type(unsigned width) { return {TypeKind::bits, static_cast<std::uint16_t>(width), 1}; }
constexpr Type unsigned_type(unsigned width) {
  return {TypeKind::unsigned_integer, static_cast<std::uint16_t>(width), 1};
}

// "u32", "f16x2", "pred" …, without the leading dot; nothing if it is no type.
std::optional<Type> parse_type(std::string_view name);

}  // namespace clcuda::ptx
