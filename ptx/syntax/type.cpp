// SPDX-License-Identifier: Apache-2.0
#include "ptx/syntax/type.h"

#include <utility>

namespace clcuda::ptx {

std::optional<Type> parse_type(std::string_view name) {
  using enum TypeKind;
  static constexpr std::pair<std::string_view, Type> kTypes[] = {
      {"pred", {predicate, 1, 1}},
      {"b8", {bits, 8, 1}},
      {"b16", {bits, 16, 1}},
      {"b32", {bits, 32, 1}},
      {"b64", {bits, 64, 1}},
      {"b128", {bits, 128, 1}},
      {"u8", {unsigned_integer, 8, 1}},
      {"u16", {unsigned_integer, 16, 1}},
      {"u32", {unsigned_integer, 32, 1}},
      {"u64", {unsigned_integer, 64, 1}},
      {"s8", {signed_integer, 8, 1}},
      {"s16", {signed_integer, 16, 1}},
      {"s32", {signed_integer, 32, 1}},
      {"s64", {signed_integer, 64, 1}},
      {"f16", {floating, 16, 1}},
      {"f16x2", {floating, 16, 2}},
      {"f32", {floating, 32, 1}},
      {"f64", {floating, 64, 1}},
      {"bf16", {bfloat, 16, 1}},
      {"bf16x2", {bfloat, 16, 2}},
      {"u16x2", {unsigned_integer, 16, 2}},
      {"s16x2", {signed_integer, 16, 2}},
  };
  for (const auto& [text, type] : kTypes)
    if (text == name) return type;
  return std::nullopt;
}

}  // namespace clcuda::ptx
