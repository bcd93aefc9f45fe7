// SPDX-License-Identifier: Apache-2.0
// cl_ext_float_atomics: sums, minima and maxima of every pair of special values, and under contention; atomic halves.
#include <gtest/gtest.h>

#include "device_program.h"
#include "values.h"

namespace clcuda::test {
namespace {

constexpr std::size_t kItems = 1024, kGroup = 128;

template <class Tag>
struct AtomicFloating : testing::Test {
  using T = typename Tag::Type;
  static constexpr const char* kType = TypeTraits<T>::name;
  const std::string feature = "__opencl_c_ext_fp" + std::to_string(8 * sizeof(T)) + "_";
  const std::string object = std::string("atomic_") + kType;
  std::mt19937_64 random{std::random_device{}()};

  void SetUp() override {
    for (const char* space : {"global", "local"}) {
      for (const char* family : {"_atomic_add", "_atomic_min_max"}) {
        if (!device_has_feature(feature + space + family))
          GTEST_SKIP() << "the device does not have these atomics";
      }
    }
  }

  // Each work-item computes one pair: a is in memory, b is the operand.
  std::string pair_kernel(const std::string& name, const std::string& space, const std::string& call) const {
    const bool local = space == "local";
    const std::string t = kType, pointer = (space == "generic" ? "volatile " : "volatile " + space + " ") +
                                           object + "* p";
    return "kernel void " + name + "(global const " + t + "* a, global const " + t + "* b, global " + t +
           "* memory, global " + t +
           "* before) {\n  size_t i = get_global_id(0), l = get_local_id(0);\n  local " + object + " own[" +
           std::to_string(kGroup) + "];\n  " + t + " x = b[i];\n" +
           (local ? "  " + pointer + " = own + l;\n"
                  : "  " + pointer + " = (volatile global " + object + "*)memory + i;\n") +
           "  *(" + (space == "generic" ? "" : space + " ") + t + "*)p = a[i];\n  before[i] = " + call +
           ";\n" + (local ? "  memory[i] = *(local " + t + "*)p;\n" : "") + "}\n";
  }
};
using Types = testing::Types<Of<Half>, Of<float>, Of<double>>;
TYPED_TEST_SUITE(AtomicFloating, Types);

template <class T>
bool is_nan(T value) {
  return std::isnan(static_cast<double>(value));
}
template <class T>
bool is_signalling(T value) {
  using Bits = typename TypeTraits<T>::Bits;
  return is_nan(value) && !(bits_of(value) & (Bits{1} << (kDigits<T> - 2)));
}
template <class T>
bool same(T a, T b) {
  return bits_of(a) == bits_of(b) || (is_nan(a) && is_nan(b));
}

// By the extension either zero may be the lesser, and the result for a signalling NaN may be the NaN or the other value.
template <class T>
bool is_extreme(T result, T a, T b, bool least) {
  if (is_nan(a) && is_nan(b)) return is_nan(result);
  if (is_signalling(a) || is_signalling(b)) return is_nan(result) || same(result, is_nan(a) ? b : a);
  if (is_nan(a) || is_nan(b)) return same(result, is_nan(a) ? b : a);
  if (a == b) return result == a;
  return same(result, (a < b) == least ? a : b);
}

TYPED_TEST(AtomicFloating, EveryPairOfSpecialValues) {
  using T = typename TypeParam::Type;
  std::vector<T> values = edge_values<T>(), a, b;
  for (const T x : values) {
    for (const T y : values) {
      a.push_back(x);
      b.push_back(y);
    }
  }
  while (a.size() % kGroup != 0) {
    a.push_back(T(1));
    b.push_back(T(2));
  }
  std::string text;
  const std::string functions[] = {"add", "sub", "min", "max"}, spaces[] = {"global", "local", "generic"};
  for (const std::string& function : functions) {
    for (const std::string& space : spaces) {
      text += this->pair_kernel(function + "_" + space, space,
                                "atomic_fetch_" + function + "_explicit(p, x, memory_order_relaxed, " +
                                    (space == "local" ? "memory_scope_work_group)" : "memory_scope_device)"));
    }
  }
  DeviceProgram program(text);
  for (const std::string& function : functions) {
    for (const std::string& space : spaces) {
      std::vector<T> memory(a.size()), before(a.size());
      program.run((function + "_" + space).c_str(), {1, {a.size(), 1, 1}, {kGroup, 1, 1}},
                  {a, b, memory, before});
      for (std::size_t i = 0; i < a.size(); ++i) {
        const auto about = [&] {
          return function + " " + space + " " + std::to_string(static_cast<double>(a[i])) + " " +
                 std::to_string(static_cast<double>(b[i])) + " gives " +
                 std::to_string(static_cast<double>(memory[i]));
        };
        ASSERT_TRUE(same(before[i], a[i])) << about();
        if (function == "add") ASSERT_TRUE(same(memory[i], static_cast<T>(a[i] + b[i]))) << about();
        if (function == "sub") ASSERT_TRUE(same(memory[i], static_cast<T>(a[i] - b[i]))) << about();
        if (function == "min") ASSERT_TRUE(is_extreme(memory[i], a[i], b[i], true)) << about();
        if (function == "max") ASSERT_TRUE(is_extreme(memory[i], a[i], b[i], false)) << about();
      }
    }
  }
}

// All work-items update one object, with values whose sums are exact in any order, in each form of the functions.
TYPED_TEST(AtomicFloating, ManyWorkItemsOnOneObject) {
  using T = typename TypeParam::Type;
  const std::string t = this->kType;
  const std::pair<const char*, const char*> calls[] = {
      {"add", "atomic_fetch_add(p, x)"},
      {"add_relaxed", "atomic_fetch_add_explicit(p, x, memory_order_relaxed)"},
      {"sub", "atomic_fetch_sub_explicit(p, x, memory_order_acq_rel, memory_scope_device)"},
      {"min", "atomic_fetch_min(p, x)"},
      {"max", "atomic_fetch_max_explicit(p, x, memory_order_seq_cst, memory_scope_all_svm_devices)"}};
  std::string text;
  for (const auto& [name, call] : calls) {
    text += "kernel void " + std::string(name) + "(global const " + t + "* in, volatile global " +
            this->object + "* p) {\n  " + t + " x = in[get_global_id(0)];\n  " + call + ";\n}\n";
  }
  DeviceProgram program(text);
  for (const auto& [name, call] : calls) {
    std::vector<T> in(kItems), all{T(0)};
    for (T& value : in) value = static_cast<T>(static_cast<int>(this->random() % 5) - 2);
    in[this->random() % kItems] = T(-3);
    in[this->random() % kItems] = T(5);
    program.run(name, {1, {kItems, 1, 1}, {kGroup, 1, 1}}, {in, all});
    double wanted = 0;
    for (const T value : in) {
      const double x = static_cast<double>(value);
      wanted = name[0] == 'a'   ? wanted + x
               : name[0] == 's' ? wanted - x
               : name[1] == 'i' ? std::min(wanted, x)
                                : std::max(wanted, x);
    }
    ASSERT_EQ(static_cast<double>(all[0]), wanted) << name;
  }
}

// Each value is exchanged exactly once.
TEST(AtomicHalf, LoadStoreAndExchange) {
  if (!device_has_feature("__opencl_c_ext_fp16_global_atomic_load_store"))
    GTEST_SKIP() << "the device does not have atomic halves";
  DeviceProgram program(
      "kernel void k(global half* out, volatile global atomic_half* slots, global half* copies) {\n"
      "  size_t i = get_global_id(0);\n  local atomic_half own[128];\n"
      "  out[i] = atomic_exchange(slots, (half)i);\n"
      "  atomic_store(slots + 1 + i, (half)(2 * i));\n"
      "  atomic_store_explicit(own + get_local_id(0), atomic_load(slots + 1 + i), memory_order_release, "
      "memory_scope_work_group);\n"
      "  copies[i] = atomic_load_explicit(own + get_local_id(0), memory_order_acquire);\n}");
  std::vector<Half> out(kItems), slots(kItems + 1, Half(-1)), copies(kItems);
  program.run("k", {1, {kItems, 1, 1}, {kGroup, 1, 1}}, {out, slots, copies});
  std::vector<int> seen(kItems + 1);
  for (const Half value : out) ++seen.at(static_cast<std::size_t>(static_cast<int>(value) + 1));
  ++seen.at(static_cast<std::size_t>(static_cast<int>(slots[0]) + 1));
  for (const int count : seen) ASSERT_EQ(count, 1);
  for (std::size_t i = 0; i < kItems; ++i) {
    ASSERT_EQ(static_cast<int>(copies[i]), static_cast<int>(2 * i));
    ASSERT_EQ(static_cast<int>(slots[i + 1]), static_cast<int>(2 * i));
  }
}

// Exchanges of neighbouring halves in a word, in one warp and on both sides of a branch: at the end, work-items and memory together have
// exactly the initial values.
TEST(AtomicHalf, ExchangesInTurns) {
  if (!device_has_feature("__opencl_c_ext_fp16_global_atomic_load_store"))
    GTEST_SKIP() << "the device does not have atomic halves";
  constexpr std::size_t kPlaces = 5, kGroups = kItems / kGroup;
  DeviceProgram program(
      "kernel void k(global half* out, volatile global atomic_half* slots, global half* rest) {\n"
      "  size_t i = get_global_id(0), l = get_local_id(0);\n  local atomic_half own[5];\n"
      "  if (l < 5) atomic_store(own + l, -(half)(6 + l + 5 * get_group_id(0)));\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  half mine = (half)i;\n"
      "  for (uint turn = 0; turn < 50; ++turn) {\n"
      "    if ((i + turn) % 7 < 3)\n"
      "      mine = atomic_exchange_explicit(own + (i / 3 + turn) % 5, mine, memory_order_acq_rel, "
      "memory_scope_work_group);\n"
      "    else if ((i + turn) % 7 != 4)\n"
      "      mine = atomic_exchange_explicit(slots + (i + turn) % 5, mine, memory_order_relaxed, "
      "memory_scope_device);\n"
      "    else mine = atomic_exchange((volatile atomic_half*)(slots + i % 5), mine);\n"
      "  }\n"
      "  out[i] = mine;\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  if (l < 5) rest[5 * get_group_id(0) + l] = atomic_load(own + l);\n}");
  std::vector<Half> out(kItems), slots, rest(kPlaces * kGroups);
  for (std::size_t i = 0; i < kPlaces; ++i) slots.emplace_back(-1 - static_cast<int>(i));
  program.run("k", {1, {kItems, 1, 1}, {kGroup, 1, 1}}, {out, slots, rest});
  constexpr std::size_t kNegative = kPlaces * (1 + kGroups);
  std::vector<int> seen(kItems + kNegative);
  for (const auto* values : {&out, &slots, &rest})
    for (const Half value : *values) ++seen.at(kNegative + static_cast<std::size_t>(static_cast<int>(value)));
  for (std::size_t i = 0; i < seen.size(); ++i) ASSERT_EQ(seen[i], 1) << i;
}

// With -cl-denorms-are-zero, sums may flush subnormal numbers, but must be correct otherwise.
TEST(AtomicFloat, AddWhereSubnormalNumbersAreZero) {
  if (!device_has_feature("__opencl_c_ext_fp32_global_atomic_add"))
    GTEST_SKIP() << "the device does not have these atomics";
  DeviceProgram program(
      "kernel void k(volatile global atomic_float* p, global const float* x) {\n"
      "  size_t i = get_global_id(0);\n  atomic_fetch_add(p + i, x[i]);\n}",
      "-cl-std=CL3.0 -cl-denorms-are-zero");
  std::vector<float> sums{1, 0x1p-126F, 3, 0x1p-130F}, x{2, 0x1p-126F, 0x1p-140F, 1};
  program.run("k", {1, {4, 1, 1}, {4, 1, 1}}, {sums, x});
  EXPECT_EQ(sums, (std::vector<float>{3, 0x1p-125F, 3, 1}));
}

}  // namespace
}  // namespace clcuda::test
