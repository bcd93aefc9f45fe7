// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <utility>

#include "statement_generator.h"

namespace random_kernels {
namespace {

bool may_be_written(const Variable& variable) { return !variable.is_constant; }

Mask parted(Machine& machine, const Mask& mask, const Term& selector, Raw value) {
  Mask found;
  for_each(mask, [&](unsigned item) { found[item] = selector->value(machine, item)[0] == value; });
  return found;
}

struct Case {
  std::optional<Raw> value;  // the default has none
  Statement body;
  bool falls_through;
};

// The default is the last case.
Mask run_selection(Machine& machine, const Mask& mask, const Term& selector, const std::vector<Case>& cases) {
  std::vector<Mask> matched;
  Mask rest = mask, flow, out;
  for (const Case& each : cases) {
    matched.push_back(each.value ? parted(machine, rest, selector, *each.value) : rest);
    rest &= ~matched.back();
  }
  for (std::size_t i = 0; i < cases.size(); ++i) {
    flow |= matched[i];
    if (flow.any()) flow = cases[i].body.run(machine, flow);
    if (cases[i].falls_through) continue;
    out |= flow;
    flow.reset();
  }
  return out | flow | rest;
}

}  // namespace

std::optional<Variable> StatementGenerator::find(const Wanted& wanted) {
  std::vector<const Variable*> found;
  for (const Variable& each : variables_)
    if (wanted(each)) found.push_back(&each);
  return found.empty() ? std::nullopt : std::optional(*any_of(found));
}

Statement StatementGenerator::block(const Place& place, unsigned most) {
  std::vector<Statement> statements;
  for (unsigned left = 1 + below(most); left > 0; --left) statements.push_back(statement(place));
  return sequence(statements);
}

Statement StatementGenerator::statement(const Place& place) {
  if (place.leave != Leave::no && chance(12)) return leaving(place);
  if (place.is_in_function && chance(6)) return leaving(place);
  if (place.is_uniform && !place.is_in_function && chance(20)) return group_act(place);
  if (place.depth > 0) {
    if (chance(22)) return loop(place);
    if (chance(18)) return parting(place);
    if (chance(6)) return selection(place);
  }
  switch (below(12)) {
    case 0:
      return swizzle();
    case 1:
      return vector_memory();
    case 2:
      return place.is_in_function ? assign(place) : generic_pointer();
    case 3:
      return place.is_in_function ? assign(place) : copied_record();
    case 4:
      return place.is_in_function ? assign(place) : call();
    default:
      return assign(place);
  }
}

Statement StatementGenerator::assign(const Place& place) {
  const auto found = find(
      [&](const Variable& each) { return may_be_written(each) && (!each.is_uniform || place.is_uniform); });
  const Variable& variable = *found;
  const bool uniform = variable.is_uniform;
  const Term index = variable.length > 1 || variable.is_part ? index_of(variable, uniform) : nullptr;
  if (chance(30) && !variable.type.is_float && variable.width == 1) {
    const Term old = index ? element(variable, index) : of(variable), by = integer(variable.type, uniform, 1);
    return assignment(variable, index, sum(any_of(std::array{'+', '-', '*'}), variable.type, old, by));
  }
  return assignment(variable, index, any_term(variable, uniform, 1 + below(3)));
}

// Some lanes of a vector.
Statement StatementGenerator::swizzle() {
  const auto found =
      find([](const Variable& each) { return may_be_written(each) && each.width > 1 && each.length == 1; });
  if (!found) return assign(Place().parted());
  std::vector<unsigned> lanes(found->width);
  std::iota(lanes.begin(), lanes.end(), 0U);
  std::ranges::shuffle(lanes, random_);
  lanes.resize(2 + below(found->width - 1));
  if (lanes.size() == 3 && chance(50)) lanes.resize(2);
  const Term by = vector(found->type, static_cast<unsigned>(lanes.size()), 1);
  const Variable variable = *found;
  const auto text = [=] {
    std::string letters;
    for (const unsigned lane : lanes) letters += std::to_string(lane);
    return variable.before + ".s" + letters + " = " + by->text() + ";\n";
  };
  return together(text, [=](Machine& machine, const Mask& mask) {
    for_each(mask, [&](unsigned item) {
      const Lanes from = by->value(machine, item);
      for (std::size_t i = 0; i < lanes.size(); ++i) machine.cell(variable.place, item)[lanes[i]] = from[i];
    });
  });
}

Statement StatementGenerator::parting(const Place& place) {
  const bool uniform = place.is_uniform && chance(50);
  const Place inner = uniform ? place.deeper() : place.parted();
  const Term asked = condition(uniform, 1 + below(2));
  const Statement then = block(inner, 3);
  return branch(asked, then, chance(50) ? block(inner, 3) : sequence({}));
}

Statement StatementGenerator::selection(const Place& place) {
  const bool uniform = place.is_uniform && chance(50);
  Place inner = uniform ? place.deeper() : place.parted();
  inner.leave = Leave::no;
  const Type type = any_integer();
  const unsigned count = 2 + below(6), stride = chance(70) ? 1 : 37;
  const Term whole = integer(type, uniform, 1);
  const Term selector = apply("$0 & 15", type, 1, {whole}, [](const auto& x) { return x[0] & 15; });
  const Term spread = stride == 1 ? selector : sum('*', type, selector, number_term(type, stride));
  std::vector<Case> cases;
  for (unsigned i = 0; i < count; ++i)
    cases.push_back({wrap(type, Wide{i} * stride), block(inner, 2), chance(25)});
  const bool has_twin = stride != 1 && type.bits == 8;  // of 0 … 255
  for (unsigned i = 0; i < cases.size() && has_twin; ++i)
    for (unsigned j = i + 1; j < cases.size(); ++j)
      if (cases[j].value == cases[i].value) return assign(place);
  if (chance(60)) cases.push_back({std::nullopt, block(inner, 2), false});
  const auto text = [=] {
    std::string all = "switch (" + spread->text() + ") {\n";
    for (const Case& each : cases) {
      const std::string value = each.value ? literal(type, {*each.value})->text() : "";
      all += (each.value ? "case " + value : "default") + ": {\n" + each.body.text() + "}" +
             (each.falls_through ? "\n" : " break;\n");
    }
    return all + "}\n";
  };
  return {text,
          [=](Machine& machine, const Mask& mask) { return run_selection(machine, mask, spread, cases); }};
}

// Leaves a loop, an iteration, or a function.
Statement StatementGenerator::leaving(const Place& place) {
  const bool uniform = place.leave == Leave::if_uniform;
  const Term asked = condition(uniform, 1);
  const bool returns = place.is_in_function && (place.leave == Leave::no || chance(30));
  if (returns) {
    const Variable result = *result_;
    const Term value = any_term(result, false, 1);
    const auto text = [=] { return "return " + value->text() + ";\n"; };
    return branch(asked,
                  {text,
                   [=](Machine& machine, const Mask& mask) {
                     for_each(mask, [&](unsigned item) {
                       write(machine, result, 0, item, value->value(machine, item));
                     });
                     machine.returned |= mask;
                     return Mask();
                   }},
                  sequence({}));
  }
  const bool breaks = chance(50);
  const Statement jump = {[=] { return std::string(breaks ? "break;\n" : "continue;\n"); },
                          [=](Machine& machine, const Mask& mask) {
                            (breaks ? machine.broken : machine.continued) |= mask;
                            return Mask();
                          }};
  if (chance(50)) return branch(asked, jump, sequence({}));
  Place inner = place.deeper();
  inner.leave = Leave::no;
  inner.is_uniform = uniform;
  inner.depth = 0;
  return branch(asked, sequence({block(inner, 2), jump}), sequence({}));
}

// vloadn and vstoren at any alignment that they allow.
Statement StatementGenerator::vector_memory() {
  const auto array = find([](const Variable& each) {
    return may_be_written(each) && each.length == 8 && each.width == 1 && !each.address.empty();
  });
  if (!array) return assign(Place().parted());
  const auto variable = find([&](const Variable& each) {
    return may_be_written(each) && each.type == array->type && each.width > 1 && each.length == 1;
  });
  const unsigned width = variable ? variable->width : 2 + below(3);
  const unsigned offset = below(8 - width + 1);
  const std::string at = "(0, " + array->address + " + " + std::to_string(offset) + ")";
  const Variable memory = *array;
  if (variable && chance(50)) {
    const Variable to = *variable;
    const auto text = [=] { return to.before + " = vload" + std::to_string(width) + at + ";\n"; };
    return together(text, [=](Machine& machine, const Mask& mask) {
      for_each(mask, [&](unsigned item) {
        for (unsigned lane = 0; lane < width; ++lane)
          machine.cell(to.place, item)[lane] = machine.cell(memory.place + offset + lane, item)[0];
      });
    });
  }
  if (memory.type.is_float) return assign(Place().parted());
  const Term value = vector(memory.type, width, 1);
  const auto text = [=] {
    return "vstore" + std::to_string(width) + "(" + value->text() + ", " + at.substr(1) + ";\n";
  };
  return together(text, [=](Machine& machine, const Mask& mask) {
    for_each(mask, [&](unsigned item) {
      const Lanes lanes = value->value(machine, item);
      for (unsigned lane = 0; lane < width; ++lane)
        machine.cell(memory.place + offset + lane, item) = {lanes[lane]};
    });
  });
}

// An access through a pointer to one of two arrays, which may be in different address spaces.
Statement StatementGenerator::generic_pointer() {
  const auto is_array = [](const Variable& each) {
    return may_be_written(each) && each.length > 1 && each.width == 1 && !each.address.empty();
  };
  const auto one = find(is_array);
  if (!one) return assign(Place().parted());
  const auto other = find([&](const Variable& each) {
    return is_array(each) && each.type == one->type && each.length == one->length;
  });
  const Term asked = condition(false, 1);
  Variable target = *one;
  const std::string pointer = fresh("p");
  target.before = pointer + "[";
  target.after = "]";
  const Term index = index_of(target, false), again = index_of(target, false);
  const Term value = any_term(target, false, 2);
  Variable second = *other;
  second.before = target.before, second.after = target.after;
  const auto write_one = assignment(target, index, value), write_other = assignment(second, index, value);
  const auto add_one = assignment(target, again, element(target, index)),
             add_other = assignment(second, again, element(second, index));
  // Both alternatives share one text, so an index that has to be masked for one of them is masked for both.
  const Variable first = *one;
  const auto text = [=] {
    const std::string type = first.type.name;
    const std::string a = "((" + index->text() + ") & " + std::to_string(first.length - 1) + ")";
    const std::string b = "((" + again->text() + ") & " + std::to_string(first.length - 1) + ")";
    return "{ " + type + "* " + pointer + " = " + asked->text() + " ? (" + type + "*)(" + first.address +
           ") : (" + type + "*)(" + other->address + ");\n" + pointer + "[" + a + "] = " + value->text() +
           ";\n" + pointer + "[" + b + "] = " + pointer + "[" + a + "]; }\n";
  };
  return {text, [=](Machine& machine, const Mask& mask) {
            Mask yes;
            for_each(mask, [&](unsigned item) { yes[item] = holds(asked, machine, item); });
            const Mask no = mask & ~yes;
            write_one.run(machine, yes), write_other.run(machine, no);
            add_one.run(machine, yes), add_other.run(machine, no);
            return mask;
          }};
}

Statement StatementGenerator::copied_record() {
  const Variable& any = records_.front();
  const std::string name = any.before.substr(0, any.before.find('['));
  Variable whole = any;
  const Term to = index_of(whole, false), from = index_of(whole, false);
  const std::vector<Variable> fields = records_;
  const std::string cut = " & " + std::to_string(any.length - 1) + "]";
  const auto text = [=] {
    return name + "[" + to->text() + cut + " = " + name + "[" + from->text() + cut + ";\n";
  };
  return together(text, [=](Machine& machine, const Mask& mask) {
    for_each(mask, [&](unsigned item) {
      const unsigned last = fields.front().length - 1;
      const unsigned a = static_cast<unsigned>(to->value(machine, item)[0]) & last,
                     b = static_cast<unsigned>(from->value(machine, item)[0]) & last;
      for (const Variable& field : fields)
        machine.cell(field.place + a, item) = machine.cell(field.place + b, item);
    });
  });
}

Statement StatementGenerator::call() {
  if (helpers_.empty()) return assign(Place().parted());
  const Helper callee = any_of(helpers_);
  const auto result = find([&](const Variable& each) {
    return may_be_written(each) && !each.is_uniform && each.length == 1 && !each.is_part &&
           each.type == callee.result.type && each.width == callee.result.width;
  });
  const auto array = find([&](const Variable& each) {
    return callee.pointer && may_be_written(each) && each.type == callee.pointer->type &&
           each.length == callee.pointer->length && !each.address.empty();
  });
  if (!result || (callee.pointer && !array)) return assign(Place().parted());
  Terms arguments;
  for (const Variable& parameter : callee.parameters) arguments.push_back(any_term(parameter, false, 1));
  const Variable to = *result;
  const auto text = [=] {
    std::string all = array ? array->address : "";
    for (const Term& argument : arguments) all += (all.empty() ? "" : ", ") + argument->text();
    return to.before + " = " + callee.name + "(" + all + ");\n";
  };
  return together(text, [=](Machine& machine, const Mask& mask) {
    const auto move_array = [&](const Variable& source, const Variable& target) {
      for_each(mask, [&](unsigned item) {
        for (unsigned i = 0; i < source.length; ++i)
          machine.cell(target.place + i, item) = machine.cell(source.place + i, item);
      });
    };
    for (std::size_t i = 0; i < arguments.size(); ++i)
      for_each(mask, [&](unsigned item) {
        machine.cell(callee.parameters[i].place, item) = arguments[i]->value(machine, item);
      });
    if (array) move_array(*array, *callee.pointer);
    const Mask returned = std::exchange(machine.returned, Mask());
    callee.body.run(machine, mask);
    machine.returned = returned;
    if (array) move_array(*callee.pointer, *array);
    for_each(mask,
             [&](unsigned item) { machine.cell(to.place, item) = machine.cell(callee.result.place, item); });
  });
}

}  // namespace random_kernels
