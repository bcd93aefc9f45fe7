// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "statement_generator.h"

namespace random_kernels {
namespace {

constexpr char kBarrier[] = "barrier(CLK_LOCAL_MEM_FENCE); ";

unsigned first_of(unsigned item, unsigned size) { return item / size * size; }

using Row = std::vector<Raw>;  // the value of each work-item of a group or sub-group
struct Collective {
  std::string format;  // $0: the work-item's operand
  unsigned size;
  bool is_uniform;
  std::function<Raw(const Type&, const Row&, unsigned place)> result;
};

template <class Combine>
Raw combined(const Row& row, std::size_t first, std::size_t end, Raw start, const Combine& combine) {
  for (std::size_t i = first; i < end; ++i) start = combine(start, row[i]);
  return start;
}
Raw added(Raw a, Raw b) { return a + b; }
Raw greatest(const Type& type, const Row& row, std::size_t end) {
  return combined(row, 0, end, row[0],
                  [&](Raw a, Raw b) { return number(type, a) < number(type, b) ? b : a; });
}

std::vector<Collective> collectives(unsigned lane) {
  const std::string at = std::to_string(lane);
  return {{"sub_group_reduce_add($0)", kSubGroup, false,
           [](const Type&, const Row& row, unsigned) { return combined(row, 0, row.size(), 0, added); }},
          {"sub_group_reduce_max($0)", kSubGroup, false,
           [](const Type& type, const Row& row, unsigned) { return greatest(type, row, row.size()); }},
          {"sub_group_scan_inclusive_add($0)", kSubGroup, false,
           [](const Type&, const Row& row, unsigned place) { return combined(row, 0, place + 1, 0, added); }},
          {"sub_group_scan_exclusive_add($0)", kSubGroup, false,
           [](const Type&, const Row& row, unsigned place) { return combined(row, 0, place, 0, added); }},
          {"sub_group_broadcast($0, " + at + ")", kSubGroup, false,
           [=](const Type&, const Row& row, unsigned) { return row[lane]; }},
          {"sub_group_shuffle_xor($0, " + at + ")", kSubGroup, false,
           [=](const Type&, const Row& row, unsigned place) { return row[place ^ lane]; }},
          {"sub_group_shuffle($0, (lid * " + at + " + 3) & 31)", kSubGroup, false,
           [=](const Type&, const Row& row, unsigned place) { return row[(place * lane + 3) & 31]; }},
          {"sub_group_any(($0) == 0)", kSubGroup, false,
           [](const Type&, const Row& row, unsigned) { return Raw{std::ranges::count(row, 0U) > 0}; }},
          {"work_group_reduce_add($0)", kGroup, true,
           [](const Type&, const Row& row, unsigned) { return combined(row, 0, row.size(), 0, added); }},
          {"work_group_reduce_max($0)", kGroup, true,
           [](const Type& type, const Row& row, unsigned) { return greatest(type, row, row.size()); }},
          {"work_group_scan_inclusive_add($0)", kGroup, false,
           [](const Type&, const Row& row, unsigned place) { return combined(row, 0, place + 1, 0, added); }},
          {"work_group_broadcast($0, " + at + ")", kGroup, true,
           [=](const Type&, const Row& row, unsigned) { return row[lane]; }}};
}

// The values of all work-items of a mask, read before any of them changes.
Row row_of(Machine& machine, const Mask& mask, const Term& term) {
  Row all(kItems);
  for_each(mask, [&](unsigned item) { all[item] = term->value(machine, item)[0]; });
  return all;
}

}  // namespace

Statement StatementGenerator::group_act(const Place&) {
  switch (below(10)) {
    case 8:
    case 9:
      return posting();
    case 0:
    case 1:
      return exchange();
    case 2:
      return refilled_table();
    case 3:
      return atomic_sum();
    case 4:
      return copied_by_group();
    default:
      return collective();
  }
}

Statement StatementGenerator::exchange() {
  const auto found = find([](const Variable& each) {
    return !each.is_constant && !each.is_uniform && each.length == 1 && !each.is_part;
  });
  const Variable variable = *found;
  const unsigned distance = 1 + below(kGroup - 1);
  const std::string room = "((local " + name_of(variable.type, variable.width) + "*)room)[";
  const std::string text = kBarrier + room + "lid] = " + variable.before + "; " + kBarrier + variable.before +
                           " = " + room + "(lid + " + std::to_string(distance) + ") % " +
                           std::to_string(kGroup) + "];\n";
  return together([=] { return text; },
                  [=](Machine& machine, const Mask& mask) {
                    std::vector<Lanes> before(kItems);
                    for_each(mask, [&](unsigned item) { before[item] = machine.cell(variable.place, item); });
                    for_each(mask, [&](unsigned item) {
                      machine.cell(variable.place, item) =
                          before[first_of(item, kGroup) + (item + distance) % kGroup];
                    });
                  });
}

Statement StatementGenerator::refilled_table() {
  const Variable table = *table_;
  const Term value = integer(table.type, false, 2);
  const auto text = [=] {
    return "{ const uint filled = " + value->text() + "; " + kBarrier + "table[lid] = filled; " + kBarrier +
           "}\n";
  };
  return together(text, [=](Machine& machine, const Mask& mask) {
    const Row all = row_of(machine, mask, value);
    for_each(mask, [&](unsigned item) {
      for (unsigned i = 0; i < kGroup; ++i)
        machine.cell(table.place + i, item) = {all[first_of(item, kGroup) + i]};
    });
  });
}

// One work-item writes to global memory what all of its group read there, before and after.
Statement StatementGenerator::posting() {
  constexpr char kGlobalBarrier[] = "barrier(CLK_GLOBAL_MEM_FENCE); ";
  const auto result = find([](const Variable& each) {
    return !each.is_constant && each.length == 1 && each.width == 1 && !each.is_part && !each.type.is_float;
  });
  const Variable posted = *posted_, to = *result;
  const unsigned index = below(posted.length), writer = below(kGroup);
  const Term value = integer(posted.type, false, 2);
  const std::string place = "posted[" + std::to_string(index) + "]",
                    add = to.before + " = (" + to.type.name + ")((ulong)" + to.before + " + " + place + "); ";
  const auto text = [=] {
    return add + kGlobalBarrier + "if (lid == " + std::to_string(writer) + ") " + place + " = " +
           value->text() + "; " + kGlobalBarrier + add + "\n";
  };
  return together(text, [=](Machine& machine, const Mask& mask) {
    const auto add_posted = [&](unsigned item) {
      Raw& sum = machine.cell(to.place, item)[0];
      sum = (sum + machine.cell(posted.place + index, item)[0]) & mask_of(to.type);
    };
    for_each(mask, add_posted);
    for_each(mask, [&](unsigned item) {
      if (item % kGroup != writer) return;
      const Lanes written = value->value(machine, item);
      for (unsigned other = item - writer; other < item - writer + kGroup; ++other)
        machine.cell(posted.place + index, other) = written;
    });
    for_each(mask, add_posted);
  });
}

Statement StatementGenerator::collective() {
  const std::vector<Collective> all = collectives(below(kSubGroup));
  const Collective act = any_of(all);
  const auto result = find([&](const Variable& each) {
    return !each.is_constant && (!each.is_uniform || act.is_uniform) && each.length == 1 && each.width == 1 &&
           !each.is_part && !each.type.is_float;
  });
  const Type type = integer_of(chance(70) ? 32 : 64, false);
  const Term brought = integer(type, false, 2);
  const Term given = apply(act.format, type, 1, {brought}, [](const auto& x) { return x[0]; });
  const Variable to = *result;
  const auto text = [=] { return to.before + " = (" + to.type.name + ")" + given->text() + ";\n"; };
  return together(text, [=](Machine& machine, const Mask& mask) {
    const Row values = row_of(machine, mask, brought);
    for_each(mask, [&](unsigned item) {
      const auto first = values.begin() + first_of(item, act.size);
      const Row row(first, first + act.size);
      machine.cell(to.place,
                   item) = {act.result(type, row, item % act.size) & mask_of(type) & mask_of(to.type)};
    });
  });
}

// A sum of values of several work-items in local memory, in no particular order.
Statement StatementGenerator::atomic_sum() {
  static constexpr std::pair<const char*, Raw (*)(Raw, Raw)> kInds[] = {
      {"add", added},
      {"xor", [](Raw a, Raw b) { return a ^ b; }},
      {"or", [](Raw a, Raw b) { return a | b; }},
      {"max", [](Raw a, Raw b) { return std::max(a, b); }}};
  const auto result = find([](const Variable& each) {
    return !each.is_constant && each.length == 1 && each.width == 1 && !each.is_part && !each.type.is_float;
  });
  const Type type = kIntegers[5];
  const Variable to = *result;
  const auto [name, combine] = any_of(kInds);
  const Term value = integer(type, false, 2), asked = condition(false, 1);
  const bool is_explicit = chance(50);
  const std::string call =
      is_explicit ? "atomic_fetch_" + std::string(name) + "_explicit((volatile local atomic_uint*)&counter, "
                  : "atomic_" + std::string(name) + "(&counter, ";
  const std::string end = is_explicit ? ", memory_order_relaxed, memory_scope_work_group);" : ");";
  const auto text = [=] {
    return kBarrier + std::string("if (lid == 0) counter = 0; ") + kBarrier + "if (" + asked->text() + ") " +
           call + value->text() + end + " " + kBarrier + to.before + " = (" + to.type.name + ")counter;\n";
  };
  return together(text, [=](Machine& machine, const Mask& mask) {
    Row counters(kItems / kGroup);
    for_each(mask, [&](unsigned item) {
      if (holds(asked, machine, item))
        counters[item / kGroup] =
            combine(counters[item / kGroup], value->value(machine, item)[0]) & mask_of(type);
    });
    for_each(mask, [&](unsigned item) {
      machine.cell(to.place, item) = {counters[item / kGroup] & mask_of(to.type)};
    });
  });
}

Statement StatementGenerator::copied_by_group() {
  const auto result = find([](const Variable& each) {
    return !each.is_constant && !each.is_uniform && each.length == 1 && each.width == 1 && !each.is_part &&
           !each.type.is_float;
  });
  const Variable to = *result;
  const std::size_t offset = below(static_cast<unsigned>(input_.size() - kGroup));
  const Row row(input_.begin() + static_cast<std::ptrdiff_t>(offset),
                input_.begin() + static_cast<std::ptrdiff_t>(offset + kGroup));
  const unsigned factor = below(16);
  const std::string text =
      kBarrier + std::string("{ event_t copying = async_work_group_copy(copied, given + ") +
      std::to_string(offset) + ", " + std::to_string(kGroup) + ", 0); wait_group_events(1, &copying); }\n" +
      to.before + " = (" + to.type.name + ")copied[lid * " + std::to_string(factor) + " % " +
      std::to_string(kGroup) + "];\n";
  return together([=] { return text; },
                  [=](Machine& machine, const Mask& mask) {
                    for_each(mask, [&](unsigned item) {
                      machine.cell(to.place, item) = {row[item * factor % kGroup] & mask_of(to.type)};
                    });
                  });
}

}  // namespace random_kernels
