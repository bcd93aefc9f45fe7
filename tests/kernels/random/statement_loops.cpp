// SPDX-License-Identifier: Apache-2.0
#include "statement_generator.h"

namespace random_kernels {
namespace {

struct Parts {
  Variable counter;
  Term first, asked, next;  // no condition: an infinite loop
  Statement body;
  bool asks_last = false;
  std::optional<Statement> behind;  // a statement after the loop in which the counter is in scope
};

std::string text_of(const Parts& loop) {
  const std::string name = loop.counter.before,
                    start = std::string(loop.counter.type.name) + " " + name + " = " + loop.first->text(),
                    step = name + " = " + loop.next->text(), asked = loop.asked ? loop.asked->text() : "",
                    body = " {\n" + loop.body.text() + "}", behind = loop.behind ? loop.behind->text() : "";
  if (loop.asks_last)
    return "{ " + start + ";\ndo" + body + " while (" + step + ", " + asked + ");\n" + behind + "}\n";
  if (loop.behind)
    return "{ " + start + ";\nfor (; " + asked + "; " + step + ")" + body + "\n" + behind + "}\n";
  return "for (" + start + "; " + asked + "; " + step + ")" + body + "\n";
}

Mask those_who_go_on(Machine& machine, const Parts& loop, const Mask& mask) {
  if (!loop.asked) return mask;
  Mask yes;
  for_each(mask, [&](unsigned item) { yes[item] = holds(loop.asked, machine, item); });
  return yes;
}

void set(Machine& machine, const Mask& mask, const Variable& variable, const Term& term) {
  for_each(mask, [&](unsigned item) { write(machine, variable, 0, item, term->value(machine, item)); });
}

Mask run(Machine& machine, const Parts& loop, const Mask& mask) {
  const Mask broken = machine.broken, continued = machine.continued;
  set(machine, mask, loop.counter, loop.first);
  Mask active = loop.asks_last ? mask : those_who_go_on(machine, loop, mask), left = mask & ~active;
  while (active.any()) {
    machine.take_turn();
    machine.broken.reset();
    machine.continued.reset();
    active = loop.body.run(machine, active) | machine.continued;
    left |= machine.broken;
    set(machine, active, loop.counter, loop.next);
    const Mask on = those_who_go_on(machine, loop, active);
    left |= active & ~on;
    active = on;
  }
  machine.broken = broken;
  machine.continued = continued;
  return loop.behind && left.any() ? loop.behind->run(machine, left) : left;
}

Statement made(const Parts& loop) {
  return {[=] { return text_of(loop); },
          [=](Machine& machine, const Mask& mask) { return run(machine, loop, mask); }};
}

Term compared(const char* sign, const Term& a, const Term& b) {
  const Type type = a->type;
  return apply("$0 " + std::string(sign) + " $1", kIntegers[4], 1, {a, b}, [=](const auto& v) {
    const Wide x = number(type, v[0]), y = number(type, v[1]);
    const std::string order = sign;
    return Raw{order == "<"    ? x < y
               : order == "<=" ? x <= y
               : order == ">"  ? x > y
               : order == ">=" ? x >= y
               : order == "==" ? x == y
                               : x != y};
  });
}

Term cut(const Term& term, unsigned most) {
  return apply("$0 & " + std::to_string(most), term->type, 1, {term},
               [=](const auto& x) { return x[0] & most; });
}

Statement jump_out() {
  return {[] { return std::string("break;\n"); },
          [](Machine& machine, const Mask& mask) {
            machine.broken |= mask;
            return Mask();
          }};
}

}  // namespace

Variable StatementGenerator::scalar(const Type& type, const std::string& name) {
  Variable made{.type = type, .before = name};
  made.place = machine_.add_cells(1);
  return made;
}

Statement StatementGenerator::loop(const Place& place) {
  if (chance(15)) return chain_loop(place);
  if (chance(15)) return search_loop(place);
  const bool uniform = place.is_uniform && chance(60);
  Type type = any_integer();
  const unsigned form = below(7);
  const bool wraps = form == 1;
  if (wraps && type.bits >= 32) type.has_sign = false, type = integer_of(type.bits, false);
  Parts parts{.counter = scalar(type, fresh("i")), .body = sequence({})};
  parts.counter.is_constant = true;
  parts.counter.is_uniform = uniform;
  const Term i = of(parts.counter),
             few = chance(50) ? number_term(type, below(24)) : cut(integer(type, uniform, 1), 15);
  const Term step = number_term(type, wraps || chance(70) ? 1 : 2 + below(3));
  parts.first = number_term(type, chance(60) ? 0 : below(4));
  parts.next = sum('+', type, i, step);
  Place inner{uniform, uniform ? Leave::if_uniform : Leave::yes, place.is_in_function, place.depth - 1};
  std::optional<Term> limit;
  switch (form) {
    case 1:
      parts.first = number_term(type, highest(type) - below(9));
      parts.asked = compared("!=", i, number_term(type, lowest(type) + below(6)));
      break;
    case 2:
      parts.first = few;
      parts.next = sum('-', type, i, number_term(type, 1 + (type.has_sign ? below(3) : 0)));
      parts.asked = compared(">", i, number_term(type, 0));
      break;
    case 3:
      parts.asked = compared("<", i, number_term(type, highest(type) - below(9)));
      limit = compared(">=", i, few);
      break;
    case 4:
      parts.asked = both(compared("<", i, few), condition(uniform, 1));
      break;
    case 5:
      parts.asks_last = true;
      [[fallthrough]];
    default:
      parts.asked = compared(chance(70) ? "<" : "<=", i, few);
  }
  variables_.push_back(parts.counter);
  const Statement body = block(inner, place.depth > 1 ? 3 : 2);
  variables_.pop_back();
  const Statement end = limit ? branch(*limit, jump_out(), sequence({})) : sequence({});
  parts.body = chance(50) ? sequence({body, end}) : sequence({end, body});
  const auto last = find([&](const Variable& each) {
    return !each.is_constant && each.length == 1 && each.width == 1 && !each.is_part && !each.type.is_float &&
           (!each.is_uniform || (uniform && place.is_uniform));
  });
  if (last && chance(40)) parts.behind = assignment(*last, nullptr, converted(last->type, i));
  return made(parts);
}

// A loop with indirect loads, for the pass flatten_remainders.
Statement StatementGenerator::chain_loop(const Place& place) {
  const auto sum_of = find([](const Variable& each) {
    return !each.is_constant && !each.is_uniform && each.width == 1 && each.length == 1 && !each.is_part &&
           !each.type.is_float;
  });
  const auto is_table = [](const Variable& each) {
    return each.length > 1 && each.width == 1 && !each.type.is_float && each.is_uniform;
  };
  const auto where = find(is_table), values = find(is_table);
  if (!sum_of || !where) return assign(place.parted());
  const Type type = kIntegers[2 + below(6)];
  Parts parts{.counter = scalar(type, fresh("i")), .body = sequence({})};
  parts.counter.is_constant = true;
  const Term i = of(parts.counter);
  const bool goes_down = chance(25);
  const Term low = cut(integer(type, false, 1), 7), high = cut(integer(type, false, 1), chance(50) ? 31 : 7);
  const Term step = number_term(type, chance(80) ? 1 : 2 + below(2));
  parts.first = goes_down ? high : low;
  parts.next = goes_down ? sum('-', type, i, number_term(type, 1)) : sum('+', type, i, step);
  parts.asked = compared(goes_down ? ">" : "<", i, goes_down ? low : high);
  const Term found = converted(sum_of->type, element(*values, cut(element(*where, i), values->length - 1)));
  const Term old = of(*sum_of);
  const Term mixed =
      chance(50) ? sum('+', sum_of->type, sum('*', sum_of->type, old, number_term(sum_of->type, 31)), found)
                 : sum('-', sum_of->type, old, found);
  std::vector<Statement> body = {assignment(*sum_of, nullptr, mixed)};
  const auto second = find([&](const Variable& each) {
    return !each.is_constant && !each.is_uniform && each.type == sum_of->type && each.width == 1 &&
           each.length == 1 && !each.is_part && each.place != sum_of->place;
  });
  if (second && chance(50))
    body.push_back(
        assignment(*second, nullptr, choice(compared("<", of(*second), found), found, of(*second))));
  parts.body = sequence(body);
  return made(parts);
}

// For the pass reuse_counter_at_exit: a counter that stops at a bound, which some iterations may not check, and is used after the loop.
Statement StatementGenerator::search_loop(const Place& place) {
  const Place inner{false, Leave::no, place.is_in_function, place.depth > 1 ? 1U : 0U};
  const Type type = any_integer();
  Parts parts{.counter = scalar(type, fresh("i")), .body = sequence({})};
  parts.counter.is_constant = true;
  const Term i = of(parts.counter), one = number_term(type, 1), end = cut(integer(type, false, 1), 15);
  const Variable bound = scalar(type, fresh("n"));
  const Term next = sum('+', type, i, one);
  parts.first = number_term(type, 0);
  parts.next = sum('+', type, i, one);
  const Statement found = sequence({assignment(parts.counter, nullptr, next), jump_out()});
  const Statement stops = branch(compared("==", next, of(bound)), found, sequence({}));
  variables_.push_back(parts.counter);
  const Statement often =
      chance(50)
          ? branch(condition(false, 1), sequence({block(inner, 1), stops, block(inner, 1)}), sequence({}))
          : stops;
  const Term ends = condition(false, 1);
  const Statement other = branch(ends, jump_out(), sequence({}));
  const Statement surely =
      branch(compared(">", i, number_term(type, 12 + below(4))), jump_out(), sequence({}));
  const std::vector<Statement> all = chance(50) ? std::vector{block(inner, 1), often, other, surely}
                                                : std::vector{surely, other, block(inner, 1), often};
  variables_.pop_back();
  parts.body = sequence(all);
  const auto last = find([&](const Variable& each) {
    return !each.is_constant && !each.is_uniform && each.length == 1 && each.width == 1 && !each.is_part &&
           !each.type.is_float;
  });
  if (last) parts.behind = assignment(*last, nullptr, converted(last->type, i));
  Variable named = bound;
  named.before = std::string("const ") + type.name + " " + bound.before;
  const Statement whole =
      sequence({assignment(named, nullptr, end),
                branch(compared(">", of(bound), number_term(type, 0)), made(parts), sequence({}))});
  return {[=] { return "{ " + whole.text() + "}\n"; },
          [=](Machine& machine, const Mask& mask) { return whole.run(machine, mask); }};
}

}  // namespace random_kernels
