// SPDX-License-Identifier: Apache-2.0
// The participants of sub-group functions in random control flow: the lanes that took the same path, however the hardware executes it. A
// program is a tree of statements over one variable per work-item, which is printed as OpenCL C and executed on the host by sets of lanes.
#include <gtest/gtest.h>

#include <array>
#include <bitset>
#include <cstdlib>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "device_program.h"

namespace clcuda::test {
namespace {

constexpr cl_uint kLanes = 32;
using Set = std::bitset<kLanes>;
using Random = std::mt19937;

enum class Kind { mix, ballot, shuffle, sum, choice, either, pick, loop, call, leave, next, done };

struct Statement {
  Kind kind = Kind::mix;
  cl_uint number = 0;              // that is mixed with x, or determines a loop's trip count
  cl_uint bit = 0, other_bit = 0;  // bits of x: conditions
  bool falls_through = false;      // from the first of `bodies` to the second, and so on
  std::vector<std::vector<Statement>> bodies;
};
using Statements = std::vector<Statement>;

// The state during execution: each lane's variable, and the lanes that have left the current statements.
struct Flow {
  std::array<cl_uint, kLanes> x{};
  Set returned, broke, continued;

  Set of(Set set) const { return set & ~(returned | broke | continued); }
  template <class Condition>
  Set where(Set set, Condition condition) const {
    Set result;
    for (cl_uint i = 0; i < kLanes; ++i) result[i] = set[i] && condition(x[i], i);
    return result;
  }
};

cl_uint mixed(cl_uint x, cl_uint with) { return (x ^ with) * 2654435761U + (x >> 15); }

void run(const Statements& statements, Set set, Flow& flow);

void run_exchange(const Statement& s, Set set, Flow& flow) {
  const auto before = flow.x;
  const auto voted = static_cast<cl_uint>(
      flow.where(set, [&](cl_uint x, cl_uint) { return (x >> s.bit & 1) != 0; }).to_ulong());
  cl_uint sum = 0;
  for (cl_uint i = 0; i < kLanes; ++i) sum += set[i] ? before[i] : 0;
  for (cl_uint i = 0; i < kLanes; ++i) {
    if (!set[i]) continue;
    const cl_uint other = i ^ s.number % kLanes;
    const cl_uint shuffled = set[other] ? before[other] : 0;
    flow.x[i] = mixed(before[i], s.kind == Kind::ballot ? voted : s.kind == Kind::sum ? sum : shuffled);
  }
}

void run_loop(const Statement& s, Set set, Flow& flow) {
  const Set broke = std::exchange(flow.broke, {}), continued = std::exchange(flow.continued, {});
  for (cl_uint turn = 0; set.any(); ++turn) {
    set = flow.of(flow.where(set, [&](cl_uint, cl_uint i) { return turn < (i * s.number >> 2) % 5; }));
    run(s.bodies[0], set, flow);
    flow.continued.reset();
  }
  flow.broke = broke;
  flow.continued = continued;
}

void run_pick(const Statement& s, Set set, Flow& flow) {
  const auto value_of = [&](cl_uint x) { return x >> s.bit % 30 & 3; };
  std::array<Set, 4> come;
  for (cl_uint value = 0; value < 4; ++value)
    come[value] = flow.where(set, [&](cl_uint x, cl_uint) { return value_of(x) == value; });
  for (cl_uint value = 0; value < 4; ++value) {
    run(s.bodies[value], come[value], flow);
    if (s.falls_through && value < 3) come[value + 1] |= flow.of(come[value]);
  }
}

void run_call(const Statement& s, Set set, Flow& flow) {
  const Set returned = std::exchange(flow.returned, {});
  run(s.bodies[0], set, flow);
  flow.returned = returned;
}

void run(const Statement& s, Set set, Flow& flow) {
  const Set first = flow.where(set, [&](cl_uint x, cl_uint) { return (x >> s.bit & 1) != 0; });
  const Set second = flow.where(set, [&](cl_uint x, cl_uint) { return (x >> s.other_bit & 1) != 0; });
  switch (s.kind) {
    case Kind::mix:
      for (cl_uint i = 0; i < kLanes; ++i)
        if (set[i]) flow.x[i] = mixed(flow.x[i], s.number);
      return;
    case Kind::ballot:
    case Kind::shuffle:
    case Kind::sum:
      return run_exchange(s, set, flow);
    case Kind::choice:
      run(s.bodies[0], first, flow);
      return run(s.bodies[1], set & ~first, flow);
    case Kind::either:
      return run(s.bodies[0], first | second, flow);
    case Kind::pick:
      return run_pick(s, set, flow);
    case Kind::loop:
      return run_loop(s, set, flow);
    case Kind::call:
      return run_call(s, set, flow);
    case Kind::leave:
      flow.broke |= first & second;
      return;
    case Kind::next:
      flow.continued |= first & second;
      return;
    case Kind::done:
      flow.returned |= first & second;
      return;
  }
}

void run(const Statements& statements, Set set, Flow& flow) {
  for (const Statement& s : statements)
    if (const Set here = flow.of(set); here.any()) run(s, here, flow);
}

// Definitions of the functions that are called; callees first.
struct Functions {
  std::string definitions;
  unsigned count = 0;
};

std::string text(const Statements& statements, unsigned depth, Functions& functions);

std::string call_of(const Statements& body, unsigned depth, Functions& functions) {
  const std::string definition = text(body, depth, functions),
                    name = "called" + std::to_string(functions.count++);
  functions.definitions +=
      "__attribute__((noinline)) uint " + name + "(uint x) {\n" + definition + "return x;\n}\n";
  return "x = " + name + "(x);\n";
}

std::string text(const Statement& s, unsigned depth, Functions& functions) {
  const auto bit = [](cl_uint bit) { return "(x >> " + std::to_string(bit) + " & 1)"; };
  const std::string number = std::to_string(s.number) + "u", turn = "t" + std::to_string(depth);
  const std::string rarely = "if (" + bit(s.bit) + " && " + bit(s.other_bit) + ") ";
  const auto body = [&](std::size_t i) { return "{\n" + text(s.bodies[i], depth + 1, functions) + "}\n"; };
  switch (s.kind) {
    case Kind::mix:
      return "x = mixed(x, " + number + ");\n";
    case Kind::ballot:
      return "x = mixed(x, sub_group_ballot(" + bit(s.bit) + ").x);\n";
    case Kind::sum:
      return "x = mixed(x, sub_group_non_uniform_reduce_add(x));\n";
    case Kind::shuffle:  // a shuffle from a lane that does not participate is undefined
      return "{ uint there = sub_group_ballot(1).x, other = get_sub_group_local_id() ^ (" + number +
             " % 32), got = sub_group_shuffle(x, other); x = mixed(x, there >> other & 1 ? got : 0); }\n";
    case Kind::choice:
      return "if (" + bit(s.bit) + ") " + body(0) + "else " + body(1);
    case Kind::either:
      return "if (" + bit(s.bit) + " || " + bit(s.other_bit) + ") " + body(0);
    case Kind::pick: {
      std::string all = "switch (x >> " + std::to_string(s.bit % 30) + " & 3) {\n";
      for (std::size_t i = 0; i < 4; ++i)
        all += "case " + std::to_string(i) + ": " + body(i) + (s.falls_through ? "" : "break;\n");
      return all + "}\n";
    }
    case Kind::loop:
      return "for (uint " + turn + " = 0; " + turn + " < (get_sub_group_local_id() * " + number +
             " >> 2) % 5; ++" + turn + ") " + body(0);
    case Kind::call:
      return call_of(s.bodies[0], depth + 1, functions);
    case Kind::leave:
      return rarely + "break;\n";
    case Kind::next:
      return rarely + "continue;\n";
    case Kind::done:
      return rarely + "RETURN\n";
  }
  return {};
}

std::string text(const Statements& statements, unsigned depth, Functions& functions) {
  std::string all;
  for (const Statement& s : statements) all += text(s, depth, functions);
  return all;
}

class Author {
 public:
  explicit Author(Random& random) : random_(random) {}

  Statements statements(unsigned depth, bool may_continue, bool may_break) {
    Statements all(2 + below(3));
    for (Statement& s : all) {
      s = {.kind = kind(depth, may_continue, may_break),
           .number = static_cast<cl_uint>(random_()),
           .bit = below(32),
           .other_bit = below(32),
           .falls_through = below(2) == 0};
      const bool is_loop = s.kind == Kind::loop, is_pick = s.kind == Kind::pick;
      const bool is_call = s.kind == Kind::call, has_bodies = s.kind >= Kind::choice && s.kind <= Kind::call;
      const unsigned bodies = !has_bodies ? 0 : is_pick ? 4 : s.kind == Kind::choice ? 2 : 1;
      for (unsigned i = 0; i < bodies; ++i)
        s.bodies.push_back(statements(depth + 1, is_loop || (may_continue && !is_call),
                                      is_loop || (may_break && !is_pick && !is_call)));
    }
    return all;
  }

 private:
  cl_uint below(cl_uint count) { return static_cast<cl_uint>(random_() % count); }

  Kind kind(unsigned depth, bool may_continue, bool may_break) {
    for (;;) {
      const auto kind = static_cast<Kind>(below(static_cast<cl_uint>(Kind::done) + 1));
      const bool nests = kind >= Kind::choice && kind <= Kind::call;
      if ((nests && depth == 3) || (kind == Kind::leave && !may_break) ||
          (kind == Kind::next && !may_continue))
        continue;
      return kind;
    }
  }

  Random& random_;
};

std::string source_of(const Statements& statements) {
  Functions functions;
  const std::string body = text(statements, 0, functions);
  return R"(
    uint mixed(uint x, uint with) { return (x ^ with) * 2654435761u + (x >> 15); }
    #define RETURN return x;
)" + functions.definitions +
         R"(
    #undef RETURN
    #define RETURN { out[get_global_id(0)] = x; return; }
    kernel void k(global uint* out) {
      uint x = out[get_global_id(0)];
)" + body +
         "out[get_global_id(0)] = x;\n}\n";
}

TEST(SubGroupDivergence, ThoseThatCameTheSameWayTakePart) {
  for (const char* name :
       {"cl_khr_subgroup_ballot", "cl_khr_subgroup_shuffle", "cl_khr_subgroup_non_uniform_arithmetic"})
    if (!device_has_extension(name)) GTEST_SKIP() << name;
  const auto seed = std::random_device{}();
  Random random{seed};
  const int rounds = std::getenv("CLCUDA_TEST_ALL") ? 200 : 12;
  for (int round = 0; round < rounds; ++round) {
    const Statements statements = Author(random).statements(0, false, false);
    const std::string source = source_of(statements);
    SCOPED_TRACE(source);
    // The last sub-group is incomplete.
    const cl_uint last = 1 + random() % kLanes, items = kLanes + last;
    std::vector<cl_uint> begin(items), expected(items);
    for (cl_uint& value : begin) value = static_cast<cl_uint>(random());
    for (cl_uint first = 0; first < items; first += kLanes) {
      Flow flow;
      Set set;
      for (cl_uint i = 0; i < kLanes && first + i < items; ++i) {
        set[i] = true;
        flow.x[i] = begin[first + i];
      }
      run(statements, set, flow);
      for (cl_uint i = 0; i < kLanes && first + i < items; ++i) expected[first + i] = flow.x[i];
    }
    for (const char* options : {"-cl-std=CL3.0", "-cl-std=CL3.0 -cl-opt-disable"}) {
      std::vector<cl_uint> values = begin;
      DeviceProgram(source, options).run("k", {.global = {items, 1, 1}, .local = {items, 1, 1}}, {values});
      ASSERT_EQ(values, expected) << "seed " << seed << " round " << round << ' ' << options;
    }
  }
}

}  // namespace
}  // namespace clcuda::test
