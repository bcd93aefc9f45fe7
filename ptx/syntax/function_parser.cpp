// SPDX-License-Identifier: Apache-2.0
#include "ptx/syntax/function_parser.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>

#include "ptx/syntax/declarations.h"

namespace clcuda::ptx {
namespace {

constexpr std::size_t kDeepestScope = 256;
constexpr std::uint64_t kMostNumberedRegisters = 1u << 24;
constexpr std::size_t kMostDigits = 8;  // of a register's number

struct Name {
  enum class Kind : std::uint8_t { reg, variable, label, targets, prototype } kind;
  unsigned index;
};

// `.reg .b32 %r<100>`: registers are created where they are first named.
struct RegisterRange {
  Type type;
  std::uint64_t count;
  std::size_t order;  // among the ranges of its scope
};

struct Scope {
  std::unordered_map<std::string, Name> names;
  // By prefix. Of ranges with the same prefix, those that declare names which no earlier one declares: each is longer than the one before.
  std::unordered_map<std::string, std::vector<RegisterRange>> ranges;
  std::size_t ranges_so_far = 0;
  std::uint64_t call_parameter_bytes = 0;  // of this block and the enclosing ones so far
  struct Reference {                       // to a label, which may be defined later or in another scope
    std::string name;
    unsigned line;
    bool in_targets;
    std::size_t where;  // instruction, or target list
    std::size_t which;  // operand, or entry
  };
  std::vector<Reference> references;
};

class BodyParser {
 public:
  BodyParser(TokenStream& tokens, Function& function) : tokens_(tokens), function_(function) {}

  void run() {
    open_scope();
    unsigned index = 0;
    for (const auto* list : {&function_.results, &function_.parameters})
      for (const Variable& variable : *list) declare_parameter(variable, index++);
    tokens_.expect('{');
    while (!scopes_.empty()) statement();
  }

 private:
  void declare_parameter(const Variable& variable, unsigned index) {
    if (variable.space == Space::reg)
      declare(variable.name, {Name::Kind::reg, add_register(variable.name, variable.type)}, variable.line);
    else
      declare(variable.name, {Name::Kind::variable, index}, variable.line);
  }

  void open_scope() {
    if (scopes_.size() >= kDeepestScope) tokens_.refuse("blocks nested too deeply");
    const std::uint64_t bytes = scopes_.empty() ? 0 : scopes_.back().call_parameter_bytes;
    scopes_.emplace_back().call_parameter_bytes = bytes;
  }

  void close_scope() {
    Scope scope = std::move(scopes_.back());
    scopes_.pop_back();
    for (Scope::Reference& reference : scope.references) {
      const auto found = scope.names.find(reference.name);
      if (found != scope.names.end()) {
        resolve(reference, found->second);
      } else {
        if (scopes_.empty())
          throw ParseError(reference.line, "label '" + reference.name + "' is not defined");
        scopes_.back().references.push_back(std::move(reference));
      }
    }
  }

  void resolve(const Scope::Reference& reference, const Name& name) {
    if (reference.in_targets) {
      if (name.kind != Name::Kind::label)
        throw ParseError(reference.line, "'" + reference.name + "' is no label");
      function_.targets[reference.where][reference.which] = name.index;
      return;
    }
    Instruction& instruction = function_.instructions[reference.where];
    if (instruction.form->opcode == "call") {
      if (name.kind != Name::Kind::prototype)
        throw ParseError(reference.line, "'" + reference.name + "' is no prototype or list of functions");
      instruction.prototype = name.index + 1;
      return;
    }
    const bool indexed = instruction.form->opcode == "brx";
    if (name.kind != (indexed ? Name::Kind::targets : Name::Kind::label))
      throw ParseError(reference.line, "'" + reference.name + "' cannot be branched to");
    instruction.operands[reference.which].index = name.index;
  }

  void declare(std::string_view name, Name what, unsigned line) {
    if (!scopes_.back().names.emplace(std::string(name), what).second)
      throw ParseError(line, "'" + std::string(name) + "' is declared twice");
  }

  unsigned add_register(std::string_view name, Type type) {
    function_.registers.push_back({std::string(name), type});
    return static_cast<unsigned>(function_.registers.size() - 1);
  }

  static void declare_range(Scope& scope, std::string_view prefix, Type type, std::uint64_t count) {
    auto& ranges = scope.ranges[std::string(prefix)];
    if (ranges.empty() || count > ranges.back().count) ranges.push_back({type, count, scope.ranges_so_far++});
  }

  // The first range that declares the name. The number may begin at each digit: `%a1<10>` declares %a10, and so does `%a<20>`.
  static const RegisterRange* find_range(const Scope& scope, const std::string& name) {
    const RegisterRange* first = nullptr;
    if (scope.ranges.empty()) return first;
    for (std::size_t digits = 1; digits <= std::min(kMostDigits, name.size()); ++digits) {
      const std::size_t begin = name.size() - digits;
      if (name[begin] < '0' || name[begin] > '9') break;
      const auto found = scope.ranges.find(name.substr(0, begin));
      if (found == scope.ranges.end()) continue;
      std::uint64_t number = 0;
      std::from_chars(name.data() + begin, name.data() + name.size(), number);
      const auto range = std::ranges::upper_bound(found->second, number, {}, &RegisterRange::count);
      if (range != found->second.end() && (!first || range->order < first->order)) first = &*range;
    }
    return first;
  }

  const Name* find(const std::string& name) {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      if (const auto found = scope->names.find(name); found != scope->names.end()) return &found->second;
      if (const RegisterRange* range = find_range(*scope, name))
        return &scope->names.emplace(name, Name{Name::Kind::reg, add_register(name, range->type)})
                    .first->second;
    }
    return nullptr;
  }

  void statement() {
    if (tokens_.take_if('}')) return close_scope();
    if (tokens_.take_if('{')) return open_scope();
    if (tokens_.take_if(';')) return;
    if (tokens_.peek().kind == Token::Kind::part) return directive();
    if (tokens_.peek().kind == Token::Kind::word && tokens_.peek(1).is(':')) return label();
    instruction();
  }

  void directive() {
    for (const std::string_view ignored : {"loc", "file"})
      if (tokens_.is_part(ignored)) return tokens_.skip_line();
    if (tokens_.take_if_part("pragma")) {
      while (!tokens_.take_if(';')) {
        if (tokens_.peek().kind == Token::Kind::end) tokens_.refuse("expected ';'");
        tokens_.take();
      }
      return;
    }
    const auto space = take_space(tokens_);
    if (!space) tokens_.refuse("unknown directive");
    if (*space == Space::reg) return registers();
    do {
      Variable variable = parse_variable(tokens_, *space, Linkage::internal);
      const auto index = static_cast<unsigned>(function_.results.size() + function_.parameters.size() +
                                               function_.variables.size());
      declare(variable.name, {Name::Kind::variable, index}, variable.line);
      if (*space == Space::param) {
        variable.place = scopes_.back().call_parameter_bytes;
        scopes_.back().call_parameter_bytes += variable.bytes();
      }
      function_.variables.push_back(std::move(variable));
    } while (tokens_.take_if(','));
    tokens_.expect(';');
  }

  void registers() {
    std::optional<Type> type;
    while (tokens_.peek().kind == Token::Kind::part) {
      const std::string_view name = tokens_.part();
      type = parse_type(name);
      if (!type) tokens_.refuse("unknown register type '." + std::string(name) + "'");
    }
    if (!type) tokens_.refuse("register without a type");
    do {
      const unsigned line = tokens_.line();
      const std::string_view name = tokens_.word();
      if (tokens_.take_if('<')) {
        const std::uint64_t count = tokens_.constant();
        if (count > kMostNumberedRegisters) tokens_.refuse("too many registers");
        declare_range(scopes_.back(), name, *type, count);
        tokens_.expect('>');
      } else {
        declare(name, {Name::Kind::reg, add_register(name, *type)}, line);
      }
    } while (tokens_.take_if(','));
    tokens_.expect(';');
  }

  void label() {
    const unsigned line = tokens_.line();
    const std::string_view name = tokens_.word();
    tokens_.take();
    if (tokens_.take_if_part("branchtargets")) {
      declare(name, {Name::Kind::targets, static_cast<unsigned>(function_.targets.size())}, line);
      function_.targets.emplace_back();
      do {
        scopes_.back().references.push_back({std::string(tokens_.peek().spelling), tokens_.line(), true,
                                             function_.targets.size() - 1, function_.targets.back().size()});
        tokens_.word();
        function_.targets.back().push_back(0);
      } while (tokens_.take_if(','));
      tokens_.expect(';');
    } else if (tokens_.take_if_part("callprototype")) {
      Prototype prototype;
      prototype.results = parse_parameters(tokens_);
      tokens_.word();
      prototype.parameters = parse_parameters(tokens_);
      tokens_.take_if_part("noreturn");
      add_prototype(name, std::move(prototype), line);
    } else if (tokens_.take_if_part("calltargets")) {
      Prototype prototype;
      do prototype.targets.emplace_back(tokens_.word());
      while (tokens_.take_if(','));
      add_prototype(name, std::move(prototype), line);
    } else {
      declare(name, {Name::Kind::label, static_cast<unsigned>(function_.labels.size())}, line);
      function_.labels.push_back(static_cast<unsigned>(function_.instructions.size()));
    }
  }

  void add_prototype(std::string_view name, Prototype prototype, unsigned line) {
    tokens_.expect(';');
    declare(name, {Name::Kind::prototype, static_cast<unsigned>(function_.prototypes.size())}, line);
    function_.prototypes.push_back(std::move(prototype));
  }

  void instruction() {
    Instruction made;
    made.line = tokens_.line();
    if (tokens_.take_if('@')) {
      const bool negated = tokens_.take_if('!');
      const std::string name(tokens_.word());
      const Name* found = find(name);
      if (!found || found->kind != Name::Kind::reg ||
          function_.registers[found->index].type != kPredicateType)
        throw ParseError(made.line, "'" + name + "' is no predicate");
      made.guard = Guard{found->index, negated};
    }
    const std::string opcode(tokens_.word());
    std::vector<std::string_view> parts;
    while (tokens_.peek().kind == Token::Kind::part) parts.push_back(tokens_.part());
    const auto forms = forms_of(opcode);
    if (forms.empty()) throw ParseError(made.line, unknown_opcode(opcode));
    if (opcode == "call") {
      parse_call(made);
    } else {
      parse_operands(made, opcode == "bra" || opcode == "brx");
    }
    choose_form(made, opcode, forms, parts);
    tokens_.expect(';');
    note_labels(made);
    function_.instructions.push_back(std::move(made));
  }

  static std::string unknown_opcode(const std::string& opcode) {
    return "'" + opcode + "' is not an instruction that the CPU executor knows";
  }

  void choose_form(Instruction& made, const std::string& opcode,
                   std::span<const InstructionForm* const> forms, std::span<const std::string_view> parts) {
    std::string wrong_operands;
    for (const InstructionForm* form : forms) {
      auto matched = match_parts(*form, parts);
      if (!matched) continue;
      wrong_operands = mismatch(*form, made);
      if (!wrong_operands.empty()) continue;
      made.form = form;
      made.parts = std::move(*matched);
      return;
    }
    std::string written = opcode;
    for (const auto part : parts) written.append(".").append(part);
    throw ParseError(made.line,
                     "'" + written.substr(0, 120) + "': " +
                         (wrong_operands.empty() ? "no such form of this instruction" : wrong_operands));
  }

  static std::string mismatch(const InstructionForm& form, const Instruction& made) {
    if (form.operands.size() == 1 && form.operands[0].kind == '*') return {};
    std::size_t next = 0;
    for (const InstructionForm::OperandSlot& slot : form.operands) {
      if (next == made.operands.size()) {
        if (slot.optional) continue;
        return "too few operands";
      }
      const Operand& operand = made.operands[next++];
      if (std::string wrong = mismatch(slot, operand); !wrong.empty())
        return "operand " + std::to_string(next) + ": " + wrong;
    }
    return next == made.operands.size() ? std::string() : "too many operands";
  }

  static std::string mismatch(const InstructionForm::OperandSlot& slot, const Operand& operand) {
    using Kind = Operand::Kind;
    const bool paired = operand.kind == Kind::vector && operand.name == "|";
    const bool is_register = operand.kind == Kind::reg || operand.kind == Kind::sink;
    if ((slot.kind == 'a' || slot.kind == 't') != operand.address)
      return "an address in brackets is wanted here and nowhere else";
    if (operand.address && (slot.kind == 't') == operand.elements.empty())
      return "coordinates belong to textures and surfaces";
    switch (slot.kind) {
      case 'd':
        if (!is_register) return "not a register";
        break;
      case 'p':
        if (!is_register && !paired) return "not a register";
        break;
      case 's':
        if (operand.kind == Kind::vector || operand.kind == Kind::sink || operand.kind == Kind::label)
          return "not a value";
        break;
      case 'V':
        if (paired || operand.kind == Kind::label) return "not a value";
        break;
      case 'l':
        return operand.kind == Kind::label ? "" : "not a label";
      default:
        break;
    }
    return operand.kind == Kind::label ? "'" + operand.name + "' is not declared" : std::string();
  }

  void note_labels(const Instruction& made) {
    for (std::size_t i = 0; i < made.operands.size(); ++i)
      if (made.operands[i].kind == Operand::Kind::label)
        scopes_.back().references.push_back(
            {made.operands[i].name, made.line, false, function_.instructions.size(), i});
  }

  void parse_operands(Instruction& made, bool branches) {
    if (tokens_.peek().is(';')) return;
    do {
      Operand operand = parse_operand(branches);
      if (tokens_.take_if('|')) {
        Operand pair{.kind = Operand::Kind::vector, .name = "|"};
        pair.elements.push_back(std::move(operand));
        pair.elements.push_back(parse_operand(false));
        operand = std::move(pair);
      }
      made.operands.push_back(std::move(operand));
    } while (tokens_.take_if(','));
  }

  void parse_call(Instruction& made) {
    if (tokens_.peek().is('(')) {
      made.results = parse_list();
      tokens_.expect(',');
    }
    made.operands.push_back(parse_operand(false));
    if (!tokens_.take_if(',')) return;
    if (tokens_.peek().is('(')) {
      made.arguments = parse_list();
      if (!tokens_.take_if(',')) return;
    }
    scopes_.back().references.push_back(
        {std::string(tokens_.peek().spelling), made.line, false, function_.instructions.size(), 0});
    tokens_.word();
  }

  std::vector<Operand> parse_list() {
    std::vector<Operand> list;
    tokens_.expect('(');
    if (tokens_.take_if(')')) return list;
    do list.push_back(parse_operand(false));
    while (tokens_.take_if(','));
    tokens_.expect(')');
    return list;
  }

  Operand parse_operand(bool labels_allowed) {
    if (tokens_.take_if('[')) {
      Operand operand = parse_scalar(false);
      parse_offset(operand);
      operand.address = true;
      if (tokens_.take_if(',')) operand.elements = parse_coordinates();
      tokens_.expect(']');
      return operand;
    }
    if (tokens_.peek().is('{')) return {.kind = Operand::Kind::vector, .elements = parse_elements()};
    Operand operand = parse_scalar(labels_allowed);
    if (operand.kind == Operand::Kind::symbol || operand.kind == Operand::Kind::variable)
      parse_offset(operand);
    return operand;
  }

  std::vector<Operand> parse_elements() {
    std::vector<Operand> elements;
    tokens_.expect('{');
    do elements.push_back(parse_scalar(false));
    while (tokens_.take_if(','));
    tokens_.expect('}');
    if (elements.size() > 8) tokens_.refuse("vector of more than 8 elements");
    return elements;
  }

  // The coordinates of a texture or surface instruction: a vector or one value.
  std::vector<Operand> parse_coordinates() {
    if (tokens_.peek().is('{')) return parse_elements();
    return {parse_scalar(false)};
  }

  void parse_offset(Operand& operand) {
    if (tokens_.peek().is('+') || tokens_.peek().is('-'))
      operand.offset = static_cast<std::int64_t>(tokens_.constant());
  }

  Operand parse_scalar(bool labels_allowed) {
    const Token token = tokens_.peek();
    if (tokens_.take_if('!')) {
      if (tokens_.peek().is('!')) tokens_.refuse("'!' is for predicates");
      Operand operand = parse_scalar(false);
      if (operand.kind != Operand::Kind::reg || operand.negated) tokens_.refuse("'!' is for predicates");
      operand.negated = true;
      return operand;
    }
    if (token.kind != Token::Kind::word || token.spelling == "WARP_SZ") return parse_immediate();
    tokens_.take();
    if (token.spelling == "_") return {};
    std::string name(token.spelling);
    if (const Name* found = find(name)) {
      if (found->kind == Name::Kind::reg) return {.kind = Operand::Kind::reg, .index = found->index};
      if (found->kind == Name::Kind::variable)
        return {.kind = Operand::Kind::variable, .index = found->index, .name = name};
      return {.kind = Operand::Kind::label, .name = name};
    }
    if (name.front() == '%') {
      name.erase(0, 1);
      while (tokens_.peek().kind == Token::Kind::part) name.append(".").append(tokens_.part());
      return {.kind = Operand::Kind::special, .name = name};
    }
    // An undeclared word is a label further down if the instruction can have one, and a module symbol otherwise.
    return {.kind = labels_allowed ? Operand::Kind::label : Operand::Kind::symbol, .name = std::move(name)};
  }

  Operand parse_immediate() {
    const Token::Kind kind = tokens_.peek(tokens_.peek().is('-') ? 1 : 0).kind;
    Operand operand{.kind = Operand::Kind::immediate, .bits = tokens_.constant()};
    if (kind == Token::Kind::single_bits) operand.kind = Operand::Kind::single_immediate;
    if (kind == Token::Kind::double_bits) operand.kind = Operand::Kind::double_immediate;
    return operand;
  }

  TokenStream& tokens_;
  Function& function_;
  std::vector<Scope> scopes_;
};

}  // namespace

void parse_body(TokenStream& tokens, Function& function) { BodyParser(tokens, function).run(); }

}  // namespace clcuda::ptx
