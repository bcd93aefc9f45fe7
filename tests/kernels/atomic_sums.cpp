// SPDX-License-Identifier: Apache-2.0
// Sums by compare-exchange, as programs without atomic functions on floating-point numbers write them: in many shapes, of which the
// compiler makes atomic additions.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "device_program.h"
#include "values.h"

namespace clcuda::test {
namespace {

constexpr std::size_t kItems = 1024, kGroup = 128, kPlaces = 5;

// Bodies of `T add_…(volatile SPACE T* p, T x)`, which returns the old value. SWAP is atomic_cmpxchg or atom_cmpxchg, U the bits of T.
const std::pair<const char*, const char*> kShapes[] = {
    {"reload", R"(
      union { U u; T f; } old, sum;
      do {
        old.f = *p;
        sum.f = old.f + x;
      } while (SWAP((volatile SPACE U*)p, old.u, sum.u) != old.u);
      return old.f;)"},
    {"found", R"(
      union { U u; T f; } next, expected, current;
      current.f = *p;
      do {
        expected.f = current.f;
        next.f = expected.f + x;
        current.u = SWAP((volatile SPACE U*)p, expected.u, next.u);
      } while (current.u != expected.u);
      return current.f;)"},
    {"endless", R"(
      U old = as_U(*p);
      for (;;) {
        const U assumed = old;
        old = SWAP((volatile SPACE U*)p, assumed, as_U(x + as_T(assumed)));
        if (old == assumed) break;
      }
      return as_T(old);)"},
    {"difference", R"(
      U expected = as_U(*p), found;
      while ((found = SWAP((volatile SPACE U*)p, expected, as_U(as_T(expected) - -x))) != expected)
        expected = found;
      return as_T(expected);)"},
    {"sum_used", R"(
      volatile SPACE U* bits = (volatile SPACE U*)p;
      U old, sum;
      do {
        old = *bits;
        sum = as_U(as_T(old) + x);
        if (SWAP(bits, old, sum) == old) return as_T(sum) == as_T(old) + x ? as_T(old) : -1;
      } while (true);)"},
    {"without_load", R"(
      U expected = 0, found = 0;
      do {
        expected = found;
        found = SWAP((volatile SPACE U*)p, expected, as_U(as_T(expected) + x));
      } while (found != expected);
      return as_T(found);)"},
    {"exchange_weak", R"(
      T expected = *p;
      while (!atomic_compare_exchange_weak_explicit((volatile SPACE ATOMIC_T*)p, &expected, expected + x,
                                                    memory_order_relaxed, memory_order_relaxed)) {}
      return expected;)"},
    {"exchange_strong", R"(
      U expected = atomic_load((volatile SPACE ATOMIC_U*)p);
      while (!atomic_compare_exchange_strong((volatile SPACE ATOMIC_U*)p, &expected,
                                             as_U(as_T(expected) + x))) {}
      return as_T(expected);)"},
};

template <class Tag>
struct AtomicSums : testing::Test {
  using T = typename Tag::Type;
  std::mt19937_64 random{std::random_device{}()};

  static std::string functions(const std::string& space) {
    const bool is_float = sizeof(T) == 4;
    std::string text =
        is_float ? "#define T float\n#define U uint\n#define as_T as_float\n#define as_U as_uint\n"
                   "#define SWAP atomic_cmpxchg\n#define ATOMIC_T atomic_float\n"
                   "#define ATOMIC_U atomic_uint\n"
                 : "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
                   "#define T double\n#define U ulong\n#define as_T as_double\n#define as_U as_ulong\n"
                   "#define SWAP atom_cmpxchg\n#define ATOMIC_T atomic_double\n"
                   "#define ATOMIC_U atomic_ulong\n";
    text += "#define SPACE " + space + "\n";
    for (const auto& [name, body] : kShapes)
      text += "T add_" + std::string(name) + "(volatile SPACE T* p, T x) {" + body + "\n}\n";
    return text;
  }
};
using Types = testing::Types<Of<float>, Of<double>>;
TYPED_TEST_SUITE(AtomicSums, Types);

// The old values at a place are a chain: each is the sum of the one before and what was added to it.
template <class T>
void expect_chain(std::map<T, T> operand_of_old, T initial, T end, const std::string& about) {
  for (T value = initial; !operand_of_old.empty();) {
    const auto found = operand_of_old.find(value);
    ASSERT_NE(found, operand_of_old.end()) << about << ": nothing was added to " << value;
    value += found->second;
    operand_of_old.erase(found);
    if (operand_of_old.empty()) EXPECT_EQ(value, end) << about;
  }
}

TYPED_TEST(AtomicSums, ManyWorkItemsInGlobalMemory) {
  using T = typename TypeParam::Type;
  std::string text = this->functions("global");
  for (const auto& [name, body] : kShapes)
    text += "kernel void " + std::string(name) +
            "(global T* p, global T* x) {\n  size_t i = get_global_id(0);\n  x[i] = add_" + name +
            "(p + i % 5, x[i]);\n}\n";
  for (const char* options : {"-cl-std=CL3.0", "-cl-std=CL3.0 -cl-denorms-are-zero -cl-fast-relaxed-math"}) {
    DeviceProgram program(text, options);
    for (const auto& [name, body] : kShapes) {
      std::vector<T> places(kPlaces, T(1)), x(kItems);
      for (T& value : x) value = static_cast<T>(1 + this->random() % 64) / 8;
      const std::vector<T> operands = x;
      program.run(name, {1, {kItems, 1, 1}, {kGroup, 1, 1}}, {places, x});
      for (std::size_t place = 0; place < kPlaces; ++place) {
        std::map<T, T> operand_of_old;
        for (std::size_t i = place; i < kItems; i += kPlaces) operand_of_old.emplace(x[i], operands[i]);
        EXPECT_EQ(operand_of_old.size(), (kItems - place + kPlaces - 1) / kPlaces) << name;
        expect_chain(operand_of_old, T(1), places[place], name);
      }
    }
  }
}

TYPED_TEST(AtomicSums, ManyWorkItemsInLocalMemory) {
  using T = typename TypeParam::Type;
  std::string text = this->functions("local");
  for (const auto& [name, body] : kShapes)
    text += "kernel void " + std::string(name) +
            "(global T* p, global const T* x) {\n  size_t i = get_global_id(0), l = get_local_id(0);\n"
            "  local T own[5];\n  if (l < 5) own[l] = 1;\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
            "  T old = add_" +
            name +
            "(own + l % 5, x[i]);\n"
            "  if (old < 1) own[0] = -1000;\n"
            "  barrier(CLK_LOCAL_MEM_FENCE);\n  if (l < 5) p[5 * get_group_id(0) + l] = own[l];\n}\n";
  DeviceProgram program(text);
  for (const auto& [name, body] : kShapes) {
    std::vector<T> places(kPlaces * kItems / kGroup), wanted(places.size(), T(1)), x(kItems);
    for (std::size_t i = 0; i < kItems; ++i) {
      x[i] = static_cast<T>(this->random() % 64) / 8;
      wanted[kPlaces * (i / kGroup) + i % kGroup % kPlaces] += x[i];
    }
    program.run(name, {1, {kItems, 1, 1}, {kGroup, 1, 1}}, {places, x});
    EXPECT_EQ(places, wanted) << name;
  }
}

// Numbers of all kinds, subnormal ones too, are added as `+` adds them, whether memory is global or local.
TYPED_TEST(AtomicSums, EveryPairOfSpecialValues) {
  using T = typename TypeParam::Type;
  std::vector<T> memory, x;
  for (const T a : edge_values<T>())
    for (const T b : edge_values<T>()) {
      memory.push_back(a);
      x.push_back(b);
    }
  // Subnormal numbers, and operands on both sides of the one from which on they do not matter.
  const T least = std::numeric_limits<T>::denorm_min();
  for (const T b : {least, 3 * least, T(0x1p-100), std::nextafter(T(0x1p-100), T(0)), T(0)})
    for (const T a : {-least, 5 * least, 1000 * least, std::numeric_limits<T>::min(), T(-0x1p-100)}) {
      memory.push_back(a);
      x.push_back(b);
    }
  while (memory.size() % kGroup != 0) {
    memory.push_back(T(1));
    x.push_back(T(2));
  }
  std::string text = this->functions("global");
  for (const auto& [name, body] : kShapes)
    text += "kernel void " + std::string(name) +
            "(global T* p, global T* x) {\n  size_t i = get_global_id(0);\n  x[i] = add_" + name +
            "(p + i, x[i]);\n}\n";
  DeviceProgram program(text);
  for (const auto& [name, body] : kShapes) {
    if (std::string(name) == "sum_used") continue;  // compares numbers
    std::vector<T> sums = memory, old = x;
    program.run(name, {1, {memory.size(), 1, 1}, {kGroup, 1, 1}}, {sums, old});
    for (std::size_t i = 0; i < memory.size(); ++i) {
      const T sum = memory[i] + x[i];
      ASSERT_TRUE(std::isnan(sum) ? std::isnan(sums[i]) : bits_of(sums[i]) == bits_of(sum))
          << name << " " << memory[i] << " + " << x[i] << " gives " << sums[i];
      ASSERT_EQ(bits_of(old[i]), bits_of(memory[i])) << name << " " << memory[i] << " + " << x[i];
    }
  }
}

}  // namespace
}  // namespace clcuda::test
