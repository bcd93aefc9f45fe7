// SPDX-License-Identifier: Apache-2.0
#include "ptx/syntax/declarations.h"

#include <bit>

namespace clcuda::ptx {
namespace {

// No variable of a real device is larger, and sums of such sizes stay far from overflow.
constexpr std::uint64_t kLargestVariable = std::uint64_t{1} << 36;

std::uint32_t parse_alignment(TokenStream& tokens) {
  const std::uint64_t alignment = tokens.constant();
  if (alignment == 0 || !std::has_single_bit(alignment) || alignment > 4096)
    tokens.refuse("alignment is no small power of two");
  return static_cast<std::uint32_t>(alignment);
}

// symbol, symbol+4, generic(symbol)+4, 0xFF00(symbol)
InitialValue parse_initial_value(TokenStream& tokens, const Type& type) {
  InitialValue value;
  const Token token = tokens.peek();
  if (token.kind == Token::Kind::integer && tokens.peek(1).is('(')) {  // mask that selects an address byte
    value.shift = token.bits ? static_cast<unsigned>(std::countr_zero(token.bits)) : 0;
    tokens.take();
    tokens.take();
    value.symbol = tokens.word();
    if (value.symbol == "generic" && tokens.take_if('(')) {
      value.generic = true;
      value.symbol = tokens.word();
      tokens.expect(')');
    }
    if (tokens.take_if('+')) value.offset = static_cast<std::int64_t>(tokens.constant());
    tokens.expect(')');
    return value;
  }
  if (token.kind == Token::Kind::word && token.spelling != "WARP_SZ") {
    value.symbol = tokens.take().spelling;
    if (value.symbol == "generic" && tokens.take_if('(')) {
      value.generic = true;
      value.symbol = tokens.word();
      if (tokens.take_if('+')) value.offset = static_cast<std::int64_t>(tokens.constant());
      tokens.expect(')');
    }
    if (tokens.peek().is('+') || tokens.peek().is('-'))
      value.offset += static_cast<std::int64_t>(tokens.constant());
    return value;
  }
  // A decimal or 0d literal may initialise an .f32, as in C.
  const bool negative = token.is('-');
  const Token::Kind kind = tokens.peek(negative ? 1 : 0).kind;
  value.bits = tokens.constant();
  if (kind == Token::Kind::double_bits && type.bits == 32 && type.is_floating())
    value.bits = std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(value.bits)));
  return value;
}

// Nested braces of arrays of arrays are flattened; `depth` bounds the recursion.
void parse_initializer(TokenStream& tokens, Variable& variable, unsigned depth) {
  if (depth > 16) tokens.refuse("initialiser nested too deeply");
  if (!tokens.take_if('{')) {
    if (variable.elements != 0 && variable.initial.size() >= variable.elements)
      tokens.refuse("more initial values than elements");
    variable.initial.push_back(parse_initial_value(tokens, variable.type));
    return;
  }
  if (tokens.take_if('}')) return;
  do parse_initializer(tokens, variable, depth + 1);
  while (tokens.take_if(','));
  tokens.expect('}');
}

void parse_dimensions(TokenStream& tokens, Variable& variable) {
  bool open = false;
  while (tokens.take_if('[')) {
    if (tokens.take_if(']')) {
      open = true;
      continue;
    }
    const std::uint64_t count = tokens.constant();
    if (count > kLargestVariable || variable.elements * count > kLargestVariable)
      tokens.refuse("array too large");
    variable.elements *= count;
    tokens.expect(']');
  }
  if (open) variable.elements = 0;
}

void parse_pointer_attributes(TokenStream& tokens) {
  if (tokens.peek().kind == Token::Kind::part && tokens.peek().spelling != "align") take_space(tokens);
  if (tokens.take_if_part("align")) parse_alignment(tokens);
}

}  // namespace

std::optional<Space> take_space(TokenStream& tokens) {
  static constexpr std::pair<std::string_view, Space> kSpaces[] = {
      {"reg", Space::reg},       {"param", Space::param},   {"local", Space::local},
      {"shared", Space::shared}, {"global", Space::global}, {"const", Space::constant}};
  for (const auto& [name, space] : kSpaces)
    if (tokens.take_if_part(name)) return space;
  return std::nullopt;
}

Variable parse_variable(TokenStream& tokens, Space space, Linkage linkage) {
  Variable variable{.space = space, .linkage = linkage, .line = tokens.line()};
  std::uint32_t alignment = 0;
  unsigned vector = 1;
  while (tokens.peek().kind == Token::Kind::part) {
    const std::string_view name = tokens.part();
    if (name == "align") {
      alignment = parse_alignment(tokens);
    } else if (name == "v2" || name == "v4") {
      vector = name == "v2" ? 2 : 4;
    } else if (name == "ptr") {
      parse_pointer_attributes(tokens);
    } else if (name == "attribute") {
      tokens.expect('(');
      while (!tokens.take_if(')')) {
        if (tokens.peek().kind == Token::Kind::end) tokens.refuse("expected ')'");
        tokens.take();
      }
    } else if (name == "texref" || name == "samplerref" || name == "surfref") {
      throw ParseError(variable.line,
                       "texture, sampler and surface variables are not supported by the CPU executor");
    } else if (const auto type = parse_type(name)) {
      variable.type = *type;
    } else {
      throw ParseError(variable.line, "unknown type or attribute '." + std::string(name) + "'");
    }
  }
  if (variable.type.kind == TypeKind::none) tokens.refuse("variable without a type");
  variable.name = tokens.word();
  variable.elements = vector;
  parse_dimensions(tokens, variable);
  variable.alignment = alignment ? alignment : std::max(1u, variable.type.bytes() * vector);
  if (tokens.take_if('=')) {
    if (space != Space::global && space != Space::constant)
      tokens.refuse("only .global and .const variables have initial values");
    parse_initializer(tokens, variable, 0);
    if (variable.elements == 0) variable.elements = variable.initial.size();
  }
  return variable;
}

std::vector<Variable> parse_parameters(TokenStream& tokens) {
  std::vector<Variable> parameters;
  if (!tokens.take_if('(')) return parameters;
  if (tokens.take_if(')')) return parameters;
  do {
    const auto space = take_space(tokens);
    if (!space || (*space != Space::param && *space != Space::reg))
      tokens.refuse("expected a .param or .reg");
    parameters.push_back(parse_variable(tokens, *space, Linkage::internal));
  } while (tokens.take_if(','));
  tokens.expect(')');
  return parameters;
}

}  // namespace clcuda::ptx
