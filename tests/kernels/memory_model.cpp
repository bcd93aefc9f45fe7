// SPDX-License-Identifier: Apache-2.0
// Litmus tests of the memory model (OpenCL C 6.15.12; API specification 3.3.4): outcomes that memory orders and scopes forbid must not
// occur. Work-items of different work-groups execute the parts of each test, hundreds of thousands of times. They synchronize first, so
// that all parts run at the same time, and those that wait poll repeatedly.
//
// The test verifies that it can fail: on a GPU, the same program without orders and fences must show the forbidden outcome. On an H200 each
// test does, ten to some thousand times in a launch. This is not required within a work-group, whose accesses go through one cache in
// order, and on the CPU device, where the processor keeps most orders. (tests/compiler checks that each order and fence is in the PTX.)
#include <gtest/gtest.h>

#include "device_program.h"

namespace clcuda::test {
namespace {

struct Scope {
  const char* name;
  bool across_groups;
};
constexpr Scope kScopes[] = {{"memory_scope_device", true},
                             {"memory_scope_all_svm_devices", true},
                             {"memory_scope_work_group", false}};

// A launch: groups × group instances of a test in each round. `tries` is the number of polls of a work-item that waits.
struct Size {
  std::size_t group, groups, rounds, tries;
  std::size_t instances() const { return group * groups; }
};
Size size_for_device() { return device_is_gpu() ? Size{256, 96, 8, 100} : Size{64, 12, 2, 20}; }

// Statements over the independent objects `x`, `y`, `d`, and the part's own result `r`.
struct Litmus {
  std::vector<std::string> parts;
  // Whether the results of the parts, in order, are a forbidden outcome.
  bool (*forbidden)(const cl_uint* results);
};

enum class Orders { kept, dropped };

constexpr const char* kWords = R"(
#define STORE(p, v, o) atomic_store_explicit(p, v, ORDER(o), SCOPE)
#define LOAD(p, o) atomic_load_explicit(p, ORDER(o), SCOPE)
#define SWAP(p, v, o) atomic_exchange_explicit(p, v, ORDER(o), SCOPE)
#define MAX(p, v, o) atomic_fetch_max_explicit(p, v, ORDER(o), SCOPE)
#define REPLACE(p, old, v, o, f) atomic_compare_exchange_strong_explicit(p, old, v, ORDER(o), ORDER(f), SCOPE)
// Looks until the flag is there, each time at the data too.
#define LOOK(...) { uint n = 0; do { flag = (__VA_ARGS__); seen = LOAD(d, relaxed); } while (!flag && ++n < TRIES); }

void meet(volatile global atomic_uint* gate, uint count) {
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    atomic_fetch_add_explicit(gate, 1, memory_order_relaxed, memory_scope_device);
    for (uint n = 0; n < 100 * TRIES; ++n)
      if (atomic_load_explicit(gate, memory_order_relaxed, memory_scope_device) >= count) break;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}
)";

std::string define(const std::string& name, std::size_t value) {
  return "#define " + name + " " + std::to_string(value) + "\n";
}

// Neighbouring work-groups (or, within a group, neighbouring warps) execute different parts of the same instances.
std::string source(const Litmus& litmus, const Scope& scope, const Size& size, Orders orders) {
  const bool kept = orders == Orders::kept;
  std::string text =
      define("PARTS", litmus.parts.size()) + define("N", size.instances()) + define("ROUNDS", size.rounds) +
      define("TRIES", size.tries) + "#define SCOPE " + scope.name +
      (kept ? "\n#define ORDER(o) memory_order_##o\n"
              "#define FENCE(o) atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_##o, SCOPE)\n"
            : "\n#define ORDER(o) memory_order_relaxed\n#define FENCE(o)\n") +
      kWords;
  text +=
      "kernel void k(global atomic_uint* xs, global atomic_uint* ys, global atomic_uint* data,\n"
      "              volatile global atomic_uint* gates, global uint* results) {\n";
  text +=
      scope.across_groups
          ? "  uint part = get_group_id(0) % PARTS, set = get_group_id(0) / PARTS, meeting = PARTS,\n"
            "       i = set * get_local_size(0) + get_local_id(0);\n"
          : "  uint warp = get_global_id(0) / 32, part = warp % PARTS, set = get_group_id(0), meeting = 1,\n"
            "       i = warp / PARTS * 32 + get_local_id(0) % 32;\n";
  text += R"(
  for (uint round = 0; round < ROUNDS; ++round) {
    global atomic_uint *x = xs + round * N + i * 7 % N, *y = ys + round * N + (i * 13 + 5) % N,
                       *d = data + round * N + (i * 11 + 3) % N;
    uint r = 0, flag = 0, seen = 0;
    meet(gates + round * N + set * 32, meeting);
    switch (part) {
)";
  for (std::size_t part = 0; part < litmus.parts.size(); ++part)
    text += "    case " + std::to_string(part) + ": { " + litmus.parts[part] + " } break;\n";
  return text + "    }\n    results[(round * N + i) * PARTS + part] = r;\n  }\n}\n";
}

// Launches once and returns the number of forbidden outcomes.
std::size_t forbidden_outcomes(const Litmus& litmus, const Scope& scope, const Size& size,
                               DeviceProgram& program) {
  const std::size_t parts = litmus.parts.size(), all = size.instances() * size.rounds;
  std::vector<cl_uint> x(all), y(all), data(all), gates(all), results(parts * all);
  // Within a work-group each part needs its own warps.
  const std::size_t local = scope.across_groups ? size.group : 32 * parts;
  program.run("k", {1, {parts * size.instances(), 1, 1}, {local, 1, 1}}, {x, y, data, gates, results});
  std::size_t count = 0;
  for (std::size_t i = 0; i < all; ++i) count += litmus.forbidden(&results[i * parts]);
  return count;
}

void never(const Litmus& litmus, int launches) {
  const Size size = size_for_device();
  for (const Scope& scope : kScopes) {
    SCOPED_TRACE(scope.name);
    DeviceProgram program(source(litmus, scope, size, Orders::kept));
    for (int launch = 0; launch < launches; ++launch)
      ASSERT_EQ(forbidden_outcomes(litmus, scope, size, program), 0u) << "in launch " << launch;
  }
}

// The control: without memory orders the forbidden outcome occurs.
void but_without_orders(const Litmus& litmus) {
  if (!device_is_gpu()) return;
  constexpr int kMostLaunches = 60;
  const Size size = size_for_device();
  DeviceProgram program(source(litmus, kScopes[0], size, Orders::dropped));
  std::size_t count = 0;
  int launches = 0;
  while (count == 0 && launches++ < kMostLaunches)
    count = forbidden_outcomes(litmus, kScopes[0], size, program);
  EXPECT_GT(count, 0u) << "nothing shows that this test can fail on this device";
  std::printf("without orders: %zu in launch %d\n", count, launches);
}

void check(const Litmus& litmus) {
  never(litmus, 4);
  but_without_orders(litmus);
}

// A reader that sees the flag must see the data written before it.
bool flag_without_data(const cl_uint* r) { return r[1] == 2; }
const char* const kReadData = " r = flag ? (seen == 42 ? 1 : 2) : 0;";

TEST(MemoryModel, MessagePassingByReleaseAndAcquire) {
  check({{"STORE(d, 42, relaxed); STORE(y, 1, release);", std::string("LOOK(LOAD(y, acquire))") + kReadData},
         flag_without_data});
}
TEST(MemoryModel, MessagePassingByFences) {
  check({{"STORE(d, 42, relaxed); FENCE(release); STORE(y, 1, relaxed);",
          std::string("uint n = 0; do { flag = LOAD(y, relaxed); FENCE(acquire); seen = LOAD(d, relaxed); } "
                      "while (!flag && ++n < TRIES);") +
              kReadData},
         flag_without_data});
}
TEST(MemoryModel, MessagePassingByReadModifyWrite) {
  check(
      {{"STORE(d, 42, relaxed); SWAP(y, 1, acq_rel);", std::string("LOOK(MAX(y, 0u, acq_rel))") + kReadData},
       flag_without_data});
}
TEST(MemoryModel, MessagePassingByCompareExchange) {
  check({{"uint none = 0; STORE(d, 42, relaxed); REPLACE(y, &none, 1u, release, relaxed);",
          std::string("uint one; LOOK(one = 1, REPLACE(y, &one, 2u, acquire, acquire))") + kReadData},
         flag_without_data});
}
// Data that are not atomic objects, and are not accessed before the flag is set.
TEST(MemoryModel, MessagePassingOfPlainData) {
  check({{"*(global uint*)d = 42; STORE(y, 1, release);",
          std::string("for (uint n = 0; n < TRIES && !flag; ++n) flag = LOAD(y, acquire);"
                      "if (flag) seen = *(global uint*)d;") +
              kReadData},
         flag_without_data});
}
// Transitivity: a reader of the second work-item's store must see the first one's.
TEST(MemoryModel, MessagesAreHandedOn) {
  check({{"STORE(d, 42, relaxed); STORE(x, 1, release);",
          "for (uint n = 0; n < TRIES && !flag; ++n) flag = LOAD(x, acquire);"
          "if (flag) STORE(y, 1, release);",
          std::string("LOOK(LOAD(y, acquire))") + kReadData},
         [](const cl_uint* r) { return r[2] == 2; }});
}

// Of two work-items that store and then load the other's object, at least one sees the other's store.
bool neither_saw(const cl_uint* r) { return r[0] == 1 && r[1] == 1; }

TEST(MemoryModel, StoreBufferingSequentiallyConsistent) {
  check({{"STORE(x, 1, seq_cst); r = !LOAD(y, seq_cst);", "STORE(y, 1, seq_cst); r = !LOAD(x, seq_cst);"},
         neither_saw});
}
TEST(MemoryModel, StoreBufferingWithFences) {
  check({{"STORE(x, 1, relaxed); FENCE(seq_cst); r = !LOAD(y, relaxed);",
          "STORE(y, 1, relaxed); FENCE(seq_cst); r = !LOAD(x, relaxed);"},
         neither_saw});
}
TEST(MemoryModel, StoreBufferingByExchange) {
  check({{"SWAP(x, 1, seq_cst); r = !LOAD(y, seq_cst);", "SWAP(y, 1, seq_cst); r = !LOAD(x, seq_cst);"},
         neither_saw});
}

// Two observers must agree on the order of two independent writes.
Litmus independent_writes(const std::string& order, const std::string& between) {
  const auto look = [&](const std::string& first, const std::string& second) {
    return "uint n = 0, other; do { flag = LOAD(" + first + ", " + order + "); " + between +
           " other = LOAD(" + second + ", " + order +
           "); } while (!flag && ++n < TRIES); r = flag && !other;";
  };
  return {{"STORE(x, 1, " + order + ");", "STORE(y, 1, " + order + ");", look("x", "y"), look("y", "x")},
          [](const cl_uint* r) { return r[2] == 1 && r[3] == 1; }};
}
TEST(MemoryModel, IndependentReadsOfIndependentWrites) { check(independent_writes("seq_cst", "")); }
TEST(MemoryModel, IndependentReadsOfIndependentWritesWithFences) {
  check(independent_writes("relaxed", "FENCE(seq_cst);"));
}

// Coherence: all agree on the order of writes to one object, with any memory order, so there is no control.
TEST(MemoryModel, ReadsOfOnePlaceGoForward) {
  never({{"for (uint v = 1; v <= 20; ++v) STORE(x, v, relaxed);",
          "uint last = 0; for (uint n = 0; n < 20; ++n) { uint now = LOAD(x, relaxed); if (now < last) r = "
          "1; last = now; }"},
         [](const cl_uint* r) { return r[1] == 1; }},
        4);
}

}  // namespace
}  // namespace clcuda::test
