// SPDX-License-Identifier: Apache-2.0
// Atomic functions of OpenCL C 1.x, 2.0 and later on each type, in global and local memory; barriers; memory orders that synchronize.
#include <gtest/gtest.h>

#include <functional>

#include "device_program.h"
#include "values.h"

namespace clcuda::test {
namespace {

constexpr std::size_t kItems = 1024, kGroup = 128;

// In OpenCL 3.0, orders and scopes other than relaxed and work-group are optional, and so are functions without these parameters.
bool device_has_form(const std::string& form) {
  const bool device_scope =
      form.find("scope") == std::string::npos || form.find("scope_device") != std::string::npos;
  const bool sequential = form.empty() || form.find("seq_cst") != std::string::npos;
  const bool ordered = !sequential && form.find("relaxed") == std::string::npos;
  return (!device_scope || device_has_feature("__opencl_c_atomic_scope_device")) &&
         (!sequential || device_has_feature("__opencl_c_atomic_order_seq_cst")) &&
         (!ordered || device_has_feature("__opencl_c_atomic_order_acq_rel")) &&
         (form.find("all_svm") == std::string::npos ||
          device_has_feature("__opencl_c_atomic_scope_all_devices"));
}

template <class T>
struct Operation {
  const char* name;  // the name in atomic_add, atom_add and atomic_fetch_add
  std::function<T(T, T)> combine;
};
template <class T>
std::vector<Operation<T>> operations() {
  return {
      {"add", [](T a, T b) { return static_cast<T>(bits_of(a) + bits_of(b)); }},
      {"sub", [](T a, T b) { return static_cast<T>(bits_of(a) - bits_of(b)); }},
      {"and", [](T a, T b) { return static_cast<T>(a & b); }},
      {"or", [](T a, T b) { return static_cast<T>(a | b); }},
      {"xor", [](T a, T b) { return static_cast<T>(a ^ b); }},
      {"min", [](T a, T b) { return std::min(a, b); }},
      {"max", [](T a, T b) { return std::max(a, b); }},
  };
}

template <class Tag>
struct AtomicFunctions : testing::Test {
  using T = typename Tag::Type;
  std::mt19937_64 random{std::random_device{}()};
};
using Types = testing::Types<Of<cl_int>, Of<cl_uint>, Of<cl_long>, Of<cl_ulong>>;
TYPED_TEST_SUITE(AtomicFunctions, Types);

// Each work-item applies its value to one global object and to one local object per group; each result must be a combination of the values.
template <class T>
std::string kernel(const std::string& name, const std::string& call, const std::string& object) {
  const std::string t = TypeTraits<T>::name;
  return "kernel void " + name + "(global const " + t + "* in, volatile global " + object + "* all, global " +
         t + "* groups) {\n  size_t i = get_global_id(0);\n  local " + object +
         " own;\n  if (get_local_id(0) == 0) *(local " + t + "*)&own = in[" + std::to_string(kItems) +
         "];\n  barrier(CLK_LOCAL_MEM_FENCE);\n  " + t + " x = in[i];\n  { volatile global " + object +
         "* p = all; " + call + "; }\n  { volatile local " + object + "* p = &own; " + call +
         "; }\n  barrier(CLK_LOCAL_MEM_FENCE);\n  if (get_local_id(0) == 0) groups[get_group_id(0)] = "
         "*(local " +
         t + "*)&own;\n}\n";
}

template <class T>
void check(DeviceProgram& program, const std::string& kernel, const Operation<T>& operation,
           std::mt19937_64& random) {
  std::vector<T> in(kItems + 1), all(1), groups(kItems / kGroup);
  for (T& value : in) value = from_bits<T>(static_cast<typename TypeTraits<T>::Bits>(random()));
  all[0] = in[kItems];
  program.run(kernel.c_str(), {1, {kItems, 1, 1}, {kGroup, 1, 1}}, {in, all, groups});
  T wanted = in[kItems];
  for (std::size_t i = 0; i < kItems; ++i) wanted = operation.combine(wanted, in[i]);
  ASSERT_EQ(all[0], wanted) << kernel;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    T of_group = in[kItems];
    for (std::size_t i = g * kGroup; i < (g + 1) * kGroup; ++i) of_group = operation.combine(of_group, in[i]);
    ASSERT_EQ(groups[g], of_group) << kernel;
  }
}

TYPED_TEST(AtomicFunctions, OfOpenCL1) {
  using T = typename TypeParam::Type;
  if (sizeof(T) == 8 && !device_has_extension("cl_khr_int64_extended_atomics"))
    GTEST_SKIP() << "the device does not have 64-bit atomics";
  const std::string prefix = sizeof(T) == 8 ? "atom_" : "atomic_";
  std::string text;
  for (const auto& operation : operations<T>()) {
    text +=
        kernel<T>(std::string("k") + operation.name, prefix + operation.name + "(p, x)", TypeTraits<T>::name);
  }
  text += kernel<T>("kinc", prefix + "inc(p)", TypeTraits<T>::name) +
          kernel<T>("kdec", prefix + "dec(p)", TypeTraits<T>::name);
  const std::string t = TypeTraits<T>::name;
  text += kernel<T>("kcmpxchg",
                    t + " seen = *p, before; do { before = seen; seen = " + prefix +
                        "cmpxchg(p, before, before ^ x); } while (seen != before)",
                    t);
  DeviceProgram program(text, "-cl-std=CL1.2");
  for (const auto& operation : operations<T>())
    check<T>(program, std::string("k") + operation.name, operation, this->random);
  check<T>(program, "kinc", {"inc", [](T a, T) { return static_cast<T>(bits_of(a) + 1); }}, this->random);
  check<T>(program, "kdec", {"dec", [](T a, T) { return static_cast<T>(bits_of(a) - 1); }}, this->random);
  check<T>(program, "kcmpxchg", {"cmpxchg", [](T a, T b) { return static_cast<T>(a ^ b); }}, this->random);
}

TYPED_TEST(AtomicFunctions, WithOrderAndScope) {
  using T = typename TypeParam::Type;
  if (sizeof(T) == 8 && !device_has_extension("cl_khr_int64_extended_atomics"))
    GTEST_SKIP() << "the device does not have 64-bit atomics";
  const std::string object = std::string("atomic_") + TypeTraits<T>::name;
  const char* forms[] = {"",
                         "memory_order_relaxed",
                         "memory_order_acquire",
                         "memory_order_release",
                         "memory_order_acq_rel",
                         "memory_order_seq_cst",
                         "memory_order_relaxed, memory_scope_work_group",
                         "memory_order_acq_rel, memory_scope_work_group",
                         "memory_order_acq_rel, memory_scope_device",
                         "memory_order_seq_cst, memory_scope_all_svm_devices"};
  for (const std::string form : forms) {
    if (!device_has_form(form)) continue;
    const std::string suffix = form.empty() ? "(p, x)" : "_explicit(p, x, " + form + ")";
    std::string text;
    for (const auto& operation : operations<T>()) {
      text += kernel<T>(std::string("k") + operation.name,
                        std::string("atomic_fetch_") + operation.name + suffix, object);
    }
    const std::string t = TypeTraits<T>::name, order = form.empty() ? "" : "_explicit";
    const std::string scope = form.find(',') == std::string::npos ? "" : form.substr(form.find(','));
    const std::string last =
        form.empty() ? "" : ", " + form.substr(0, form.find(',')) + ", memory_order_relaxed" + scope;
    text += kernel<T>("kcas",
                      t +
                          " seen = atomic_load_explicit(p, memory_order_relaxed, memory_scope_work_group); "
                          "while (!atomic_compare_exchange_weak" +
                          order + "(p, &seen, seen ^ x" + last + "))",
                      object);
    DeviceProgram program(text, "-cl-std=CL3.0");
    for (const auto& operation : operations<T>())
      check<T>(program, std::string("k") + operation.name, operation, this->random);
    check<T>(program, "kcas", {"cas", [](T a, T b) { return static_cast<T>(a ^ b); }}, this->random);
  }
}

// Each value is exchanged exactly once.
TEST(AtomicFloat, Exchange) {
  if (!device_has_form("")) GTEST_SKIP() << "the device does not have these orders and scopes";
  DeviceProgram program(
      "kernel void k(global float* out, volatile global float* slot, global int* chain) {\n  size_t i = "
      "get_global_id(0);\n"
      "  out[i] = atomic_xchg(slot, (float)i);\n"
      "  chain[i] = (int)atomic_exchange((volatile global atomic_float*)(slot + 1), (float)i);\n}",
      "-cl-std=CL3.0");
  std::vector<float> out(kItems), slot{-1, -1};
  std::vector<cl_int> chain(kItems);
  program.run("k", {1, {kItems, 1, 1}, {kGroup, 1, 1}}, {out, slot, chain});
  std::vector<int> seen(kItems + 1), seen_chain(kItems + 1);
  for (std::size_t i = 0; i < kItems; ++i) {
    ++seen[static_cast<int>(out[i]) + 1];
    ++seen_chain[chain[i] + 1];
  }
  ++seen[static_cast<int>(slot[0]) + 1];
  ++seen_chain[static_cast<int>(slot[1]) + 1];
  for (std::size_t i = 0; i <= kItems; ++i) {
    ASSERT_EQ(seen[i], 1) << i;
    ASSERT_EQ(seen_chain[i], 1) << i;
  }
}

// One work-group writes data and stores a flag with release; the others load it with acquire and read the data.
TEST(AtomicOrder, ReleaseAndAcquireHandOverData) {
  if (!device_has_form("memory_order_acq_rel"))
    GTEST_SKIP() << "the device does not have these orders and scopes";
  DeviceProgram program(
      "kernel void k(global int* data, volatile global atomic_int* flag, global int* out) {\n  size_t i = "
      "get_global_id(0);\n"
      "  if (i == 0) {\n    for (int k = 0; k < 256; ++k) data[k] = k * k;\n"
      "    atomic_store_explicit(flag, 1, memory_order_release, memory_scope_device);\n  }\n"
      "  int ready = 0;\n  for (int tries = 0; tries < 1000000 && !ready; ++tries)\n"
      "    ready = atomic_load_explicit(flag, memory_order_acquire, memory_scope_device);\n"
      "  int sum = 0;\n  for (int k = 0; k < 256; ++k) sum += data[k];\n  out[i] = ready ? sum : -1;\n}",
      "-cl-std=CL3.0");
  std::vector<cl_int> data(256), flag(1), out(256);
  program.run("k", {1, {256, 1, 1}, {32, 1, 1}}, {data, flag, out});
  int wanted = 0;
  for (int k = 0; k < 256; ++k) wanted += k * k;
  for (const cl_int sum : out) ASSERT_EQ(sum, wanted);
}

TEST(AtomicFlag, IsALock) {
  if (!device_has_form("memory_order_acq_rel"))
    GTEST_SKIP() << "the device does not have these orders and scopes";
  DeviceProgram program(
      "kernel void k(volatile global atomic_flag* lock, global int* counter) {\n  bool done = false;\n  "
      "while (!done) {\n"
      "    if (!atomic_flag_test_and_set_explicit(lock, memory_order_acquire)) {\n      *(volatile global "
      "int*)counter += 1;\n"
      "      atomic_flag_clear_explicit(lock, memory_order_release);\n      done = true;\n    }\n  }\n}",
      "-cl-std=CL3.0");
  std::vector<cl_int> lock(1), counter(1);
  program.run("k", {1, {256, 1, 1}, {32, 1, 1}}, {lock, counter});
  EXPECT_EQ(counter[0], 256);
}

}  // namespace
}  // namespace clcuda::test
