// SPDX-License-Identifier: Apache-2.0
// Atomic functions (OpenCL C 6.15.12.7, cl_ext_float_atomics) of each type with each memory order and scope that is allowed, in global,
// local and generic memory: the results of single calls. Ordering between work-items is tested in tests/kernels/memory_model.cpp.
#include <gtest/gtest.h>

#include "device_program.h"
#include "values.h"

namespace clcuda::test {
namespace {

template <class Tag>
struct AtomicForms : testing::Test {
  using T = typename Tag::Type;

  void SetUp() override {
    if (!device_has_feature("__opencl_c_atomic_order_seq_cst") ||
        !device_has_feature("__opencl_c_atomic_scope_all_devices"))
      GTEST_SKIP() << "the device does not have these orders and scopes";
    if (!kIsFloating<T>) return;
    const std::string feature = "__opencl_c_ext_fp" + std::to_string(8 * sizeof(T)) + "_";
    for (const char* of :
         {"global_atomic_add", "local_atomic_add", "global_atomic_min_max", "local_atomic_min_max"})
      if (!device_has_feature(feature + of)) GTEST_SKIP() << "the device does not have these atomics";
  }

  static std::string operand(const std::string& number) {
    return ", (" + std::string(TypeTraits<T>::name) + ")" + number;
  }
  static std::string call(const std::string& name, const std::string& operands, const std::string& order,
                          const std::string& scope) {
    return "atomic_" + name + "_explicit(p" + operands + ", memory_order_" + order + ", memory_scope_" +
           scope + ")";
  }
  // All functions on `*p` with one order, as far as loads, stores and failures may have it; the results go to `out`.
  static std::string steps(const std::string& order, const std::string& scope) {
    const bool weak = order == "relaxed" || order == "seq_cst";
    const std::string load = weak ? order : "acquire", store = weak ? order : "release";
    std::string text = "  " + call("store", operand("5"), store, scope) +
                       ";\n  *out++ = " + call("load", "", load, scope) + ";\n";
    const auto put = [&](const char* name, const char* number) {
      text += "  *out++ = " + call(name, operand(number), order, scope) + ";\n";
    };
    put("exchange", "7");
    put("fetch_add", "3");
    put("fetch_sub", "2");
    put("fetch_min", "6");
    put("fetch_max", "9");
    if (!kIsFloating<T>) {
      put("fetch_and", "12");
      put("fetch_or", "3");
      put("fetch_xor", "4");
    }
    if (sizeof(T) == 2) return text;
    const std::string failure = order == "seq_cst"                         ? "seq_cst"
                                : order == "acquire" || order == "acq_rel" ? "acquire"
                                                                           : "relaxed";
    for (const std::string strength : {"strong", "weak"}) {
      const auto compare = [&](const char* desired) {
        return "atomic_compare_exchange_" + strength + "_explicit(p, &seen, " + desired + ", memory_order_" +
               order + ", memory_order_" + failure + ", memory_scope_" + scope + ")";
      };
      text += "  seen = 100; *out++ = " + compare("1") + "; *out++ = seen; *out++ = " + compare("21") + ";\n";
    }
    return text;
  }
  static std::vector<T> expected() {
    std::vector<T> values{T(5), T(5), T(7), T(10), T(8), T(6)};
    T last(9);
    if (!kIsFloating<T>) {
      values.insert(values.end(), {T(9), T(8), T(11)});
      last = T(15);
    }
    if (sizeof(T) == 2) return values;
    for (int i = 0; i < 2; ++i) {
      values.insert(values.end(), {T(0), last, T(1)});
      last = T(21);
    }
    return values;
  }
};
using Types =
    testing::Types<Of<cl_int>, Of<cl_uint>, Of<cl_long>, Of<cl_ulong>, Of<Half>, Of<float>, Of<double>>;
TYPED_TEST_SUITE(AtomicForms, Types);

TYPED_TEST(AtomicForms, EveryOrderAndScope) {
  using T = typename TypeParam::Type;
  const std::string type = TypeTraits<T>::name, object = "atomic_" + type;
  const std::pair<std::string, std::string> pointers[] = {
      {"of_global", "volatile global " + object + "* p = memory"},
      {"of_local", "volatile local " + object + "* p = &own"},
      {"of_either", "volatile " + object + "* p = which[0] ? (volatile " + object + "*)memory : (volatile " +
                        object + "*)&own"}};
  std::string text = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";
  std::size_t forms = 0;
  for (const auto& [name, pointer] : pointers) {
    text += "kernel void " + name + "(global " + type + "* out, volatile global " + object +
            "* memory, global const int* which) {\n  local " + object + " own;\n  " + type + " seen;\n  " +
            pointer + ";\n";
    forms = 0;
    for (const char* order : {"relaxed", "acquire", "release", "acq_rel", "seq_cst"}) {
      for (const char* scope : {"sub_group", "work_group", "device", "all_svm_devices"}) {
        text += this->steps(order, scope);
        ++forms;
      }
    }
    text += "}\n";
  }
  DeviceProgram program(text);
  std::vector<T> wanted;
  for (std::size_t i = 0; i < forms; ++i) {
    const std::vector<T> once = this->expected();
    wanted.insert(wanted.end(), once.begin(), once.end());
  }
  for (const auto& [name, pointer] : pointers) {
    for (const cl_int which : {0, 1}) {
      std::vector<T> out(wanted.size()), memory(1);
      std::vector<cl_int> choice{which};
      program.run(name.c_str(), Range{}, {out, memory, choice});
      for (std::size_t i = 0; i < out.size(); ++i)
        ASSERT_EQ(static_cast<double>(out[i]), static_cast<double>(wanted[i]))
            << name << ", result " << i % (wanted.size() / forms) << " of form "
            << i / (wanted.size() / forms);
    }
  }
}

}  // namespace
}  // namespace clcuda::test
