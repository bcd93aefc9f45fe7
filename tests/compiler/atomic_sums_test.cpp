// SPDX-License-Identifier: Apache-2.0
// Sums by compare-exchange become atomic additions (passes/optimize/fuse_atomic_sums.h). What they compute: tests/kernels/atomic_sums.cpp.
#include "support.h"

namespace clcuda::compiler {
namespace {

using testing::built;
using testing::count;

const std::string kAdd = R"(
  #pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
  void add(volatile SPACE T* p, T x) {
    union { U u; T f; } next, expected, current;
    current.f = *p;
    do {
      expected.f = current.f;
      next.f = expected.f + x;
      current.u = SWAP((volatile SPACE U*)p, expected.u, next.u);
    } while (current.u != expected.u);
  }
  kernel void k(SPACE T* p, global const T* x) {
    add(p + get_global_id(0) % 7, x[get_global_id(0)]);
  })";
const std::string kFloat = "-cl-std=CL3.0 -DT=float -DU=uint -DSWAP=atomic_cmpxchg ";
const std::string kDouble = "-cl-std=CL3.0 -DT=double -DU=ulong -DSWAP=atom_cmpxchg ";

std::string ptx_of(const std::string& source, const std::string& options) {
  std::string ptx = built(source, options).uniform.ptx;
  EXPECT_EQ(testing::ptxas_complaint(ptx, testing::kTarget.sm), "");
  return ptx;
}

void expect_only_addition(const std::string& ptx, const std::string& instruction) {
  EXPECT_EQ(count(ptx, instruction), 1U) << ptx;
  EXPECT_EQ(count(ptx, ".cas."), 0U) << ptx;
  EXPECT_EQ(count(ptx, "ld.volatile"), 0U) << ptx;
}

TEST(AtomicSums, NeedNoLoopWhereTheInstructionIsExact) {
  expect_only_addition(ptx_of(kAdd, kDouble + "-DSPACE=global"), "atom.global.add.f64");
  expect_only_addition(ptx_of(kAdd, kDouble + "-DSPACE=local"), "atom.shared.add.f64");
  expect_only_addition(ptx_of(kAdd, kFloat + "-DSPACE=local"), "atom.shared.add.f32");
  expect_only_addition(ptx_of(kAdd, kFloat + "-DSPACE=global -cl-denorms-are-zero"), "atom.global.add.f32");
}

TEST(AtomicSums, KeepTheLoopForSmallOperandsInGlobalMemory) {
  const std::string ptx = ptx_of(kAdd, kFloat + "-DSPACE=global");
  EXPECT_EQ(count(ptx, "atom.global.add.f32"), 1U) << ptx;
  EXPECT_EQ(count(ptx, ".cas."), 1U) << ptx;
}

TEST(AtomicSums, OfConstantsAreDecidedByTheCompiler) {
  const std::string start = kAdd + "kernel void constant_operand(global T* p) { add(p, ";
  const std::string add_one = start + "1); }", add_little = start + "0x1p-101f); }";
  EXPECT_EQ(count(ptx_of(add_one, kFloat + "-DSPACE=global"), ".cas."), 1U);  // k's
  EXPECT_EQ(count(ptx_of(add_little, kFloat + "-DSPACE=global"), ".cas."), 2U);
}

}  // namespace
}  // namespace clcuda::compiler
