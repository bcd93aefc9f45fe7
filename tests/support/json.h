// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace test {

// A JSON value (RFC 8259), as far as tests need it: numbers and literals are stored as text, \u only supports ASCII.
//
//   const Json events = Json::parse(text);
//   for (const Json& event : events.elements) EXPECT_EQ(event["ph"].text, "X");
struct Json {
  enum class Kind { none, literal, string, array, object };
  Kind kind = Kind::none;
  std::string text;  // of a literal or string
  std::vector<Json> elements;
  std::map<std::string, Json, std::less<>> members;

  // Throws std::runtime_error if the text is not one value of JSON.
  static Json parse(std::string_view text);

  bool has(std::string_view name) const { return members.find(name) != members.end(); }
  // A value of kind none if there is no such member.
  const Json& operator[](std::string_view name) const {
    static const Json none;
    const auto found = members.find(name);
    return found == members.end() ? none : found->second;
  }
  double number() const { return std::strtod(text.c_str(), nullptr); }
};

class JsonReader {
 public:
  explicit JsonReader(std::string_view text) : text_(text) {}

  Json whole() {
    Json value = this->value();
    skip_space();
    if (at_ != text_.size()) fail("something behind the value");
    return value;
  }

 private:
  [[noreturn]] void fail(const char* reason) const {
    throw std::runtime_error(std::string("JSON: ") + reason + " at byte " + std::to_string(at_));
  }
  void skip_space() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }
  bool take(char c) {
    skip_space();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) fail("another character was expected");
  }

  Json value() {
    skip_space();
    if (at_ == text_.size()) fail("the end");
    switch (text_[at_]) {
      case '{':
        return object();
      case '[':
        return array();
      case '"':
        return {.kind = Json::Kind::string, .text = string(), .elements = {}, .members = {}};
      default:
        return literal();
    }
  }

  Json object() {
    Json result{.kind = Json::Kind::object, .text = {}, .elements = {}, .members = {}};
    expect('{');
    if (take('}')) return result;
    do {
      skip_space();
      std::string name = string();
      expect(':');
      if (!result.members.emplace(std::move(name), value()).second) fail("a member twice");
    } while (take(','));
    expect('}');
    return result;
  }

  Json array() {
    Json result{.kind = Json::Kind::array, .text = {}, .elements = {}, .members = {}};
    expect('[');
    if (take(']')) return result;
    do result.elements.push_back(value());
    while (take(','));
    expect(']');
    return result;
  }

  std::string string() {
    std::string result;
    expect('"');
    while (at_ < text_.size() && text_[at_] != '"') {
      if (static_cast<unsigned char>(text_[at_]) < 0x20) fail("a control character in a string");
      result += text_[at_] == '\\' ? escape() : text_[at_++];
    }
    expect('"');
    return result;
  }

  char escape() {
    const std::string_view rest = text_.substr(at_ + 1);
    if (!rest.starts_with('u')) {
      at_ += 2;
      return rest.empty() ? '\\' : rest[0];
    }
    unsigned code = 0;
    const auto [end, error] =
        std::from_chars(rest.data() + 1, rest.data() + std::min<std::size_t>(5, rest.size()), code, 16);
    if (error != std::errc() || end != rest.data() + 5) fail("four digits were expected");
    at_ += 6;
    return static_cast<char>(code);
  }

  Json literal() {
    const std::size_t end = std::min(text_.find_first_of(",]} \t\r\n", at_), text_.size());
    std::string text(text_.substr(at_, end - at_));
    char* rest = nullptr;
    (void)std::strtod(text.c_str(), &rest);
    if (text.empty() || (*rest && text != "true" && text != "false" && text != "null")) fail("no value");
    at_ = end;
    return {.kind = Json::Kind::literal, .text = std::move(text), .elements = {}, .members = {}};
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

inline Json Json::parse(std::string_view text) { return JsonReader(text).whole(); }

}  // namespace test
