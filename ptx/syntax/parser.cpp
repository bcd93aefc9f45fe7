// SPDX-License-Identifier: Apache-2.0
#include "ptx/syntax/parser.h"

#include <charconv>

#include "ptx/syntax/declarations.h"
#include "ptx/syntax/function_parser.h"

namespace clcuda::ptx {
namespace {

unsigned to_number(std::string_view text) {
  unsigned number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

class ModuleParser {
 public:
  explicit ModuleParser(std::string_view text) : tokens_(tokenize(text)) {}

  Module run() {
    while (tokens_.peek().kind != Token::Kind::end) statement();
    if (module_.version == 0) throw ParseError(1, "no .version directive: not PTX");
    return std::move(module_);
  }

 private:
  void statement() {
    if (tokens_.take_if(';')) return;
    if (tokens_.is_part("file") || tokens_.is_part("loc")) return tokens_.skip_line();
    if (tokens_.take_if_part("version")) return version();
    if (tokens_.take_if_part("target")) return target();
    if (tokens_.take_if_part("address_size")) {
      if (tokens_.constant() != 64) tokens_.refuse("only 64-bit addresses are supported");
      return;
    }
    if (tokens_.take_if_part("pragma")) {
      tokens_.take();
      return tokens_.expect(';');
    }
    if (tokens_.take_if_part("section")) return section();
    Linkage linkage = Linkage::internal;
    while (tokens_.peek().kind == Token::Kind::part) {
      if (tokens_.take_if_part("visible"))
        linkage = Linkage::visible;
      else if (tokens_.take_if_part("extern"))
        linkage = Linkage::external;
      else if (tokens_.take_if_part("weak"))
        linkage = Linkage::weak;
      else if (tokens_.take_if_part("common"))
        linkage = Linkage::common;
      else
        break;
    }
    const unsigned line = tokens_.line();
    if (tokens_.is_part("entry") || tokens_.is_part("func"))
      return function(tokens_.part() == "entry", linkage, line);
    const auto space = take_space(tokens_);
    if (!space || *space == Space::reg || *space == Space::param)
      tokens_.refuse("unknown directive at module scope");
    do module_.variables.push_back(parse_variable(tokens_, *space, linkage));
    while (tokens_.take_if(','));
    tokens_.expect(';');
  }

  void version() {
    // `7.8` is lexed as one number with a fraction.
    const std::string_view text = tokens_.take().spelling;
    const auto dot = text.find('.');
    if (dot == std::string_view::npos) tokens_.refuse("expected a version as 7.8");
    module_.version = 10 * to_number(text.substr(0, dot)) + to_number(text.substr(dot + 1));
    if (module_.version == 0) tokens_.refuse("expected a version as 7.8");
  }

  void target() {
    do {
      std::string_view name = tokens_.word();
      if (!name.starts_with("sm_")) continue;
      name.remove_prefix(3);
      if (name.ends_with('a') || name.ends_with('f'))
        name.remove_suffix(1);  // architecture-specific or family-specific target
      module_.target = to_number(name);
    } while (tokens_.take_if(','));
  }

  // Skips a debug section: braces around bytes and labels.
  void section() {
    tokens_.take();
    tokens_.expect('{');
    while (!tokens_.take_if('}')) {
      if (tokens_.peek().kind == Token::Kind::end) tokens_.refuse("section without an end");
      tokens_.take();
    }
  }

  void function(bool entry, Linkage linkage, unsigned line) {
    Function function{.linkage = linkage, .entry = entry, .line = line};
    if (!entry) {
      while (tokens_.peek().kind == Token::Kind::part) tokens_.take();  // markers such as .attribute
      function.results = parse_parameters(tokens_);
    }
    function.name = tokens_.word();
    function.parameters = parse_parameters(tokens_);
    while (tokens_.peek().kind == Token::Kind::part) function_directive(function);
    if (tokens_.take_if(';')) {
      module_.functions.push_back(std::move(function));
      return;
    }
    function.has_body = true;
    parse_body(tokens_, function);
    module_.functions.push_back(std::move(function));
  }

  void function_directive(Function& function) {
    const std::string_view name = tokens_.part();
    if (name == "noreturn" || name == "explicitcluster" || name == "blocksareclusters") return;
    if (name == "pragma") {
      tokens_.take();
      tokens_.take_if(';');
      return;
    }
    std::array<std::uint32_t, 3> values{1, 1, 1};
    std::size_t count = 0;
    do {
      const std::uint64_t value = tokens_.constant();
      if (count == 3 || value > 0xffffffffu) tokens_.refuse("malformed performance directive");
      values[count++] = static_cast<std::uint32_t>(value);
    } while (tokens_.take_if(','));
    if (name == "maxntid")
      function.max_block = values;
    else if (name == "reqntid")
      function.required_block = values;
    else if (name != "minnctapersm" && name != "maxnreg" && name != "maxnctapersm" &&
             name != "reqnctapercluster" && name != "maxclusterrank")
      tokens_.refuse("unknown directive '." + std::string(name) + "'");
  }

  TokenStream tokens_;
  Module module_;
};

}  // namespace

Module parse(std::string_view text) { return ModuleParser(text).run(); }

}  // namespace clcuda::ptx
