// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/syntax/lexer.h"
#include "ptx/syntax/parse_error.h"

namespace clcuda::ptx {

// Tokens with a position, from which both parts of the parser read (module level, function bodies). take_…() move on if the token is what
// is asked for; expect(), word() and part() throw ParseError if it is not.
class TokenStream {
 public:
  explicit TokenStream(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  const Token& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(position_ + ahead, tokens_.size() - 1)];
  }
  Token take() {
    Token token = peek();
    if (position_ + 1 < tokens_.size()) ++position_;
    return token;
  }
  unsigned line() const { return peek().line; }

  bool take_if(char mark) { return peek().is(mark) && (take(), true); }
  bool take_if_part(std::string_view name) { return is_part(name) && (take(), true); }
  bool is_part(std::string_view name) const {
    return peek().kind == Token::Kind::part && peek().spelling == name;
  }
  void expect(char mark) {
    if (!take_if(mark)) refuse(std::string("expected '") + mark + "'");
  }
  std::string_view word() {
    if (peek().kind != Token::Kind::word) refuse("expected a name");
    return take().spelling;
  }
  std::string_view part() {
    if (peek().kind != Token::Kind::part) refuse("expected a '.' directive or type");
    return take().spelling;
  }
  void skip_line() {
    const unsigned line = this->line();
    while (peek().kind != Token::Kind::end && peek().line == line) take();
  }

  // Parses a constant expression over integers; a floating-point literal stands for its bits.
  std::uint64_t constant() { return binary(0, 0); }

  [[noreturn]] void refuse(const std::string& reason) const {
    const Token& token = peek();
    const std::string found = token.kind == Token::Kind::end
                                  ? "the end of the text"
                                  : "'" + std::string(token.spelling.substr(0, 80)) + "'";
    throw ParseError(token.line, reason + ", found " + found);
  }

 private:
  std::uint64_t binary(unsigned level, unsigned depth);
  std::uint64_t unary(unsigned depth);

  std::vector<Token> tokens_;
  std::size_t position_ = 0;
};

}  // namespace clcuda::ptx
