// SPDX-License-Identifier: Apache-2.0
#include "compiler/options.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>

namespace clcuda::compiler {
namespace {

constexpr unsigned kForBuild = 1, kForCompile = 2, kForLink = 4;
constexpr unsigned kForSource = kForBuild | kForCompile, kForAll = kForSource | kForLink;

unsigned bit_of(OptionsFor purpose) {
  switch (purpose) {
    case OptionsFor::build:
      return kForBuild;
    case OptionsFor::compile:
      return kForCompile;
    case OptionsFor::link:
      return kForLink;
  }
  return 0;
}

// Options of one word that set one value; if two set the same value, the last takes effect. The link options are those of §5.8.7.
struct Switch {
  std::string_view word;
  bool Options::* value;  // null: accepted, without effect
  unsigned purposes;
  bool on = true;
};
constexpr Switch kSwitches[] = {
    {"-cl-single-precision-constant", &Options::single_precision_constant, kForSource},
    {"-cl-denorms-are-zero", &Options::denorms_are_zero, kForAll},
    {"-cl-fp32-correctly-rounded-divide-sqrt", &Options::correctly_rounded_divide_sqrt, kForSource},
    {"-cl-opt-disable", &Options::disable_optimization, kForSource},
    {"-cl-strict-aliasing", &Options::strict_aliasing, kForSource},
    {"-fstrict-aliasing", &Options::strict_aliasing, kForSource},
    {"-fno-strict-aliasing", &Options::strict_aliasing, kForSource, false},
    {"-cl-uniform-work-group-size", &Options::uniform_work_group_size, kForSource},
    {"-cl-no-subgroup-ifp", nullptr, kForAll},  // no effect: permits less than is guaranteed
    {"-cl-mad-enable", &Options::mad_enable, kForSource},
    {"-cl-no-signed-zeros", &Options::no_signed_zeros, kForAll},
    {"-cl-unsafe-math-optimizations", &Options::unsafe_math, kForAll},
    {"-cl-finite-math-only", &Options::finite_math_only, kForAll},
    {"-cl-fast-relaxed-math", &Options::fast_relaxed_math, kForAll},
    {"-w", &Options::no_warnings, kForSource},
    {"-Werror", &Options::warnings_are_errors, kForSource},
    {"-cl-kernel-arg-info", &Options::kernel_argument_info, kForSource},
    {"-g", &Options::debug_info, kForSource},
    {"-create-library", &Options::create_library, kForLink},
    {"-enable-link-options", &Options::enable_link_options, kForLink},
    {"-cl-nv-verbose", &Options::verbose, kForAll},
};

constexpr std::array<std::string_view, 9> kStandards = {"CL1.0", "CL1.1", "CL1.2",    "CL2.0",    "CL3.0",
                                                        "CL3.1", "CLC++", "CLC++1.0", "CLC++2021"};

constexpr int kLowestArchitecture = 75;  // Turing, the oldest that current drivers support

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

std::optional<int> number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool is_macro_name(std::string_view text) {
  const auto name_character = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  const std::string_view name = text.substr(0, text.find_first_of("=("));
  return !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) &&
         std::ranges::all_of(name, name_character);
}

class Parser {
 public:
  Parser(const std::vector<std::string>& words, OptionsFor purpose)
      : words_(words), purpose_(bit_of(purpose)) {}

  ParsedOptions parse() {
    while (result_.problem.empty() && next_ < words_.size()) one(words_[next_++]);
    const Options& o = result_.options;
    if (result_.problem.empty() && o.enable_link_options && !o.create_library) {
      refuse("-enable-link-options needs -create-library");
    }
    imply();
    return std::move(result_);
  }

 private:
  void one(const std::string& word) {
    const auto known = std::ranges::find(kSwitches, std::string_view(word), &Switch::word);
    if (known != std::end(kSwitches)) {
      if (!(known->purposes & purpose_)) return refuse("option not allowed here: " + word);
      if (known->value) result_.options.*(known->value) = known->on;
      return;
    }
    if (valued(word)) return;
    refuse("unknown option: " + word);
  }

  // Parses an option with a value. Returns false if the word is not one of them.
  bool valued(const std::string& word) {
    Options& o = result_.options;
    if (const auto text = joined_or_next(word, "-D")) return macro(word, *text);
    if (const auto text = joined_or_next(word, "-I")) {
      if (text->empty()) refuse("-I needs a directory");
      o.include_directories.push_back(*text);
      return source_only(word);
    }
    if (const auto text = after(word, "-cl-std=")) {
      if (std::ranges::find(kStandards, std::string_view(*text)) == kStandards.end())
        refuse("unknown language version: " + word);
      o.standard = *text;
      return source_only(word);
    }
    if (const auto text = after(word, "-cl-nv-maxrregcount"))
      return vendor_number(word, *text, 0, 1 << 16, o.max_registers);
    if (const auto text = after(word, "-cl-nv-opt-level"))
      return vendor_number(word, *text, 0, 3, o.optimization_level);
    if (const auto text = after(word, "-cl-nv-arch")) return vendor_architecture(word, *text);
    return false;
  }

  bool macro(const std::string& word, const std::string& text) {
    if (!is_macro_name(text)) refuse("-D needs a name: " + word);
    result_.options.macros.push_back(text);
    return source_only(word);
  }

  bool source_only(const std::string& word) {
    if (!(purpose_ & kForSource)) refuse("option not allowed here: " + word);
    return true;
  }

  // -cl-nv-opt-level=2, or "-cl-nv-opt-level 2" as in the extension's specification.
  bool vendor_number(const std::string& word, std::string text, int low, int high, int& value) {
    if (text.empty() && next_ < words_.size()) text = words_[next_++];
    if (text.starts_with('=')) text.erase(0, 1);
    const auto parsed = number(text);
    if (!parsed || *parsed < low || *parsed > high) refuse("bad number for " + word);
    value = parsed.value_or(0);
    return true;
  }

  // -cl-nv-arch sm_80 or compute_80: code for devices of that architecture and later.
  bool vendor_architecture(const std::string& word, std::string text) {
    if (text.empty() && next_ < words_.size()) text = words_[next_++];
    if (text.starts_with('=')) text.erase(0, 1);
    for (const std::string_view family : {"sm_", "compute_"})
      if (text.starts_with(family))
        result_.options.architecture = number(text.substr(family.size())).value_or(0);
    if (result_.options.architecture < kLowestArchitecture)
      refuse("unknown architecture for " + word + ": " + text);
    return true;
  }

  std::optional<std::string> joined_or_next(const std::string& word, std::string_view option) {
    if (!word.starts_with(option)) return std::nullopt;
    if (word.size() > option.size()) return word.substr(option.size());
    if (next_ >= words_.size()) return std::string();
    return words_[next_++];
  }

  static std::optional<std::string> after(const std::string& word, std::string_view option) {
    if (!word.starts_with(option)) return std::nullopt;
    return word.substr(option.size());
  }

  void refuse(const std::string& problem) {
    if (result_.problem.empty()) result_.problem = problem;
  }

  // Sets the options that another option implies (§5.8.6.3).
  void imply() {
    Options& o = result_.options;
    if (o.fast_relaxed_math) o.finite_math_only = o.unsafe_math = true;
    if (o.unsafe_math) o.no_signed_zeros = o.mad_enable = o.denorms_are_zero = true;
    if (o.optimization_level == 0) o.disable_optimization = true;
    if (o.disable_optimization) o.optimization_level = 0;  // also the level at which PTX is assembled
  }

  const std::vector<std::string>& words_;
  const unsigned purpose_;
  std::size_t next_ = 0;
  ParsedOptions result_;
};

}  // namespace

bool split_words(std::string_view text, std::vector<std::string>& words) {
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && i + 1 < text.size() &&
        (text[i + 1] == '"' || text[i + 1] == '\\' || (!quote && is_space(text[i + 1])))) {
      word += text[++i];
      in_word = true;
    } else if (quote ? c == quote : (c == '"' || c == '\'')) {
      quote = quote ? 0 : c;
      in_word = true;
    } else if (!quote && is_space(c)) {
      if (in_word) words.push_back(std::move(word));
      word.clear();
      in_word = false;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (in_word) words.push_back(std::move(word));
  return quote == 0;
}

ParsedOptions parse_options(std::string_view text, OptionsFor purpose) {
  std::vector<std::string> words;
  if (text.find('\0') != text.npos) return {{}, "the options contain a null character"};
  if (!split_words(text, words)) return {{}, "unclosed quote in the options"};
  return Parser(words, purpose).parse();
}

}  // namespace clcuda::compiler
