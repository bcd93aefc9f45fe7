// SPDX-License-Identifier: Apache-2.0
#include "support.h"

namespace clcuda::compiler {
namespace {

using testing::built;
using testing::count;

TEST(Target, HasThePtxOfTheDriver) {
  struct Expected {
    int driver, ptx;
  };
  // From the table of releases in the PTX documentation.
  for (const auto& [driver, ptx] : {Expected{11080, 78},
                                    {12000, 80},
                                    {12040, 84},
                                    {12050, 85},
                                    {12060, 85},
                                    {12080, 87},
                                    {12090, 88},
                                    {13000, 90},
                                    {13010, 91},
                                    {14000, 100}})
    EXPECT_EQ(target_for(90, driver, 0), (Target{90, ptx})) << driver;
}

TEST(Target, HasNoNewerPtxThanTheLibrary) {
  EXPECT_EQ(target_for(90, 13000, 12040), (Target{90, 84}));
  EXPECT_EQ(target_for(90, 12040, 13000), (Target{90, 84}));
  // The driver compiles that PTX to machine code by itself.
  EXPECT_EQ(target_for(120, 13000, 12040), (Target{120, 90}));
}

TEST(Target, PtxIsNoNewerThanWhatTheBackEndWrites) {
  const char* source = "kernel void k(global int* p) { __asm__(\"mov.u32 %0, 1;\" : \"=r\"(*p)); }";
  const std::string ptx = built(source, "", target_for(90, 99000, 0)).uniform.ptx;
  EXPECT_EQ(count(ptx, ".version 9."), 1U) << ptx;
}

// tanh.approx works on Turing, but needs a later PTX version than Turing itself.
TEST(Target, HasThePtxOfApproximations) {
  const char* source = "kernel void k(global float* p) { *p = tanh(*p); }";
  const std::string ptx = built(source, "-cl-fast-relaxed-math", target_for_chip(75)).uniform.ptx;
  EXPECT_EQ(count(ptx, "tanh.approx"), 1U) << ptx;
  EXPECT_EQ(count(ptx, ".version 7.0"), 1U) << ptx;
}

constexpr char kAssembly[] = R"(kernel void k(global uint* p) {
  __asm__ volatile("setmaxnreg.inc.sync.aligned.u32 64;");
  *p = 1;
})";

// Inline PTX does not change the instructions that are selected for the rest of the program.
TEST(Target, OfOwnPtxChangesNothingElse) {
  const auto ptx = [](const std::string& assembly) {
    return built(
               "kernel void k(global ushort4* p) { " + assembly + " *p = min(*p, (ushort4)(0, 5, 100, 0)); }",
               "", {90, 90})
        .uniform.ptx;
  };
  const std::string own = ptx("__asm__ volatile(\"membar.gl;\");");
  EXPECT_EQ(count(own, ".version 9.0"), 1U) << own;
  EXPECT_EQ(count(own, "u16x2"), 0U) << own;
  EXPECT_EQ(count(own, "min."), count(ptx(""), "min.")) << own;
}

// Inline PTX can use instructions that only the device's own architecture has (sm_90a).
TEST(Target, IsTheWholeChipForAssembly) {
  for (const Target& chip : {Target{90, 80}, Target{90, 90}, Target{100, 90}, Target{120, 90}}) {
    const CompiledProgram program = built(kAssembly, "", chip);
    const std::string target = ".target sm_" + std::to_string(chip.sm) + "a";
    EXPECT_TRUE(program.target.whole_chip);
    EXPECT_EQ(count(program.uniform.ptx, target), 1U) << program.uniform.ptx;
    const auto read = parse(serialize(program));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->target, program.target);
    const VariantOutcome general = make_general_variant(*read);
    EXPECT_EQ(count(general.code.ptx, target), 1U) << general.log;
  }
  EXPECT_EQ(testing::ptxas_complaint(built(kAssembly, "", {90, 90}).uniform.ptx, 90), "");
}

TEST(Target, OfTheWholeChipRunsThereAlone) {
  const Target whole = built(kAssembly, "", {90, 84}).target,
               plain = built("kernel void k() {}", "", {90, 84}).target;
  EXPECT_TRUE(runs_on(whole, {90, 90}));
  EXPECT_FALSE(runs_on(whole, {100, 90}));
  EXPECT_TRUE(runs_on(plain, {100, 90}));
  for (const Target& target : {whole, plain}) {
    EXPECT_FALSE(runs_on(target, {89, 90}));
    EXPECT_FALSE(runs_on(target, {90, 83}));
  }
  CompiledProgram forged = built(kAssembly, "", {90, 84});
  forged.target.sm = 89;
  EXPECT_FALSE(parse(serialize(forged)));
}

TEST(Target, IsPlainForOtherPrograms) {
  // Only PTX for the plain architecture runs on later chips.
  EXPECT_EQ(
      count(built("kernel void k(global int* p) { *p = 1; }", "", {90, 90}).uniform.ptx, ".target sm_90\n"),
      1U);
  EXPECT_EQ(
      count(built("kernel void k(global float* p) { *p = sin(*p) + sub_group_reduce_add(*p); }").uniform.ptx,
            "sm_90a"),
      0U);
  // Another architecture than the device's, one without an architecture-specific target, and a driver that does not know the target.
  const char* source = "kernel void k(global int* p) { __asm__(\"mov.u32 %0, 1;\" : \"=r\"(*p)); }";
  EXPECT_EQ(count(built(source, "-cl-nv-arch sm_90", {100, 90}).uniform.ptx, ".target sm_90\n"), 1U);
  EXPECT_EQ(count(built(source, "", {89, 90}).uniform.ptx, ".target sm_89\n"), 1U);
  EXPECT_EQ(count(built(source, "", {90, 79}).uniform.ptx, ".target sm_90\n"), 1U);
  EXPECT_EQ(count(built(source, "", {101, 90}).uniform.ptx, ".target sm_100\n"), 1U);
}

}  // namespace
}  // namespace clcuda::compiler
