// SPDX-License-Identifier: Apache-2.0
#include "base/config_check.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <numeric>
#include <optional>
#include <string_view>

#include "base/device_words.h"

namespace clcuda {
namespace {

using Check = std::optional<std::string> (*)(std::string_view variable, std::string_view value);

// Each check returns what is expected if the value is invalid.
std::optional<std::string> check_number(std::string_view, std::string_view value) {
  int number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error == std::errc() && end == value.data() + value.size() && number >= 0) return std::nullopt;
  return "a number that is not negative";
}
std::optional<std::string> check_switch(std::string_view, std::string_view value) {
  if (value == "0" || value == "1") return std::nullopt;
  return "0 or 1";
}

struct Words {
  std::string_view variable, words;
};
constexpr Words kWords[] = {
#define WORDS(variable, words) {variable, words},
#include "base/config_values.def"
#undef WORDS
};

bool is_among(std::string_view word, std::string_view words) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find('|'), words.size());
    if (words.substr(0, end) == word) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

std::string list_of(std::string_view words) {
  std::string text;
  for (const char c : words) text += c == '|' ? std::string(", ") : std::string(1, c);
  return text;
}

std::optional<std::string> check_string(std::string_view variable, std::string_view value) {
  if (variable == "CLCUDA_DEVICES" && !parse_device_words(value).unknown.empty())
    return "gpu and cpu, with commas between them";
  for (const Words& each : kWords)
    if (each.variable == variable && !is_among(value, each.words)) return "one of " + list_of(each.words);
  return std::nullopt;
}

constexpr Check check_of(const std::string*) { return check_string; }
constexpr Check check_of(const int*) { return check_number; }
constexpr Check check_of(const bool*) { return check_switch; }

struct Variable {
  std::string_view name;
  Check check;
};
const Variable kVariables[] = {
#define CONFIG(type, name, variable, fallback, text) {variable, check_of(static_cast<const type*>(nullptr))},
#include "base/config.def"
#undef CONFIG
};

// Edit distance: how many letters have to be inserted, removed, replaced or exchanged with their neighbour.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before, row(b.size() + 1), next(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    next[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      next[j] = std::min({row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        next[j] = std::min(next[j], before[j - 2] + 1);
    }
    before = row;
    row.swap(next);
  }
  return row.back();
}

std::string upper(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return result;
}

// The variable that was meant by another name; empty if none is similar.
std::string_view similar_to(std::string_view name) {
  constexpr std::size_t kMost = 2;
  constexpr std::size_t kLongest = 64;  // much longer than any known name
  if (name.size() > kLongest) return {};
  const auto far = [&](const Variable& variable) { return distance(upper(name), variable.name); };
  const auto* nearest = std::ranges::min_element(kVariables, {}, far);
  return far(*nearest) <= kMost ? nearest->name : std::string_view();
}

// Reports an unknown name if it resembles a known one or begins with CLCUDA_; other names belong to other programs.
void check_name(std::string_view name, std::string_view value, std::vector<ConfigFault>& faults) {
  using Kind = ConfigFault::Kind;
  if (const std::string_view meant = similar_to(name); !meant.empty())
    faults.push_back({Kind::misspelt, std::string(name), std::string(value), std::string(meant)});
  else if (name.starts_with("CLCUDA_"))
    faults.push_back({Kind::unknown, std::string(name), std::string(value), {}});
}

}  // namespace

std::vector<ConfigFault> check_config(const char* const* variables) {
  std::vector<ConfigFault> faults;
  for (; *variables; ++variables) {
    const std::string_view text = *variables;
    const std::size_t end = text.find('=');
    if (end == std::string_view::npos) continue;
    const std::string_view name = text.substr(0, end), value = text.substr(end + 1);
    const auto* known = std::ranges::find(kVariables, name, &Variable::name);
    if (known == std::end(kVariables)) {
      check_name(name, value, faults);
    } else if (!value.empty()) {
      if (auto expected = known->check(name, value))
        faults.push_back(
            {ConfigFault::Kind::invalid, std::string(name), std::string(value), *std::move(expected)});
    }
  }
  return faults;
}

}  // namespace clcuda
