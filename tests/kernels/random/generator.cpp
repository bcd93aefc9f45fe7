// SPDX-License-Identifier: Apache-2.0
#include "generator.h"

#include <algorithm>
#include <cfloat>
#include <iomanip>
#include <numeric>
#include <sstream>

namespace random_kernels {
namespace {

using Unsigned128 = unsigned __int128;
constexpr std::array kVectorWidths{2u, 3u, 4u, 8u, 16u};
constexpr char kDigits[] = "0123456789abcdef";

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

std::string constant(const Type& type, Raw raw) {
  const std::string bits = hex(raw) + (type.bits == 64 ? "ul" : "u");
  return type.is_float ? "as_" + std::string(type.name) + "(" + bits + ")"
                       : "(" + std::string(type.name) + ")" + bits;
}

// An operation on integers without undefined overflow.
std::string wrapping_operation(const Type& type, unsigned width, const std::string& operation) {
  if (width == 1) {
    const std::string safe = type.bits == 64 ? "(ulong)" : "(uint)";
    return safe + "$0 " + operation + " " + safe + "$1";
  }
  const std::string bits = "as_" + std::string(integer_of(type.bits, false).name) + std::to_string(width);
  return "as_$T(" + bits + "($0) " + operation + " " + bits + "($1))";
}

Raw high_product(const Type& type, Raw a, Raw b) {
  if (!type.has_sign) return wrap(type, static_cast<Wide>((Unsigned128{a} * b) >> type.bits));
  return wrap(type, (number(type, a) * number(type, b)) >> type.bits);
}

Raw saturated_mad(const Type& type, Raw a, Raw b, Raw c) {
  if (type.has_sign) return saturate(type, number(type, a) * number(type, b) + number(type, c));
  const Unsigned128 sum = Unsigned128{a} * b + c;
  return sum > mask_of(type) ? mask_of(type) : static_cast<Raw>(sum);
}

Raw rotated(const Type& type, Raw a, Raw by) {
  const unsigned count = static_cast<unsigned>(by % type.bits);
  return count ? wrap(type, static_cast<Wide>(a << count | a >> (type.bits - count))) : a;
}

Raw leading_zeros(const Type& type, Raw a) {
  return static_cast<Raw>(std::countl_zero(a)) - (64 - type.bits);
}

Raw trailing_zeros(const Type& type, Raw a) {
  return std::min<Raw>(static_cast<Raw>(std::countr_zero(a)), type.bits);
}

template <class Compute>
Raw computed(const Type& type, const std::vector<Raw>& x, const Compute& compute) {
  if (type.bits == 64) return raw_of(compute(std::bit_cast<double>(x[0]), std::bit_cast<double>(x.back())));
  return raw_of(compute(std::bit_cast<float>(static_cast<std::uint32_t>(x[0])),
                        std::bit_cast<float>(static_cast<std::uint32_t>(x.back()))));
}

}  // namespace

unsigned Generator::any_width() { return chance(35) ? 1 : any_of(kVectorWidths); }

std::string Generator::name_of(const Type& type, unsigned width) {
  return width == 1 ? type.name : type.name + std::to_string(width);
}

Generator::Value Generator::apply(const std::string& format, const Type& type, unsigned width,
                                  const Values& operands, const Function& function) {
  std::string text = replaced(format, "$T", name_of(type, width));
  for (std::size_t i = 0; i < operands.size(); ++i)
    text = replaced(text, "$" + std::to_string(i), operands[i].text);
  Value made{width == 1 ? "((" + std::string(type.name) + ")(" + text + "))" : "(" + text + ")", type, width};
  std::vector<Raw> x(operands.size());
  for (unsigned item = 0; item < kItems; ++item) {
    for (unsigned lane = 0; lane < width; ++lane) {
      for (std::size_t i = 0; i < operands.size(); ++i)
        x[i] = operands[i].lanes[item][operands[i].width == 1 ? 0 : lane];
      made.lanes[item][lane] = function(x) & mask_of(type);
    }
  }
  return made;
}

Generator::Value Generator::expression(const Type& type, unsigned width, unsigned depth) {
  if (depth == 0) return leaf(type, width);
  return type.is_float ? floating(type, width, depth - 1) : integer(type, width, depth - 1);
}

// --- leaves

Generator::Value Generator::literal(const Type& type, unsigned width) {
  Value made{"", type, width};
  Lanes lanes{};
  for (unsigned lane = 0; lane < width; ++lane) {
    if (type.is_float) {
      constexpr double kValues[] = {0.0,    -0.0, 1.0,   -1.0,       0.5,   -3.0,
                                    1024.0, 1e10, -3e10, 16777217.0, 1e-42, FLT_MAX};
      constexpr double kNotNumbers[] = {INFINITY, -INFINITY, NAN};
      lanes[lane] = raw_of_real(type, chance(65)   ? any_of(kValues)
                                      : chance(20) ? any_of(kNotNumbers)
                                                   : static_cast<double>(below(2000)) / 8 - 100);
    } else {
      const Wide values[] = {0, 1, 2, 3, lowest(type), highest(type), -1, static_cast<Wide>(random_())};
      lanes[lane] = wrap(type, any_of(values));
    }
    made.text += (lane ? ", " : "") + constant(type, lanes[lane]);
  }
  made.text = "((" + name_of(type, width) + ")(" + made.text + "))";
  std::ranges::fill(made.lanes, lanes);
  return made;
}

Generator::Condition Generator::any_condition() {
  const Value of = leaf(any_of(kIntegers), 1);
  const unsigned bit = below(of.type.bits);
  Condition made{"(ulong)" + of.text + " >> " + std::to_string(bit) + " & 1", {}};
  for (unsigned item = 0; item < kItems; ++item) made.holds[item] = of.lanes[item][0] >> bit & 1;
  return made;
}

// One of two constants: compilers know a range of the value, but not the value.
Generator::Value Generator::one_of_two(const Type& type, unsigned width) {
  const Condition condition = any_condition();
  const Value one = literal(type, width), other = literal(type, width);
  const std::string text = "(" + condition.text + " ? " + one.text + " : " + other.text + ")";
  Value made{width == 1 ? "((" + std::string(type.name) + ")" + text + ")" : text, type, width};
  for (unsigned item = 0; item < kItems; ++item)
    made.lanes[item] = (condition.holds[item] ? one : other).lanes[item];
  return made;
}

Generator::Value Generator::part(const Value& of, unsigned width) {
  std::vector<unsigned> places(width);
  std::string letters = "s";
  for (unsigned& place : places) {
    place = below(of.width);
    letters += kDigits[place];
  }
  if (of.width != 3 && 2 * width == of.width && chance(50)) {
    const bool second = chance(50), alternating = chance(50);
    letters = alternating ? (second ? "odd" : "even") : (second ? "hi" : "lo");
    for (unsigned i = 0; i < width; ++i) places[i] = alternating ? 2 * i + second : i + second * width;
  }
  Value made{of.text + "." + letters, of.type, width};
  for (unsigned item = 0; item < kItems; ++item)
    for (unsigned lane = 0; lane < width; ++lane) made.lanes[item][lane] = of.lanes[item][places[lane]];
  return made;
}

Generator::Value Generator::leaf(const Type& type, unsigned width) {
  if (chance(10)) return one_of_two(type, width);
  std::vector<const Value*> same, wider, others;
  for (const Value& each : variables_) {
    if (each.type == type && each.width == width) same.push_back(&each);
    if (each.type == type && each.width > width) wider.push_back(&each);
    if (!each.type.is_float && !type.is_float && each.width == width) others.push_back(&each);
  }
  if (!same.empty() && chance(90)) return *any_of(same);
  if (!wider.empty() && chance(90)) return part(*any_of(wider), width);
  if (others.empty() || chance(10)) return literal(type, width);
  const Value from = *any_of(others);
  return apply("convert_$T($0)", type, width, {from},
               [=](const auto& x) { return wrap(type, number(from.type, x[0])); });
}

// --- integers

Generator::Value Generator::integer(const Type& type, unsigned width, unsigned depth) {
  switch (below(14)) {
    case 0:
    case 1:
    case 2:
      return arithmetic(type, width, depth);
    case 3:
      return division(type, width, depth);
    case 4:
    case 5:
      return of_two(type, width, depth);
    case 6:
      return of_one(type, width, depth);
    case 7:
      return of_three(type, width, depth);
    case 8:
      return type.bits == 32 ? of_24_bits(type, width, depth) : of_three(type, width, depth);
    case 9:
      return type.has_sign ? comparison(type, width, depth) : of_two(type, width, depth);
    case 10:
      return choice(type, width, depth);
    case 11:
      return type.bits > 8 ? upsampled(type, width, depth) : of_one(type, width, depth);
    case 12:
      return chance(50) ? shuffled(type, width, depth) : reinterpreted(type, width);
    default:
      return converted(type, width, depth);
  }
}

Generator::Value Generator::arithmetic(const Type& type, unsigned width, unsigned depth) {
  const Values x = {expression(type, width, depth), expression(type, width, depth)};
  const std::string places = "($1 & ($T)(" + std::to_string(type.bits - 1) + "))";
  const unsigned bits = type.bits;
  switch (below(8)) {
    case 0:
      return apply(wrapping_operation(type, width, "+"), type, width, x,
                   [](const auto& v) { return v[0] + v[1]; });
    case 1:
      return apply(wrapping_operation(type, width, "-"), type, width, x,
                   [](const auto& v) { return v[0] - v[1]; });
    case 2:
      return apply(wrapping_operation(type, width, "*"), type, width, x,
                   [](const auto& v) { return v[0] * v[1]; });
    case 3:
      return apply("$0 & $1", type, width, x, [](const auto& v) { return v[0] & v[1]; });
    case 4:
      return apply("$0 | ~$1", type, width, x, [](const auto& v) { return v[0] | ~v[1]; });
    case 5:
      return apply("$0 ^ $1", type, width, x, [](const auto& v) { return v[0] ^ v[1]; });
    case 6:
      return apply(replaced(wrapping_operation(type, width, "<<"), "$1", places), type, width, x,
                   [=](const auto& v) { return v[0] << (v[1] & (bits - 1)); });
    default:
      return apply("$0 >> " + places, type, width, x, [=](const auto& v) {
        return static_cast<Raw>(number(type, v[0]) >> (v[1] & (bits - 1)));
      });
  }
}

// The divisor is neither 0 nor -1.
Generator::Value Generator::division(const Type& type, unsigned width, unsigned depth) {
  const Values x = {expression(type, width, depth), expression(type, width, depth)};
  const Raw positive = static_cast<Raw>(highest(type));
  const std::string divisor =
      "(($1 & ($T)(" + hex(positive) + (type.bits == 64 ? "ul" : "u") + ")) | ($T)(1))";
  const bool rest = chance(50);
  return apply(std::string("$0 ") + (rest ? "%" : "/") + " " + divisor, type, width, x, [=](const auto& v) {
    const Wide a = number(type, v[0]), b = static_cast<Wide>((v[1] & positive) | 1);
    return wrap(type, rest ? a % b : a / b);
  });
}

Generator::Value Generator::of_one(const Type& type, unsigned width, unsigned depth) {
  const unsigned which = below(type.has_sign ? 3 : 4);
  if (which == 3) {
    const Type from = integer_of(type.bits, true);
    return apply("abs($0)", type, width, {expression(from, width, depth)}, [=](const auto& v) {
      const Wide a = number(from, v[0]);
      return wrap(type, a < 0 ? -a : a);
    });
  }
  constexpr const char* kNames[] = {"clz($0)", "ctz($0)", "popcount($0)"};
  return apply(kNames[which], type, width, {expression(type, width, depth)}, [=](const auto& v) {
    return which == 0   ? leading_zeros(type, v[0])
           : which == 1 ? trailing_zeros(type, v[0])
                        : static_cast<Raw>(std::popcount(v[0]));
  });
}

Generator::Value Generator::of_two(const Type& type, unsigned width, unsigned depth) {
  using Compute = Raw (*)(const Type&, Raw, Raw);
  static constexpr std::pair<const char*, Compute> kFunctions[] = {
      {"add_sat", [](const Type& t, Raw a, Raw b) { return saturate(t, number(t, a) + number(t, b)); }},
      {"sub_sat", [](const Type& t, Raw a, Raw b) { return saturate(t, number(t, a) - number(t, b)); }},
      {"hadd", [](const Type& t, Raw a, Raw b) { return wrap(t, (number(t, a) + number(t, b)) >> 1); }},
      {"rhadd", [](const Type& t, Raw a, Raw b) { return wrap(t, (number(t, a) + number(t, b) + 1) >> 1); }},
      {"mul_hi", high_product},
      {"min", [](const Type& t, Raw a, Raw b) { return number(t, a) < number(t, b) ? a : b; }},
      {"max", [](const Type& t, Raw a, Raw b) { return number(t, a) < number(t, b) ? b : a; }},
      {"rotate", rotated}};
  if (!type.has_sign && chance(15)) {
    const Type from = integer_of(type.bits, chance(50));
    return apply("abs_diff($0, $1)", type, width,
                 {expression(from, width, depth), expression(from, width, depth)}, [=](const auto& v) {
                   const Wide difference = number(from, v[0]) - number(from, v[1]);
                   return wrap(type, difference < 0 ? -difference : difference);
                 });
  }
  const auto [name, compute] = any_of(kFunctions);
  return apply(std::string(name) + "($0, $1)", type, width,
               {expression(type, width, depth), expression(type, width, depth)},
               [=](const auto& v) { return compute(type, v[0], v[1]); });
}

Generator::Value Generator::of_three(const Type& type, unsigned width, unsigned depth) {
  const Values x = {expression(type, width, depth), expression(type, width, depth),
                    expression(type, width, depth)};
  switch (below(4)) {
    case 0:
      return apply("mad_hi($0, $1, $2)", type, width, x,
                   [=](const auto& v) { return high_product(type, v[0], v[1]) + v[2]; });
    case 1:
      return apply("mad_sat($0, $1, $2)", type, width, x,
                   [=](const auto& v) { return saturated_mad(type, v[0], v[1], v[2]); });
    case 2:
      return apply("bitselect($0, $1, $2)", type, width, x,
                   [](const auto& v) { return (v[0] & ~v[2]) | (v[1] & v[2]); });
    default:
      return apply("clamp($0, min($1, $2), max($1, $2))", type, width, x, [=](const auto& v) {
        const Wide a = number(type, v[0]), one = number(type, v[1]), other = number(type, v[2]);
        return wrap(type, std::clamp(a, std::min(one, other), std::max(one, other)));
      });
  }
}

Generator::Value Generator::of_24_bits(const Type& type, unsigned width, unsigned depth) {
  const auto cut = [=](Raw raw) { return number(type, wrap(type, static_cast<Wide>(raw << 8))) >> 8; };
  const auto function = [=](const auto& v) { return wrap(type, cut(v[0]) * cut(v[1]) + number(type, v[2])); };
  const Values x = {expression(type, width, depth), expression(type, width, depth),
                    expression(type, width, depth)};
  return apply("mad24(($0 << 8) >> 8, ($1 << 8) >> 8, $2)", type, width, x, function);
}

Generator::Value Generator::comparison(const Type& type, unsigned width, unsigned depth) {
  static constexpr std::pair<const char*, bool (*)(int)> kRelations[] = {{"==", [](int order) { return order == 0; }},
                                                                         {"!=", [](int order) { return order != 0; }},
                                                                         {"<", [](int order) { return order == -1; }},
                                                                         {"<=", [](int order) { return order == -1 || order == 0; }},
                                                                         {">", [](int order) { return order == 1; }},
                                                                         {">=", [](int order) { return order == 1 || order == 0; }}};
  const bool of_floats = type.bits >= 32 && chance(30);
  const Type of = of_floats ? kFloats[type.bits == 64] : integer_of(type.bits, chance(50));
  const auto order = [=](Raw a, Raw b) {  // 2 if unordered
    if (!of.is_float) return number(of, a) < number(of, b) ? -1 : number(of, a) > number(of, b) ? 1 : 0;
    const double x = real(of, a), y = real(of, b);
    return x < y ? -1 : x > y ? 1 : x == y ? 0 : 2;
  };
  const auto [sign, holds] = any_of(kRelations);
  return apply(std::string("$0 ") + sign + " $1", type, width,
               {expression(of, width, depth), expression(of, width, depth)}, [=](const auto& v) {
                 return holds(order(v[0], v[1])) ? wrap(type, width == 1 ? 1 : -1) : Raw{0};
               });
}

Generator::Value Generator::choice(const Type& type, unsigned width, unsigned depth) {
  const bool by_function = chance(50);
  const Type by = integer_of(type.bits, !by_function || chance(50));
  const Raw decisive = width == 1 ? mask_of(type) : Raw{1} << (type.bits - 1);
  const Values x = {expression(type, width, depth), expression(type, width, depth),
                    expression(by, width, depth)};
  return apply(by_function ? "select($0, $1, $2)" : "$2 ? $1 : $0", type, width, x,
               [=](const auto& v) { return v[2] & decisive ? v[1] : v[0]; });
}

Generator::Value Generator::upsampled(const Type& type, unsigned width, unsigned depth) {
  const Type high = integer_of(type.bits / 2, type.has_sign), low = integer_of(type.bits / 2, false);
  return apply("upsample($0, $1)", type, width,
               {expression(high, width, depth), expression(low, width, depth)},
               [=](const auto& v) { return v[0] << low.bits | v[1]; });
}

Generator::Value Generator::shuffled(const Type& type, unsigned width, unsigned depth) {
  if (width == 1 || width == 3) return choice(type, width, depth);
  constexpr std::array kWidths{2u, 4u, 8u, 16u};
  const unsigned from = any_of(kWidths);
  const Value one = expression(type, from, depth), other = expression(type, from, depth);
  const Value mask = leaf(integer_of(type.bits, false), width);
  const bool of_both = chance(50);
  Value made{of_both ? "shuffle2(" + one.text + ", " + other.text + ", " + mask.text + ")"
                     : "shuffle(" + one.text + ", " + mask.text + ")",
             type, width};
  for (unsigned item = 0; item < kItems; ++item) {
    for (unsigned lane = 0; lane < width; ++lane) {
      const Raw place = mask.lanes[item][lane] % (of_both ? 2 * from : from);
      made.lanes[item][lane] = place < from ? one.lanes[item][place] : other.lanes[item][place - from];
    }
  }
  return made;
}

Generator::Value Generator::reinterpreted(const Type& type, unsigned width) {
  std::vector<std::pair<Type, unsigned>> all;
  for (const Type& from : kIntegers) {
    const unsigned bits = type.bits * width;
    if (width == 3 ? from.bits == type.bits
                   : bits % from.bits == 0 && std::has_single_bit(bits / from.bits) && bits / from.bits <= 16)
      all.emplace_back(from, width == 3 ? 3 : bits / from.bits);
  }
  const auto [from, count] = any_of(all);
  const Value of = leaf(from, count);
  Value made{"as_" + name_of(type, width) + "(" + of.text + ")", type, width};
  for (unsigned item = 0; item < kItems; ++item) {
    for (unsigned bit = 0; bit < type.bits * width; ++bit) {
      const Raw value = of.lanes[item][bit / from.bits] >> (bit % from.bits) & 1;
      made.lanes[item][bit / type.bits] |= value << (bit % type.bits);
    }
  }
  return made;
}

// --- floating-point numbers

Generator::Value Generator::floating(const Type& type, unsigned width, unsigned depth) {
  const auto one = [&](const char* format, auto compute) {
    return apply(format, type, width, {expression(type, width, depth)},
                 [=](const auto& v) { return computed(type, v, compute); });
  };
  const auto two = [&](const char* format, auto compute) {
    return apply(format, type, width, {expression(type, width, depth), expression(type, width, depth)},
                 [=](const auto& v) { return computed(type, v, compute); });
  };
  switch (below(20)) {
    case 0:
    case 1:
      return two("$0 + $1", [](auto x, auto y) { return x + y; });
    case 2:
      return two("$0 - $1", [](auto x, auto y) { return x - y; });
    case 3:
    case 4:
      return two("$0 * $1", [](auto x, auto y) { return x * y; });
    case 5:
      return one("-$0", [](auto x, auto) { return -x; });
    case 6:
      return one("fabs($0)", [](auto x, auto) { return std::fabs(x); });
    case 7:
      return one("floor($0)", [](auto x, auto) { return std::floor(x); });
    case 8:
      return one("rint($0)", [](auto x, auto) { return std::nearbyint(x); });
    case 9:
      return apply(
          "fma($0, $1, $2)", type, width,
          {expression(type, width, depth), expression(type, width, depth), expression(type, width, depth)},
          [=](const auto& v) {
            if (type.bits == 64)
              return raw_of(std::fma(real(type, v[0]), real(type, v[1]), real(type, v[2])));
            return raw_of(std::fma(static_cast<float>(real(type, v[0])), static_cast<float>(real(type, v[1])),
                                   static_cast<float>(real(type, v[2]))));
          });
    case 10:
      return choice(type, width, depth);
    case 11:
      return shuffled(type, width, depth);
    case 12:
      return one("ceil($0)", [](auto x, auto) { return std::ceil(x); });
    case 13:
      return one("trunc($0)", [](auto x, auto) { return std::trunc(x); });
    case 14:
      return one("round($0)", [](auto x, auto) { return std::round(x); });
    case 15:  // section 6.15.4; 0 for a NaN
      return one("sign($0)", [](auto x, auto) -> decltype(x) {
        return x > 0 ? 1 : x < 0 ? -1 : x == 0 ? x : 0;
      });
    case 16:
      return two("step($0, $1)", [](auto edge, auto x) -> decltype(x) { return x < edge ? 0 : 1; });
    case 17:
      return chance(50) ? two("fdim($0, $1)", [](auto x, auto y) { return std::fdim(x, y); })
                        : two("fmod($0, $1)", [](auto x, auto y) { return std::fmod(x, y); });
    default:
      return converted(type, width, depth);
  }
}

// --- conversions of numbers

Generator::Value Generator::converted(const Type& type, unsigned width, unsigned depth) {
  const Type from = type.is_float && chance(50) ? kFloats[type.bits == 32] : any_type();
  const Rounding rounding = static_cast<Rounding>(below(5));
  const bool saturates = !type.is_float && (from.is_float || chance(50));
  const std::string format = std::string("convert_$T") + (saturates ? "_sat" : "") +
                             kRoundings[static_cast<unsigned>(rounding)] + "($0)";
  return apply(format, type, width, {expression(from, width, depth)}, [=](const auto& v) {
    if (type.is_float)
      return to_float(type,
                      from.is_float ? static_cast<long double>(real(from, v[0]))
                                    : static_cast<long double>(number(from, v[0])),
                      rounding);
    if (from.is_float) return to_integer(type, real(from, v[0]), rounding);
    return saturates ? saturate(type, number(from, v[0])) : wrap(type, number(from, v[0]));
  });
}

// --- statements

std::string Generator::written_part(Value& variable) {
  std::vector<unsigned> places(variable.width);
  std::iota(places.begin(), places.end(), 0u);
  std::ranges::shuffle(places, random_);
  places.resize(1 + below(std::min(variable.width, 4u)));
  const Value by = leaf(variable.type, static_cast<unsigned>(places.size()));
  std::string letters;
  for (std::size_t i = 0; i < places.size(); ++i) {
    letters += kDigits[places[i]];
    for (unsigned item = 0; item < kItems; ++item) variable.lanes[item][places[i]] = by.lanes[item][i];
  }
  return "  " + variable.text + ".s" + letters + " = " + by.text + ";\n";
}

std::string Generator::through_private_memory(const Value& variable) {
  const std::string width = std::to_string(variable.width),
                    at = "(0, room + " + std::to_string(below(3)) + ")";
  return "  { " + std::string(variable.type.name) + " room[20]; vstore" + width + "(" + variable.text + ", " +
         at.substr(1) + "; " + variable.text + " = vload" + width + at + "; }\n";
}

std::string Generator::through_local_memory(Value& variable) {
  const unsigned distance = 1 + below(kGroup - 1);
  const auto before = variable.lanes;
  for (unsigned item = 0; item < kItems; ++item)
    variable.lanes[item] = before[item / kGroup * kGroup + (item + distance) % kGroup];
  const std::string pointer = "((local " + name_of(variable.type, variable.width) + "*)room_of_group)";
  return "  barrier(CLK_LOCAL_MEM_FENCE); " + pointer + "[get_local_id(0)] = " + variable.text +
         "; barrier(CLK_LOCAL_MEM_FENCE); " + variable.text + " = " + pointer + "[(get_local_id(0) + " +
         std::to_string(distance) + ") % " + std::to_string(kGroup) + "];\n";
}

std::string Generator::branch(Value& variable) {
  const Condition condition = any_condition();
  const Value other = expression(variable.type, variable.width, 2);
  for (unsigned item = 0; item < kItems; ++item)
    if (condition.holds[item]) variable.lanes[item] = other.lanes[item];
  return "  if (" + condition.text + ") " + variable.text + " = " + other.text + ";\n";
}

std::string Generator::loop(Value& variable) {
  const Value count = leaf(integer_of(32, false), 1), by = leaf(variable.type, variable.width);
  const Type type = variable.type;
  const Value step = type.is_float ? apply("$0 * $1", type, variable.width, {variable, by},
                                           [](const auto& v) { return v[0]; })
                                   : apply("rotate($0, $1) ^ $1", type, variable.width, {variable, by},
                                           [](const auto& v) { return v[0]; });
  for (unsigned item = 0; item < kItems; ++item) {
    for (Raw turn = 0; turn < (count.lanes[item][0] & 7); ++turn) {
      for (unsigned lane = 0; lane < variable.width; ++lane) {
        Raw& value = variable.lanes[item][lane];
        const Raw other = by.lanes[item][lane];
        value = type.is_float ? computed(type, {value, other}, [](auto x, auto y) { return x * y; })
                              : rotated(type, value, other) ^ other;
      }
    }
  }
  return "  for (uint turn = 0; turn < (" + count.text + " & 7); ++turn) " + variable.text + " = " +
         step.text + ";\n";
}

// --- programs

Generator::Value Generator::input(const Type& type, unsigned width, std::vector<Raw>& words) {
  Value made{"v" + std::to_string(variables_.size()), type, width};
  constexpr double kEdges[] = {0.0,   -0.0,       1.0,  -2.5,     FLT_MAX, FLT_MIN,
                               1e-44, 16777217.0, 3e10, INFINITY, NAN};
  for (unsigned lane = 0; lane < width; ++lane) {
    for (unsigned item = 0; item < kItems; ++item) {
      const Raw random = random_();
      const Raw values[] = {0,      ~Raw{0}, Raw{1} << (type.bits - 1), ~Raw{0} >> (65 - type.bits),
                            random, random,  random >> below(64)};
      Raw raw = any_of(values) & mask_of(type);
      if (type.is_float)
        raw = raw_of_real(type, chance(30)   ? any_of(kEdges)
                                : chance(50) ? static_cast<double>(below(65536)) / 16 - 2048
                                             : real(type, raw));
      made.lanes[item][lane] = raw;
      words.push_back(raw);
    }
  }
  return made;
}

std::string Generator::folded(const Value& variable) {
  std::string text;
  for (unsigned lane = 0; lane < variable.width; ++lane) {
    const std::string of = variable.width == 1 ? variable.text : variable.text + ".s" + kDigits[lane];
    const std::string bits = variable.type.is_float
                                 ? "bits_of_" + std::string(variable.type.name)
                                 : "(ulong)as_" + std::string(integer_of(variable.type.bits, false).name);
    text += " r = (r ^ " + bits + "(" + of + ")) * 0x100000001b3ul + (r >> 47);";
  }
  return text;
}

void Generator::fold(const Value& variable, std::vector<Raw>& expected, unsigned statement) const {
  for (unsigned item = 0; item < kItems; ++item) {
    Raw r = statement + 1;
    for (unsigned lane = 0; lane < variable.width; ++lane)
      r = (r ^ variable.lanes[item][lane]) * 0x100000001b3 + (r >> 47);
    expected[item * kStatements + statement] = r;
  }
}

Generator::Program Generator::make() {
  variables_.clear();
  Program program{"", {}, std::vector<Raw>(std::size_t{kItems} * kStatements)};
  std::string body;
  for (int i = 0; i < 12; ++i) {
    const Type type = any_type();
    const unsigned width = any_width();
    std::string lanes;
    for (unsigned lane = 0; lane < width; ++lane) {
      const std::string word = "given[" + std::to_string(program.input.size() + lane * kItems) + " + id]";
      lanes += (lane ? ", " : "") + (!type.is_float    ? "(" + std::string(type.name) + ")" + word
                                     : type.bits == 64 ? "as_double(" + word + ")"
                                                       : "as_float((uint)" + word + ")");
    }
    variables_.push_back(input(type, width, program.input));
    body += "  " + name_of(type, width) + " " + variables_.back().text + " = (" + name_of(type, width) +
            ")(" + lanes + ");\n";
  }
  for (unsigned statement = 0; statement < kStatements;) {
    const Type type = any_type();
    const unsigned width = any_width();
    Value made = expression(type, width, 1 + below(3));
    if (made.text.size() > 3000) continue;
    const std::string name = "v" + std::to_string(variables_.size());
    body += "  " + name_of(type, width) + " " + name + " = " + made.text + ";\n";
    made.text = name;
    if (width > 1 && chance(25)) body += written_part(made);
    if (width > 1 && chance(15)) body += through_private_memory(made);
    if (chance(15)) body += through_local_memory(made);
    if (chance(15)) body += branch(made);
    if (chance(15)) body += loop(made);
    body += "  r = " + std::to_string(statement + 1) + ";" + folded(made) + " out[id * " +
            std::to_string(kStatements) + " + " + std::to_string(statement) + "] = r;\n";
    fold(made, program.expected, statement++);
    variables_.push_back(std::move(made));
  }
  program.source = R"(#pragma OPENCL FP_CONTRACT OFF
ulong bits_of_float(float x) { return isnan(x) ? 0x7fc00000u : as_uint(x); }
ulong bits_of_double(double x) { return isnan(x) ? 0x7ff8000000000000ul : as_ulong(x); }
kernel void k(global ulong* out, global const ulong* given) {
  local ulong16 room_of_group[)" +
                   std::to_string(kGroup) + "];\n  const size_t id = get_global_id(0);\n  ulong r;\n" + body +
                   "}\n";
  return program;
}

}  // namespace random_kernels
