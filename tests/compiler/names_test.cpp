// SPDX-License-Identifier: Apache-2.0
// Names that ptxas takes for something else. tests/api/names.cpp runs kernels of such names.
#include "support.h"

namespace clcuda::compiler {
namespace {

TEST(Names, OfKernelsAreAcceptedByPtxas) {
  for (const std::string name : {"_", "$", "WARP_SZ", "k_param_0", "symbol$_", "vprintf", "malloc", "entry",
                                 "tid", "__nv_reservedSMEM_offset_0_alias"}) {
    const CompiledProgram program = testing::built(
        "kernel void " + name + "(global int* p) { local int x[64]; x[p[0]] = 1; p[1] = x[p[2]]; }");
    EXPECT_EQ(testing::ptxas_complaint(program.uniform.ptx, testing::kTarget.sm), "") << name;
    EXPECT_EQ(program.kernels[0].name, name);
    const std::string entry = ".entry " + program.uniform.kernels[0].symbol + "(";
    EXPECT_EQ(testing::count(program.uniform.ptx, entry), 1U) << name << " is " << entry;
  }
}

TEST(Names, OfFunctionsAndVariablesAreAcceptedByPtxas) {
  for (const std::string name : {"_", "$", "WARP_SZ", "k_param_0", "symbol$_", "vprintf", "malloc", "free"}) {
    const std::string sources[] = {
        "__attribute__((noinline)) int " + name +
            "(int x) { return x * x; } kernel void k(global int* p) { *p = " + name + "(*p); }",
        "global int " + name + " = 3; kernel void k(global int* p) { *p = " + name + "++; }",
        "constant int " + name + "[] = {3, 5}; kernel void k(global int* p) { *p = " + name + "[*p]; }"};
    for (const std::string& source : sources)
      EXPECT_EQ(testing::ptxas_complaint(testing::built(source).uniform.ptx, testing::kTarget.sm), "")
          << source;
  }
}

}  // namespace
}  // namespace clcuda::compiler
