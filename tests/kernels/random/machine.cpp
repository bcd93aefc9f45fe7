// SPDX-License-Identifier: Apache-2.0
#include "machine.h"

#include <sstream>

namespace random_kernels {
namespace {

using Unsigned128 = unsigned __int128;

Term make(const Type& type, unsigned width, std::function<std::string()> text,
          std::function<Lanes(Machine&, unsigned)> value) {
  return std::make_shared<Expression>(Expression{type, width, std::move(text), std::move(value)});
}

std::string cast(const Type& type, const std::string& text) {
  return "((" + std::string(type.name) + ")(" + text + "))";
}

// The type in which integers of a type are computed, and whether a result overflows it.
Type promoted(const Type& type) { return type.bits < 32 ? kIntegers[4] : type; }
bool overflows(const Type& type, Wide value) {
  const Type in = promoted(type);
  return in.has_sign && (value < lowest(in) || value > highest(in));
}

Wide combined(char sign, const Type& type, Raw a, Raw b) {
  const Wide x = number(type, a), y = number(type, b);
  if (sign == '+') return x + y;
  if (sign == '-') return x - y;
  return type.has_sign ? x * y : static_cast<Wide>(static_cast<Unsigned128>(x) * static_cast<Unsigned128>(y));
}

}  // namespace

std::string hex(Raw raw) {
  std::ostringstream text;
  text << "0x" << std::hex << raw;
  return text.str();
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

Term literal(const Type& type, const Lanes& lanes, unsigned width) {
  std::string all;
  for (unsigned lane = 0; lane < width; ++lane) {
    const std::string bits = hex(lanes[lane]) + (type.bits == 64 ? "ul" : "u");
    all += (lane ? ", " : "") + (type.is_float ? "as_" + std::string(type.name) + "(" + bits + ")"
                                               : "(" + std::string(type.name) + ")" + bits);
  }
  const std::string text = width == 1 ? "(" + all + ")" : "((" + name_of(type, width) + ")(" + all + "))";
  return make(type, width, [=] { return text; }, [=](Machine&, unsigned) { return lanes; });
}

Term apply(const std::string& format, const Type& type, unsigned width, const Terms& operands,
           const Function& function) {
  const auto text = [=] {
    std::string made = replaced(format, "$T", name_of(type, width));
    for (std::size_t i = 0; i < operands.size(); ++i)
      made = replaced(made, "$" + std::to_string(i), operands[i]->text());
    return width == 1 ? cast(type, made) : "(" + made + ")";
  };
  return make(type, width, text, [=](Machine& machine, unsigned item) {
    std::vector<Lanes> all;
    for (const Term& operand : operands) all.push_back(operand->value(machine, item));
    Lanes lanes{};
    for (unsigned lane = 0; lane < width; ++lane) {
      std::vector<Raw> x;
      for (std::size_t i = 0; i < operands.size(); ++i)
        x.push_back(all[i][operands[i]->width == 1 ? 0 : lane]);
      lanes[lane] = function(x) & mask_of(type);
    }
    return lanes;
  });
}

Term part(const Term& vector, unsigned lane) {
  const auto text = [=] { return vector->text() + ".s" + std::to_string(lane); };
  return make(vector->type, 1, text,
              [=](Machine& machine, unsigned item) -> Lanes { return {vector->value(machine, item)[lane]}; });
}

Term converted(const Type& type, const Term& term) {
  const Type from = term->type;
  if (from == type) return term;
  const std::string format = term->width == 1 ? "$0" : "convert_$T($0)";
  return apply(format, type, term->width, {term},
               [=](const auto& x) { return wrap(type, number(from, x[0])); });
}

Term sum(char sign, const Type& type, const Term& a, const Term& b) {
  const auto is_careful = std::make_shared<bool>();
  const auto text = [=] {
    const Type bits = integer_of(promoted(type).bits, false);
    const std::string safe = *is_careful ? "(" + std::string(bits.name) + ")" : "";
    return cast(type, safe + a->text() + " " + sign + " " + safe + b->text());
  };
  return make(type, 1, text, [=](Machine& machine, unsigned item) -> Lanes {
    const Wide result = combined(sign, type, a->value(machine, item)[0], b->value(machine, item)[0]);
    *is_careful = *is_careful || overflows(type, result);
    return {wrap(type, result)};
  });
}

Term quotient(char sign, const Type& type, const Term& a, const Term& b) {
  const auto is_careful = std::make_shared<bool>();
  const auto text = [=] {
    const std::string by = b->text();
    return cast(type, a->text() + " " + sign + " " +
                          (*is_careful ? cast(type, by + " == 0 || " + by + " == -1 ? 1 : " + by) : by));
  };
  return make(type, 1, text, [=](Machine& machine, unsigned item) -> Lanes {
    const Wide x = number(type, a->value(machine, item)[0]);
    Wide y = number(type, b->value(machine, item)[0]);
    const Wide ones = number(promoted(type), ~Raw{0});  // the representation of -1
    *is_careful = *is_careful || y == 0 || y == ones;
    if (y == 0 || y == ones) y = 1;
    return {wrap(type, sign == '/' ? x / y : x % y)};
  });
}

Term choice(const Term& condition, const Term& a, const Term& b) {
  const auto text = [=] { return cast(a->type, condition->text() + " ? " + a->text() + " : " + b->text()); };
  return make(a->type, 1, text, [=](Machine& machine, unsigned item) {
    return holds(condition, machine, item) ? a->value(machine, item) : b->value(machine, item);
  });
}

Term both(const Term& a, const Term& b) {
  const auto text = [=] { return "(" + a->text() + " && " + b->text() + ")"; };
  return make(kIntegers[4], 1, text, [=](Machine& machine, unsigned item) -> Lanes {
    return {Raw{holds(a, machine, item) && holds(b, machine, item)}};
  });
}

// An index that is out of range at any time is masked.
Term element(const Variable& variable, const Term& index) {
  if (!index)
    return make(
        variable.type, variable.width, [=] { return variable.before + variable.after; },
        [=](Machine& machine, unsigned item) { return read(machine, variable, 0, item); });
  const auto is_careful = std::make_shared<bool>();
  const auto text = [=] {
    const std::string cut = *is_careful ? " & " + std::to_string(variable.length - 1) : "";
    return variable.before + index->text() + cut + variable.after;
  };
  return make(variable.type, variable.width, text, [=](Machine& machine, unsigned item) {
    const Wide at = number(index->type, index->value(machine, item)[0]);
    *is_careful = *is_careful || at < 0 || at >= variable.length;
    return read(machine, variable, static_cast<unsigned>(at) & (variable.length - 1), item);
  });
}

Lanes read(Machine& machine, const Variable& variable, unsigned index, unsigned item) {
  if (!variable.is_part) return machine.cell(variable.place + index, item);
  return {machine.cell(variable.place, item)[0] >> (index * variable.type.bits) & mask_of(variable.type)};
}

void write(Machine& machine, const Variable& variable, unsigned index, unsigned item, const Lanes& lanes) {
  if (!variable.is_part) {
    machine.cell(variable.place + index, item) = lanes;
    return;
  }
  Raw& whole = machine.cell(variable.place, item)[0];
  const unsigned shift = index * variable.type.bits;
  whole = (whole & ~(mask_of(variable.type) << shift)) | lanes[0] << shift;
}

Statement assignment(const Variable& variable, const Term& index, const Term& value) {
  const auto is_careful = std::make_shared<bool>();
  const auto text = [=] {
    const std::string cut = *is_careful ? " & " + std::to_string(variable.length - 1) : "";
    return variable.before + (index ? index->text() + cut : "") + variable.after + " = " + value->text() +
           ";\n";
  };
  return {text, [=](Machine& machine, const Mask& mask) {
            for_each(mask, [&](unsigned item) {
              const Wide at = index ? number(index->type, index->value(machine, item)[0]) : 0;
              *is_careful = *is_careful || at < 0 || at >= variable.length;
              write(machine, variable, static_cast<unsigned>(at) & (variable.length - 1), item,
                    value->value(machine, item));
            });
            return mask;
          }};
}

Statement sequence(const std::vector<Statement>& statements) {
  const auto text = [=] {
    std::string all;
    for (const Statement& each : statements) all += each.text();
    return all;
  };
  return {text, [=](Machine& machine, Mask mask) {
            for (const Statement& each : statements)
              if (mask.any()) mask = each.run(machine, mask);
            return mask;
          }};
}

Statement branch(const Term& condition, const Statement& then, const Statement& otherwise) {
  const auto text = [=] {
    const std::string other = otherwise.text();
    return "if (" + condition->text() + ") {\n" + then.text() + "}" +
           (other.empty() ? "" : " else {\n" + other + "}") + "\n";
  };
  return {text, [=](Machine& machine, const Mask& mask) {
            Mask yes;
            for_each(mask, [&](unsigned item) { yes[item] = holds(condition, machine, item); });
            const Mask no = mask & ~yes;
            const Mask left = yes.any() ? then.run(machine, yes) : yes;
            return left | (no.any() ? otherwise.run(machine, no) : no);
          }};
}

Statement together(const std::function<std::string()>& text,
                   const std::function<void(Machine&, const Mask&)>& act) {
  return {text, [=](Machine& machine, const Mask& mask) {
            act(machine, mask);
            return mask;
          }};
}

}  // namespace random_kernels
