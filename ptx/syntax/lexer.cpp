// SPDX-License-Identifier: Apache-2.0
#include "ptx/syntax/lexer.h"

#include <bit>
#include <charconv>

#include "ptx/syntax/parse_error.h"

namespace clcuda::ptx {
namespace {

// The C locale's classes, independent of the program's locale and of the sign of char.
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '$'; }
bool is_word_start(char c) { return is_letter(c) || c == '_' || c == '$' || c == '%'; }

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> run() {
    std::vector<Token> tokens;
    do tokens.push_back(next());
    while (tokens.back().kind != Token::Kind::end);
    return tokens;
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0';
  }
  bool at_end() const { return position_ >= text_.size(); }

  void skip_blanks() {
    while (!at_end()) {
      if (peek() == '\n') ++line_;
      if (is_space(peek())) {
        ++position_;
      } else if (peek() == '/' && peek(1) == '/') {
        while (!at_end() && peek() != '\n') ++position_;
      } else if (peek() == '/' && peek(1) == '*') {
        skip_comment();
      } else {
        return;
      }
    }
  }

  void skip_comment() {
    const unsigned start = line_;
    position_ += 2;
    while (!(peek() == '*' && peek(1) == '/')) {
      if (at_end()) throw ParseError(start, "comment without an end");
      if (peek() == '\n') ++line_;
      ++position_;
    }
    position_ += 2;
  }

  Token make(Token::Kind kind, std::size_t begin, std::uint64_t bits = 0) const {
    return {kind, text_.substr(begin, position_ - begin), bits, line_};
  }

  Token next() {
    skip_blanks();
    if (at_end()) return {Token::Kind::end, {}, 0, line_};
    const std::size_t begin = position_;
    const char c = peek();
    if (is_word_start(c)) {
      ++position_;
      while (is_word(peek())) ++position_;
      return make(Token::Kind::word, begin);
    }
    if (c == '.' && is_word(peek(1))) {
      ++position_;
      while (is_word(peek()) || (peek() == ':' && peek(1) == ':' && is_word(peek(2))))
        position_ += peek() == ':' ? 2 : 1;
      return make(Token::Kind::part, begin + 1);
    }
    if (is_digit(c)) return number();
    if (c == '"') return text();
    ++position_;
    return make(Token::Kind::mark, begin);
  }

  Token text() {
    const std::size_t begin = ++position_;
    while (!at_end() && peek() != '"' && peek() != '\n')
      position_ += peek() == '\\' && position_ + 1 < text_.size() ? 2 : 1;
    if (at_end() || peek() != '"') throw ParseError(line_, "string without an end");
    Token token = make(Token::Kind::text, begin);
    ++position_;
    return token;
  }

  Token number() {
    const std::size_t begin = position_;
    if (peek() == '0' && (peek(1) == 'f' || peek(1) == 'F')) return exact_float(8, Token::Kind::single_bits);
    if (peek() == '0' && (peek(1) == 'd' || peek(1) == 'D')) return exact_float(16, Token::Kind::double_bits);
    while (is_digit(peek())) ++position_;
    if ((peek() == '.' && is_digit(peek(1))) || peek() == 'e' || peek() == 'E') return decimal_float(begin);
    position_ = begin;
    int base = 10;
    if (peek() == '0' && (peek(1) == 'x' || peek(1) == 'X'))
      base = 16;
    else if (peek() == '0' && (peek(1) == 'b' || peek(1) == 'B'))
      base = 2;
    else if (peek() == '0' && is_digit(peek(1)))
      base = 8;
    if (base == 16 || base == 2) position_ += 2;
    const std::uint64_t bits = digits(base, 0);
    if (peek() == 'U' || peek() == 'u') ++position_;
    if (is_word(peek())) throw ParseError(line_, "malformed number");
    return make(Token::Kind::integer, begin, bits);
  }

  // Exactly `count` digits, or all that follow if it is 0.
  std::uint64_t digits(int base, std::size_t count) {
    const char* begin = text_.data() + position_;
    const char* limit =
        count ? begin + std::min(count, text_.size() - position_) : text_.data() + text_.size();
    std::uint64_t bits = 0;
    const auto [end, error] = std::from_chars(begin, limit, bits, base);
    if (error != std::errc{} || (count && end != begin + count)) throw ParseError(line_, "malformed number");
    position_ += static_cast<std::size_t>(end - begin);
    return bits;
  }

  Token exact_float(std::size_t count, Token::Kind kind) {
    const std::size_t begin = position_;
    position_ += 2;
    const std::uint64_t bits = digits(16, count);
    return make(kind, begin, bits);
  }

  Token decimal_float(std::size_t begin) {
    double value = 0;
    const auto [end, error] = std::from_chars(text_.data() + begin, text_.data() + text_.size(), value);
    if (error != std::errc{}) throw ParseError(line_, "malformed number");
    position_ = static_cast<std::size_t>(end - text_.data());
    return make(Token::Kind::double_bits, begin, std::bit_cast<std::uint64_t>(value));
  }

  std::string_view text_;
  std::size_t position_ = 0;
  unsigned line_ = 1;
};

}  // namespace

std::vector<Token> tokenize(std::string_view text) { return Lexer(text).run(); }

}  // namespace clcuda::ptx
