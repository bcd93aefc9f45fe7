// SPDX-License-Identifier: Apache-2.0
// Litmus tests of the memory model (OpenCL C 6.15.12; API specification 3.3.4): outcomes that orders and scopes rule out never
// happen. Work-items of different work-groups play the parts of each test, thousands of times at once; a GPU shows the forbidden
// outcomes within milliseconds where an order or a fence is missing. (tests/compiler checks that each is in the PTX.)
#include <gtest/gtest.h>

#include "device_program.h"

namespace clcuda::test {
namespace {

constexpr std::size_t group = 64, groups = 48, instances = group * groups;

struct Scope {
  const char* name;
  bool across_groups;
};
constexpr Scope scopes[] = {{"memory_scope_device", true},
                            {"memory_scope_all_svm_devices", true},
                            {"memory_scope_work_group", false}};

// Statements over `x`, `y` and the own result `r`, which see places far apart; `i` is the instance.
struct Litmus {
  std::vector<std::string> parts;
  // Whether the parts' results, one after the other, are an outcome that must not happen.
  bool (*forbidden)(const cl_uint* results);
};

// Neighbouring work-groups (or, within a group, neighbouring warps) play different parts of the same instances.
std::string source(const Litmus& litmus, const Scope& scope) {
  const std::string parts = std::to_string(litmus.parts.size());
  std::string text =
      "#define SCOPE " + std::string(scope.name) +
      "\n#define STORE(p, v, o) atomic_store_explicit(p, v, memory_order_##o, SCOPE)\n"
      "#define LOAD(p, o) atomic_load_explicit(p, memory_order_##o, SCOPE)\n"
      "#define SWAP(p, v, o) atomic_exchange_explicit(p, v, memory_order_##o, SCOPE)\n"
      "#define FENCE(o) atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_##o, SCOPE)\n"
      "kernel void k(global atomic_uint* xs, global atomic_uint* ys, global uint* data, global uint* "
      "results) {\n";
  text += scope.across_groups ? "  uint part = get_group_id(0) % " + parts + ", i = get_group_id(0) / " +
                                    parts + " * get_local_size(0) + get_local_id(0);\n"
                              : "  uint warp = get_global_id(0) / 32, part = warp % " + parts +
                                    ", i = warp / " + parts + " * 32 + get_local_id(0) % 32;\n";
  // Far apart, and in different orders, so that the places have nothing to do with each other.
  text += "  global atomic_uint* x = xs + i * 7 % " + std::to_string(instances) +
          ";\n  global atomic_uint* y = ys + (i * 13 + 5) % " + std::to_string(instances) +
          ";\n  global uint* d = data + (i * 11 + 3) % " + std::to_string(instances) +
          ";\n  uint r = 0;\n  switch (part) {\n";
  for (std::size_t part = 0; part < litmus.parts.size(); ++part)
    text += "    case " + std::to_string(part) + ": { " + litmus.parts[part] + " } break;\n";
  return text + "  }\n  results[i * " + parts + " + part] = r;\n}\n";
}

void check(const Litmus& litmus, int rounds) {
  for (const Scope& scope : scopes) {
    SCOPED_TRACE(scope.name);
    DeviceProgram program(source(litmus, scope));
    const std::size_t parts = litmus.parts.size();
    for (int round = 0; round < rounds; ++round) {
      std::vector<cl_uint> x(instances), y(instances), data(instances), results(parts * instances);
      // Within a work-group there must be a warp for each part.
      const std::size_t local = scope.across_groups ? group : 32 * parts;
      program.run("k", {1, {parts * instances, 1, 1}, {local, 1, 1}}, {x, y, data, results});
      for (std::size_t i = 0; i < instances; ++i)
        ASSERT_FALSE(litmus.forbidden(&results[i * parts])) << "instance " << i << " in round " << round;
    }
  }
}

// Who sees the flag sees what was written ahead of it.
bool flag_without_data(const cl_uint* r) { return r[1] == 2; }
const char* const read_data = " r = flag ? (*d == 42 ? 1 : 2) : 0;";

TEST(MemoryModel, MessagePassingByReleaseAndAcquire) {
  check({{"*d = 42; STORE(y, 1, release);", std::string("uint flag = LOAD(y, acquire);") + read_data},
         flag_without_data},
        4);
}
TEST(MemoryModel, MessagePassingByFences) {
  check({{"*d = 42; FENCE(release); STORE(y, 1, relaxed);",
          std::string("uint flag = LOAD(y, relaxed); FENCE(acquire);") + read_data},
         flag_without_data},
        4);
}
TEST(MemoryModel, MessagePassingByReadModifyWrite) {
  check({{"*d = 42; SWAP(y, 1, acq_rel);",
          std::string("uint flag = atomic_fetch_max_explicit(y, 0u, memory_order_acq_rel, SCOPE);") +
              read_data},
         flag_without_data},
        4);
}
TEST(MemoryModel, MessagePassingByCompareExchange) {
  check(
      {{"*d = 42; uint none = 0; atomic_compare_exchange_strong_explicit(y, &none, 1u, memory_order_release, "
        "memory_order_relaxed, SCOPE);",
        std::string(
            "uint flag = 1; if (!atomic_compare_exchange_strong_explicit(y, &flag, 2u, memory_order_acquire, "
            "memory_order_acquire, SCOPE)) flag = 0; ") +
            read_data},
       flag_without_data},
      4);
}
// Through a third: what the first wrote is seen by who sees what the second made of it.
TEST(MemoryModel, MessagesAreHandedOn) {
  check({{"*d = 42; STORE(x, 1, release);", "if (LOAD(x, acquire)) STORE(y, 1, release);",
          std::string("uint flag = LOAD(y, acquire);") + read_data},
         [](const cl_uint* r) { return r[2] == 2; }},
        4);
}

// At least one of two that write and then look sees the other's.
bool neither_saw(const cl_uint* r) { return r[0] == 0 && r[1] == 0; }

TEST(MemoryModel, StoreBufferingSequentiallyConsistent) {
  check({{"STORE(x, 1, seq_cst); r = LOAD(y, seq_cst);", "STORE(y, 1, seq_cst); r = LOAD(x, seq_cst);"},
         neither_saw},
        8);
}
TEST(MemoryModel, StoreBufferingWithFences) {
  check({{"STORE(x, 1, relaxed); FENCE(seq_cst); r = LOAD(y, relaxed);",
          "STORE(y, 1, relaxed); FENCE(seq_cst); r = LOAD(x, relaxed);"},
         neither_saw},
        8);
}
TEST(MemoryModel, StoreBufferingByExchange) {
  check({{"SWAP(x, 1, seq_cst); r = LOAD(y, seq_cst);", "SWAP(y, 1, seq_cst); r = LOAD(x, seq_cst);"},
         neither_saw},
        8);
}

// Two observers agree on the order of two independent writes.
TEST(MemoryModel, IndependentReadsOfIndependentWrites) {
  const auto disagree = [](const cl_uint* r) { return r[2] == 1 && r[3] == 1; };
  for (const char* order : {"seq_cst", "fences"}) {
    const bool fences = std::string(order) == "fences";
    const std::string store = fences ? "relaxed" : "seq_cst", between = fences ? "FENCE(seq_cst);" : "";
    const auto look = [&](const char* first, const char* second) {
      return std::string("uint a = LOAD(") + first + ", " + store + "); " + between + " uint b = LOAD(" +
             second + ", " + store + "); r = a && !b;";
    };
    check({{"STORE(x, 1, " + store + ");", "STORE(y, 1, " + store + ");", look("x", "y"), look("y", "x")},
           disagree},
          4);
  }
}

// One place has one order for all, whatever the memory order.
TEST(MemoryModel, ReadsOfOnePlaceGoForward) {
  check({{"for (uint v = 1; v <= 20; ++v) STORE(x, v, relaxed);",
          "uint last = 0; for (uint n = 0; n < 20; ++n) { uint now = LOAD(x, relaxed); if (now < last) r = "
          "1; last = now; }"},
         [](const cl_uint* r) { return r[1] == 1; }},
        4);
}

}  // namespace
}  // namespace clcuda::test
