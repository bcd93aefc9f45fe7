// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "statement_generator.h"

namespace random_kernels {
namespace {

Term made(const std::string& format, const Type& type, const Terms& operands, const Function& function) {
  return apply(format, type, 1, operands, function);
}

Wide magnitude(Wide value) { return value < 0 ? -value : value; }

template <class Compute>
Function real_function(const Type& type, const Compute& compute) {
  return [=](const std::vector<Raw>& x) {
    if (type.bits == 64) return raw_of(compute(std::bit_cast<double>(x[0]), std::bit_cast<double>(x.back())));
    return raw_of(compute(std::bit_cast<float>(static_cast<std::uint32_t>(x[0])),
                          std::bit_cast<float>(static_cast<std::uint32_t>(x.back()))));
  };
}

}  // namespace

Term StatementGenerator::constant(const Type& type) {
  const Wide values[] = {0,
                         1,
                         2,
                         3,
                         5,
                         7,
                         -1,
                         -2,
                         lowest(type),
                         highest(type),
                         highest(type) - 1,
                         Wide{1} << below(type.bits),
                         static_cast<Wide>(below(100)),
                         static_cast<Wide>(random_())};
  return number_term(type, any_of(values));
}

Term StatementGenerator::leaf(const Type& type, bool uniform, unsigned depth) {
  const auto is_possible = [&](const Variable& each) {
    return !each.type.is_float && (each.is_uniform || !uniform);
  };
  const bool of_any_type = chance(30);
  const auto found = find([&](const Variable& each) {
    return is_possible(each) && (of_any_type || each.type == type) && (each.length == 1 || depth > 0);
  });
  if (!found || chance(12)) return constant(type);
  Term read = found->length > 1 ? element(*found, index_of(*found, uniform)) : of(*found);
  if (found->width > 1) read = part(read, below(found->width));
  return converted(type, read);
}

Term StatementGenerator::index_of(const Variable& array, bool uniform) {
  const Type type = kIntegers[chance(70) ? 5 : 2 + below(6)];
  const Term index = integer(type, uniform, below(2));
  if (chance(30)) return index;
  return apply("$0 & " + std::to_string(array.length - 1), type, 1, {index},
               [=](const auto& x) { return x[0] & (array.length - 1); });
}

Term StatementGenerator::integer(const Type& type, bool uniform, unsigned depth) {
  if (depth == 0) return leaf(type, uniform, 0);
  switch (below(9)) {
    case 0:
    case 1:
      return leaf(type, uniform, depth);
    case 2:
    case 3:
      return sum(any_of(std::array{'+', '-', '*'}), type, integer(type, uniform, depth - 1),
                 integer(type, uniform, depth - 1));
    case 4:
      return chance(25) ? quotient(any_of(std::array{'/', '%'}), type, integer(type, uniform, depth - 1),
                                   chance(50) ? constant(type) : integer(type, uniform, depth - 1))
                        : pattern(type, uniform, depth - 1);
    case 5:
      return pattern(type, uniform, depth - 1);
    case 6:
      return choice(condition(uniform, depth - 1), integer(type, uniform, depth - 1),
                    integer(type, uniform, depth - 1));
    case 7:
      if (const Term made = of_floating(type, uniform, depth - 1)) return made;
      [[fallthrough]];
    default:
      return of_two(type, uniform, depth - 1);
  }
}

Term StatementGenerator::of_two(const Type& type, bool uniform, unsigned depth) {
  const Terms two = {integer(type, uniform, depth), integer(type, uniform, depth)};
  const std::string bits = std::to_string(type.bits - 1);
  const auto shift = [=](Raw by) { return static_cast<unsigned>(by & (type.bits - 1)); };
  switch (below(9)) {
    case 0:
      return made("$0 & $1", type, two, [](const auto& x) { return x[0] & x[1]; });
    case 1:
      return made("$0 | $1", type, two, [](const auto& x) { return x[0] | x[1]; });
    case 2:
      return made("$0 ^ $1", type, two, [](const auto& x) { return x[0] ^ x[1]; });
    case 3:
      return made("$0 << ($1 & " + bits + ")", type, two, [=](const auto& x) { return x[0] << shift(x[1]); });
    case 4:
      return made("$0 >> ($1 & " + bits + ")", type, two,
                  [=](const auto& x) { return wrap(type, number(type, x[0]) >> shift(x[1])); });
    case 5:
      return made("~$0", type, {two[0]}, [](const auto& x) { return ~x[0]; });
    case 6:
      return made("min($0, $1)", type, two,
                  [=](const auto& x) { return number(type, x[0]) < number(type, x[1]) ? x[0] : x[1]; });
    case 7:
      return made("max($0, $1)", type, two,
                  [=](const auto& x) { return number(type, x[0]) < number(type, x[1]) ? x[1] : x[0]; });
    default: {
      const Type from = any_integer();
      return made("(" + std::string(from.name) + ")$0", type, {two[0]},
                  [=](const auto& x) { return wrap(type, number(from, x[0])); });
    }
  }
}

// Patterns that passes of the compiler match.
Term StatementGenerator::pattern(const Type& type, bool uniform, unsigned depth) {
  const Term a = integer(type, uniform, depth), b = integer(type, uniform, depth);
  const Term zero = number_term(type, 0), c = condition(uniform, depth);
  const Type bits = integer_of(type.bits, false);
  const auto distance = [=](const auto& x) {
    return wrap(bits, magnitude(number(type, x[0]) - number(type, x[1])));
  };
  const auto opposite = [&](const Term& of) { return sum('-', type, zero, of); };
  switch (below(11)) {
    case 0:  // fold_add_into_select
      return sum(any_of(std::array{'+', '-'}), type, a, chance(50) ? choice(c, b, zero) : choice(c, zero, b));
    case 1:
      return sum(any_of(std::array{'+', '-'}), type, a, converted(type, c));
    case 2:
      return made(chance(50) ? "$0 | ($1 ? $2 : 0)" : "$0 | ($1 ? $2 : ($T)0)", type, {a, c, b},
                  [](const auto& x) { return x[0] | (x[1] ? x[2] : 0); });
    case 3: {  // reuse_subtractions
      const Term step = constant(type);
      return sum('*', type, sum('-', type, a, b), sum('-', type, sum('+', type, a, step), b));
    }
    case 4: {  // llvm_unsigned_abs_diff
      const bool is_less = chance(50), is_reversed = chance(50);
      const Term order = apply(is_less ? "$0 < $1" : "$0 >= $1", kIntegers[4], 1, {a, b}, [=](const auto& x) {
        return Raw{(number(type, x[0]) < number(type, x[1])) == is_less};
      });
      const Term one = sum('-', type, a, b), other = sum('-', type, b, a);
      return choice(order, is_reversed ? other : one, is_reversed ? one : other);
    }
    case 5:
      return made("abs_diff($0, $1)", type, {a, b}, distance);
    case 6:  // ptxas_abs
      return made("abs($0)", type, {a},
                  [=](const auto& x) { return wrap(bits, magnitude(number(type, x[0]))); });
    case 7: {
      const Term negative =
          apply("$0 < 0", kIntegers[4], 1, {a}, [=](const auto& x) { return Raw{number(type, x[0]) < 0}; });
      const Term size = choice(negative, opposite(a), a);
      return chance(50) ? opposite(size) : quotient('%', type, size, b);
    }
    case 8: {  // ptxas_negated_minmax
      const Term third = integer(type, uniform, 0);
      return made("max(max($0, $1), $2)", type, {opposite(a), b, third}, [=](const auto& x) {
        return wrap(type, std::max({number(type, x[0]), number(type, x[1]), number(type, x[2])}));
      });
    }
    case 9:  // restore_multiply_adds
      return sum('+', type, sum('*', type, sum('*', type, a, b), b), sum('*', type, a, b));
    default:
      return made("mul_hi($0, $1)", type, {a, b}, [=](const auto& x) {
        if (type.has_sign) return wrap(type, (number(type, x[0]) * number(type, x[1])) >> type.bits);
        return static_cast<Raw>((static_cast<unsigned __int128>(x[0]) * x[1]) >> type.bits);
      });
  }
}

Term StatementGenerator::of_floating(const Type& type, bool uniform, unsigned depth) {
  if (uniform) return nullptr;
  const Type from = any_of(kFloats);
  return made("convert_$T_sat_rtz($0)", type, {floating(from, uniform, depth)},
              [=](const auto& x) { return to_integer(type, real(from, x[0]), Rounding::rtz); });
}

Term StatementGenerator::condition(bool uniform, unsigned depth) {
  static constexpr std::pair<const char*, bool (*)(Wide, Wide)> kRelations[] = {
      {"==", [](Wide a, Wide b) { return a == b; }}, {"!=", [](Wide a, Wide b) { return a != b; }},
      {"<", [](Wide a, Wide b) { return a < b; }},   {"<=", [](Wide a, Wide b) { return a <= b; }},
      {">", [](Wide a, Wide b) { return a > b; }},   {">=", [](Wide a, Wide b) { return a >= b; }}};
  if (depth > 0 && chance(15)) return both(condition(uniform, depth - 1), condition(uniform, depth - 1));
  const Type type = any_integer();
  const Term a = integer(type, uniform, depth);
  if (chance(35)) {
    const std::string bit = std::to_string(below(4));
    return apply("($0 >> " + bit + ") & 1", kIntegers[4], 1, {a},
                 [=](const auto& x) { return x[0] >> std::stoi(bit) & 1; });
  }
  const auto [sign, holds] = any_of(kRelations);
  return apply(std::string("$0 ") + sign + " $1", kIntegers[4], 1,
               {a, chance(50) ? constant(type) : integer(type, uniform, depth)},
               [=](const auto& x) { return Raw{holds(number(type, x[0]), number(type, x[1]))}; });
}

Term StatementGenerator::floating(const Type& type, bool uniform, unsigned depth) {
  const auto found = find([&](const Variable& each) {
    return each.type == type && each.width == 1 && each.length == 1 && (each.is_uniform || !uniform);
  });
  if (found && (depth == 0 || chance(25))) return of(*found);
  if (depth == 0 || chance(20)) {
    const Type from = any_integer();
    return apply("convert_$T($0)", type, 1, {integer(from, uniform, 0)}, [=](const auto& x) {
      return to_float(type, static_cast<long double>(number(from, x[0])), Rounding::none);
    });
  }
  const Terms two = {floating(type, uniform, depth - 1), floating(type, uniform, depth - 1)};
  switch (below(7)) {
    case 0:
      return made("$0 + $1", type, two, real_function(type, [](auto x, auto y) { return x + y; }));
    case 1:
      return made("$0 - $1", type, two, real_function(type, [](auto x, auto y) { return x - y; }));
    case 2:
      return made("$0 * $1", type, two, real_function(type, [](auto x, auto y) { return x * y; }));
    case 3:
      return made("-$0", type, {two[0]}, real_function(type, [](auto x, auto) { return -x; }));
    case 4:
      return choice(condition(uniform, depth - 1), two[0], two[1]);
    case 5:  // branch_around_divisions; single precision is not exact
      if (type.bits == 32) return two[0];
      return choice(
          condition(uniform, depth - 1),
          chance(50) ? made("$0 / $1", type, two, real_function(type, [](auto x, auto y) { return x / y; }))
                     : made("sqrt($0)", type, {two[0]},
                            real_function(type, [](auto x, auto) { return std::sqrt(x); })),
          two[1]);
    default: {
      const Type from = kFloats[type.bits == 32];
      return made("convert_$T($0)", type, {floating(from, uniform, depth - 1)}, [=](const auto& x) {
        return to_float(type, static_cast<long double>(real(from, x[0])), Rounding::none);
      });
    }
  }
}

Term StatementGenerator::vector_leaf(const Type& type, unsigned width, unsigned depth) {
  const auto found = find([&](const Variable& each) { return each.type == type && each.width == width; });
  if (found && chance(70)) return found->length > 1 ? element(*found, index_of(*found, false)) : of(*found);
  if (chance(30)) {
    Lanes lanes{};
    for (Raw& lane : lanes) lane = random_() & mask_of(type);
    return literal(type, lanes, width);
  }
  Terms parts;
  for (unsigned lane = 0; lane < width; ++lane) parts.push_back(integer(type, false, depth));
  const auto text = [=] {
    std::string each;
    for (const Term& part : parts) each += (each.empty() ? "" : ", ") + part->text();
    return "((" + name_of(type, width) + ")(" + each + "))";
  };
  return std::make_shared<Expression>(Expression{type, width, text, [=](Machine& machine, unsigned item) {
                                                   Lanes lanes{};
                                                   for (unsigned lane = 0; lane < width; ++lane)
                                                     lanes[lane] = parts[lane]->value(machine, item)[0];
                                                   return lanes;
                                                 }});
}

Term StatementGenerator::vector(const Type& type, unsigned width, unsigned depth) {
  if (depth == 0 || chance(20)) return vector_leaf(type, width, depth);
  const Terms two = {vector(type, width, depth - 1), vector(type, width, depth - 1)};
  const std::string bits = "as_" + name_of(integer_of(type.bits, false), width);
  const auto safe = [&](const std::string& sign) {
    return "as_$T(" + bits + "($0) " + sign + " " + bits + "($1))";
  };
  switch (below(8)) {
    case 0:
      return apply(safe("+"), type, width, two, [](const auto& x) { return x[0] + x[1]; });
    case 1:
      return apply(safe("-"), type, width, two, [](const auto& x) { return x[0] - x[1]; });
    case 2:
      return apply(safe("*"), type, width, two, [](const auto& x) { return x[0] * x[1]; });
    case 3:
      return apply("$0 ^ $1", type, width, two, [](const auto& x) { return x[0] ^ x[1]; });
    case 4:
      return apply("as_$T(abs_diff($0, $1))", type, width, two, [=](const auto& x) {
        return static_cast<Raw>(magnitude(number(type, x[0]) - number(type, x[1])));
      });
    case 5:
      return apply("select($0, $1, $0 < $1)", type, width, two,
                   [=](const auto& x) { return number(type, x[0]) < number(type, x[1]) ? x[1] : x[0]; });
    case 6:
      return apply("as_$T(" + bits + "($0) + " + bits + "(($T)($1)))", type, width,
                   {apply("$0 >> ($T)1", type, width, {two[0]},
                          [=](const auto& x) { return wrap(type, number(type, x[0]) >> 1); }),
                    integer(type, false, 0)},
                   [](const auto& x) { return x[0] + x[1]; });
    default: {
      const Type from = any_integer();
      return converted(type, vector(from, width, depth - 1));
    }
  }
}

Term StatementGenerator::any_term(const Variable& variable, bool uniform, unsigned depth) {
  if (variable.width > 1) return vector(variable.type, variable.width, depth);
  return variable.type.is_float ? floating(variable.type, uniform, depth)
                                : integer(variable.type, uniform, depth);
}

}  // namespace random_kernels
