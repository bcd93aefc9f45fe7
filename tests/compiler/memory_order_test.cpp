// SPDX-License-Identifier: Apache-2.0
// Memory orders and scopes of atomic functions in the PTX, which tests/kernels/memory_model.cpp can verify on a GPU only.
#include <regex>

#include "support.h"

namespace clcuda::compiler {
namespace {

using testing::built;
using testing::count;

// The body of one kernel.
std::string body_of(const std::string& ptx, const std::string& kernel) {
  const std::size_t begin = ptx.find(".entry " + kernel + "(");
  if (begin == ptx.npos) return "no kernel " + kernel;
  return ptx.substr(begin, ptx.find("\n}", begin) - begin);
}

// A statement over `p` and `q`; instructions that the PTX must contain in this order, with @ for the scope; and the number of fences.
struct Case {
  const char* statement;
  const char* expected;
  std::size_t fences;
};
constexpr Case kCases[] = {
    {"*q = atomic_load_explicit(p, memory_order_relaxed, SCOPE);", "ld\\.relaxed\\.@\\.global", 0},
    {"*q = atomic_load_explicit(p, memory_order_acquire, SCOPE);", "ld\\.acquire\\.@\\.global", 0},
    {"*q = atomic_load_explicit(p, memory_order_seq_cst, SCOPE);",
     "fence\\.sc\\.@;[\\s\\S]*ld\\.acquire\\.@\\.global", 1},
    {"atomic_store_explicit(p, 3u, memory_order_relaxed, SCOPE);", "st\\.relaxed\\.@\\.global", 0},
    {"atomic_store_explicit(p, 3u, memory_order_release, SCOPE);", "st\\.release\\.@\\.global", 0},
    {"atomic_store_explicit(p, 3u, memory_order_seq_cst, SCOPE);",
     "fence\\.sc\\.@;[\\s\\S]*st\\.relaxed\\.@\\.global", 1},
    {"*q = atomic_fetch_add_explicit(p, 3u, memory_order_relaxed, SCOPE);",
     "atom\\.relaxed\\.@\\.global\\.add", 0},
    {"*q = atomic_fetch_sub_explicit(p, 3u, memory_order_acquire, SCOPE);",
     "atom\\.acquire\\.@\\.global\\.add", 0},
    {"*q = atomic_fetch_max_explicit(p, 3u, memory_order_release, SCOPE);",
     "atom\\.release\\.@\\.global\\.max", 0},
    {"*q = atomic_fetch_xor_explicit(p, 3u, memory_order_acq_rel, SCOPE);",
     "atom\\.acq_rel\\.@\\.global\\.xor", 0},
    {"*q = atomic_exchange_explicit(p, 3u, memory_order_seq_cst, SCOPE);",
     "fence\\.sc\\.@;[\\s\\S]*atom\\.acquire\\.@\\.global\\.exch", 1},
    {"uint e = *q; atomic_compare_exchange_strong_explicit(p, &e, 3u, memory_order_acq_rel, "
     "memory_order_relaxed, SCOPE);",
     "atom\\.acq_rel\\.@\\.global\\.cas", 0},
    {"uint e = *q; atomic_compare_exchange_weak_explicit(p, &e, 3u, memory_order_seq_cst, "
     "memory_order_acquire, SCOPE);",
     "fence\\.sc\\.@;[\\s\\S]*atom\\.acquire\\.@\\.global\\.cas", 1},
    {"*q = atomic_flag_test_and_set_explicit((volatile global atomic_flag*)p, memory_order_acquire, SCOPE);",
     "atom\\.acquire\\.@\\.global\\.exch", 0},
    {"*q = 1; atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, SCOPE); q[1] = 2;",
     "st\\.global[\\s\\S]*fence\\.acq_rel\\.@;[\\s\\S]*st\\.global", 1},
    {"*q = 1; atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, SCOPE); q[1] = 2;",
     "st\\.global[\\s\\S]*fence\\.sc\\.@;[\\s\\S]*st\\.global", 1},
};

void check(const std::string& scope, const std::string& ptx_scope) {
  std::string source;
  for (std::size_t i = 0; i < std::size(kCases); ++i)
    source += "kernel void k" + std::to_string(i) + "(volatile global atomic_uint* p, global uint* q) { " +
              kCases[i].statement + " }\n";
  const std::string ptx = built(source, "-cl-std=CL3.0 -DSCOPE=" + scope).uniform.ptx;
  for (std::size_t i = 0; i < std::size(kCases); ++i) {
    const std::string body = body_of(ptx, "k" + std::to_string(i));
    const std::string expected =
        std::regex_replace(std::string(kCases[i].expected), std::regex("@"), ptx_scope);
    EXPECT_TRUE(std::regex_search(body, std::regex(expected))) << kCases[i].statement << "\n" << body;
    EXPECT_EQ(count(body, "fence."), kCases[i].fences) << kCases[i].statement << "\n" << body;
  }
}

TEST(MemoryOrder, WorkGroup) { check("memory_scope_work_group", "cta"); }
TEST(MemoryOrder, Device) { check("memory_scope_device", "gpu"); }
TEST(MemoryOrder, AllDevices) { check("memory_scope_all_svm_devices", "sys"); }

}  // namespace
}  // namespace clcuda::compiler
