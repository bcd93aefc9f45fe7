// SPDX-License-Identifier: Apache-2.0
#pragma once

// Random changes of a program's text, token by token, both typical mistakes and unlikely ones.
#include <cctype>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/opencl.h"

namespace test {

// Splits into words and numbers, each with the white space after it; any other character is a token of its own.
inline std::vector<std::string> tokens_of(std::string_view text) {
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  std::vector<std::string> tokens;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    if (is_word(text[at]))
      while (end < text.size() && is_word(text[end])) ++end;
    while (end < text.size() && std::isspace(static_cast<unsigned char>(text[end]))) ++end;
    tokens.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return tokens;
}

// Tokens of the same kind can usually replace each other without a syntax error.
enum class TokenKind { word, number, bracket, sign };
inline TokenKind kind_of(const std::string& token) {
  const char first = token.front();
  if (std::isdigit(static_cast<unsigned char>(first))) return TokenKind::number;
  if (std::isalpha(static_cast<unsigned char>(first)) || first == '_') return TokenKind::word;
  return std::string_view("()[]{}").find(first) != std::string_view::npos ? TokenKind::bracket
                                                                          : TokenKind::sign;
}

// A copy with one to `most` tokens deleted, duplicated, exchanged, or replaced by others of the same kind.
inline std::string mutated(std::vector<std::string> tokens, std::size_t most,
                           std::mt19937_64& engine = random_engine()) {
  const auto below = [&](std::size_t end) { return static_cast<std::size_t>(engine() % end); };
  const auto like = [&](const std::string& token) {
    std::size_t place = below(tokens.size());
    for (int tries = 0; tries < 100 && kind_of(tokens[place]) != kind_of(token); ++tries)
      place = below(tokens.size());
    return place;
  };
  for (std::size_t edits = 1 + below(most); edits > 0 && tokens.size() > 1; --edits) {
    const std::size_t at = below(tokens.size()), from = like(tokens[at]);
    const std::string other = tokens[from];
    switch (below(8)) {
      case 0:
        tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(at));
        break;
      case 1:
        tokens.insert(tokens.begin() + static_cast<std::ptrdiff_t>(at), other);
        break;
      case 2:
      case 3:
        std::swap(tokens[at], tokens[from]);
        break;
      default:
        tokens[at] = other;
        if (kind_of(other) != TokenKind::number) break;
        constexpr const char* kNumbers[] = {"0 ",   "1 ", "-1 ", "33 ", "4294967295 ", "9223372036854775808 ",
                                            "1e39 "};
        tokens[at] = kNumbers[below(std::size(kNumbers))];
    }
  }
  std::string text;
  for (const std::string& token : tokens) text += token;
  return text;
}

}  // namespace test
