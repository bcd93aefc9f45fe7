// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "ptx/syntax/token_stream.h"

namespace clcuda::ptx {
namespace {

constexpr unsigned kDeepest = 64;  // limit on the nesting of a constant expression

// Binary operators by increasing precedence; `<` and `>` stand for the shifts, which are two tokens each.
constexpr std::array<std::string_view, 6> kLevels = {"|", "^", "&", "<>", "+-", "*/%"};

// `right` must not be 0 for a division.
std::uint64_t combine(char operation, std::uint64_t left, std::uint64_t right) {
  const auto a = static_cast<std::int64_t>(left), b = static_cast<std::int64_t>(right);
  const bool overflows = b == -1;  // least / -1 overflows; otherwise it is the same as negation
  switch (operation) {
    case '|':
      return left | right;
    case '^':
      return left ^ right;
    case '&':
      return left & right;
    case '<':
      return right < 64 ? left << right : 0;
    case '>':
      return right < 64 ? left >> right : 0;
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return overflows ? 0 - left : static_cast<std::uint64_t>(a / b);
    default:
      return overflows ? 0 : static_cast<std::uint64_t>(a % b);
  }
}

}  // namespace

std::uint64_t TokenStream::binary(unsigned level, unsigned depth) {
  if (level == kLevels.size()) return unary(depth);
  std::uint64_t left = binary(level + 1, depth);
  while (peek().kind == Token::Kind::mark &&
         kLevels[level].find(peek().spelling.front()) != std::string_view::npos) {
    const char operation = peek().spelling.front();
    if (operation == '<' || operation == '>') {
      if (!peek(1).is(operation)) break;
      take();
    }
    take();
    const std::uint64_t right = binary(level + 1, depth);
    if ((operation == '/' || operation == '%') && right == 0) refuse("division by zero in a constant");
    left = combine(operation, left, right);
  }
  return left;
}

std::uint64_t TokenStream::unary(unsigned depth) {
  if (depth > kDeepest) refuse("constant expression nested too deeply");
  if (take_if('-')) {
    if (peek().kind == Token::Kind::single_bits) return take().bits ^ (1ull << 31);
    if (peek().kind == Token::Kind::double_bits) return take().bits ^ (1ull << 63);
    return 0 - unary(depth + 1);
  }
  if (take_if('+')) return unary(depth + 1);
  if (take_if('~')) return ~unary(depth + 1);
  if (take_if('!')) return unary(depth + 1) == 0;
  if (take_if('(')) {
    if (take_if_part("s64") || take_if_part("u64")) {
      expect(')');
      return unary(depth + 1);
    }
    const std::uint64_t value = binary(0, depth + 1);
    expect(')');
    return value;
  }
  const Token& token = peek();
  if (token.kind == Token::Kind::word && token.spelling == "WARP_SZ") return take(), 32;
  if (token.kind != Token::Kind::integer && token.kind != Token::Kind::single_bits &&
      token.kind != Token::Kind::double_bits)
    refuse("expected a number");
  return take().bits;
}

}  // namespace clcuda::ptx
