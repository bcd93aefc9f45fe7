// SPDX-License-Identifier: Apache-2.0
#include "compiler/options.h"

#include "support.h"

namespace clcuda::compiler {
namespace {

using testing::built;
using testing::count;
using testing::refused;

Options parsed(std::string_view text, OptionsFor purpose = OptionsFor::build) {
  const ParsedOptions result = parse_options(text, purpose);
  EXPECT_EQ(result.problem, "") << text;
  return result.options;
}

std::string problem(std::string_view text, OptionsFor purpose = OptionsFor::build) {
  const std::string what = parse_options(text, purpose).problem;
  EXPECT_NE(what, "") << text;
  return what;
}

TEST(Options, QuotesAndSpacesInMacrosAndDirectories) {
  const Options o =
      parsed(R"(-D A -DB=2 -D C="a b" "-DD=x y" -D E=\"q\" -I "/tmp/with space" -I/usr -D 'F(x)=x+1')");
  EXPECT_EQ(o.macros, (std::vector<std::string>{"A", "B=2", "C=a b", "D=x y", "E=\"q\"", "F(x)=x+1"}));
  EXPECT_EQ(o.include_directories, (std::vector<std::string>{"/tmp/with space", "/usr"}));
}

TEST(Options, BackslashesBeforeOtherCharactersAreThemselves) {
  const Options o = parsed(R"(-DA=a\nb -DB=c\ d "-DC=e\ f" "-DD=g\h" -DE=\\i)");
  EXPECT_EQ(o.macros, (std::vector<std::string>{R"(A=a\nb)", "B=c d", R"(C=e\ f)", R"(D=g\h)", R"(E=\i)"}));
}

TEST(Options, WhatAnOptionIncludes) {
  EXPECT_EQ(parsed("").standard, "CL1.2");
  const Options unsafe = parsed("-cl-unsafe-math-optimizations");
  EXPECT_TRUE(unsafe.mad_enable && unsafe.no_signed_zeros && !unsafe.finite_math_only);
  const Options fast = parsed("-cl-fast-relaxed-math");
  EXPECT_TRUE(fast.unsafe_math && fast.finite_math_only && fast.mad_enable);
}

TEST(Options, Vendor) {
  const Options o = parsed("-cl-nv-verbose -cl-nv-maxrregcount=40 -cl-nv-opt-level=2 -cl-nv-arch=sm_90");
  EXPECT_TRUE(o.verbose);
  EXPECT_EQ(o.max_registers, 40);
  EXPECT_EQ(o.optimization_level, 2);
}

// A directive in the PTX would override the bound with which code for larger groups is compiled.
TEST(Options, BoundOnRegistersIsForTheMachineCode) {
  const CompiledProgram program = built("kernel void k(global int* p) { *p = 1; }", "-cl-nv-maxrregcount=40");
  EXPECT_EQ(program.max_registers, 40);
  EXPECT_EQ(program.uniform.ptx.find(".maxnreg"), std::string::npos);
  EXPECT_EQ(parse(serialize(program))->max_registers, 40);
}

TEST(Options, WithoutOptimizationMachineCodeHasNoneEither) {
  EXPECT_EQ(3, built("kernel void k() {}", "").optimization_level);
  EXPECT_EQ(0, built("kernel void k() {}", "-cl-opt-disable").optimization_level);
  EXPECT_EQ(0, built("kernel void k() {}", "-cl-opt-disable -cl-nv-opt-level=3").optimization_level);
  EXPECT_TRUE(parsed("-cl-nv-opt-level=0").disable_optimization);
}

// The last of these options is used; without any, an int may alias a float.
TEST(Options, Aliasing) {
  const char* source =
      "kernel void k(global float* f, uint n) {"
      "  global int* i = (global int*)(f + n); int a = *i; *f = 1; *i = *i + a; }";
  const auto loads = [&](const char* options) {
    return count(built(source, options).uniform.ptx, "ld.global");
  };
  for (const char* options : {"", "-fno-strict-aliasing", "-cl-strict-aliasing -fno-strict-aliasing"})
    EXPECT_EQ(2u, loads(options)) << options;
  for (const char* options :
       {"-fstrict-aliasing", "-cl-strict-aliasing", "-fno-strict-aliasing -fstrict-aliasing"})
    EXPECT_EQ(1u, loads(options)) << options;
}

// OpenCL C 2.0 requires features that are optional in 3.0.
TEST(Options, VersionsThatTheDeviceLacks) {
  const char* source = "kernel void k(global int* p) { *p = __OPENCL_C_VERSION__; }";
  DeviceFeatures less = testing::features();
  std::erase(less.features, "__opencl_c_device_enqueue");
  const Outcome refused = build(source, "-cl-std=CL2.0", testing::kTarget, less);
  EXPECT_EQ(Status::failure, refused.status);
  EXPECT_NE(std::string::npos, refused.log.find("-cl-std=CL2.0")) << refused.log;
  EXPECT_EQ(Status::success, build(source, "-cl-std=CL3.0", testing::kTarget, less).status);
  less.features.emplace_back("__opencl_c_device_enqueue");
  EXPECT_EQ(Status::success, build(source, "-cl-std=CL2.0", testing::kTarget, less).status);
  EXPECT_EQ(Status::success, build(source, "-cl-std=CL3.1", testing::kTarget, less).status);
  less.choice.opencl_version = 300;
  EXPECT_EQ(Status::failure, build(source, "-cl-std=CL3.1", testing::kTarget, less).status);
}

TEST(Options, Refused) {
  for (const char* text : {"-unknown", "foo", "-cl-std=CL9.9", "-cl-std=CL3.2", "-D", "-D =3", "-D 3x=1",
                           "-I", "\"-DA", "-cl-nv-maxrregcount=x", "-cl-nv-opt-level=7", "-create-library",
                           "-enable-link-options", "--help", "-O7"}) {
    problem(text);
  }
  EXPECT_NE(problem("-cl-frobnicate").find("-cl-frobnicate"), std::string::npos);
  EXPECT_NE(refused("", "-cl-frobnicate", Status::invalid_options).find("-cl-frobnicate"), std::string::npos);
}

TEST(Options, OfLinking) {
  EXPECT_TRUE(
      parsed("-create-library -enable-link-options -cl-denorms-are-zero", OptionsFor::link).create_library);
  problem("-enable-link-options", OptionsFor::link);
  for (const char* text : {"-D A", "-I /", "-cl-std=CL3.0", "-w", "-cl-kernel-arg-info"})
    problem(text, OptionsFor::link);
}

TEST(Options, ReachTheProgram) {
  built("#if A != 7\n#error\n#endif\nkernel void k(global char* p) { p[0] = TEXT[1]; }",
        R"(-cl-std=CL3.0 -D A=7 -D TEXT="\"a b\"")");
  refused("#warning w\nkernel void k() {}", "-Werror");
  EXPECT_EQ(build("#warning w\nkernel void k() {}", "-w", testing::kTarget, testing::features()).log, "");
  const std::string divide = "kernel void k(global float* p) { p[0] = p[1] / p[2] + sqrt(p[3]); }";
  EXPECT_EQ(count(built(divide).uniform.ptx, "div.full.f32"), 1U);
  EXPECT_EQ(count(built(divide).uniform.ptx, "sqrt.approx.f32"), 1U);
  const std::string exact = built(divide, "-cl-fp32-correctly-rounded-divide-sqrt").uniform.ptx;
  EXPECT_EQ(count(exact, "div.rn.f32"), 1U);
  EXPECT_EQ(count(exact, "sqrt.rn.f32"), 1U);
  EXPECT_EQ(count(built(divide, "-cl-denorms-are-zero").uniform.ptx, "div.full.ftz.f32"), 1U);
  EXPECT_GE(count(built("kernel void k(global int* p) { p[0] = 1; }", "-g").uniform.ptx, ".loc"), 2U);
}

TEST(Options, ContractionHoldsToThePragma) {
  const char* fused = "kernel void k(global float* p) { p[0] = p[1] * p[2] + p[3]; }";
  const char* apart = "kernel void k(global float* p) { p[0] = p[1] * p[2]; p[4] = p[0] + p[3]; }";
  const char* off =
      "#pragma OPENCL FP_CONTRACT OFF\nkernel void k(global float* p) { p[0] = p[1] * p[2] + p[3]; }";
  EXPECT_EQ(count(built(fused).uniform.ptx, "fma.rn"), 1U);
  EXPECT_EQ(count(built(apart).uniform.ptx, "fma.rn"), 0U);
  EXPECT_EQ(count(built(apart, "-cl-mad-enable").uniform.ptx, "fma.rn"), 1U);
  EXPECT_EQ(count(built(off).uniform.ptx, "fma.rn"), 0U);
}

TEST(Options, MacrosOfTheDevice) {
  const char* source =
      "#if __OPENCL_VERSION__ != 310 || __OPENCL_C_VERSION__ != 300 || !defined(__opencl_c_fp64) || "
      "!defined(cl_khr_fp64)\n"
      "#error\n#endif\n"
      "#if defined(__opencl_c_pipes) || defined(__opencl_c_images) || defined(__IMAGE_SUPPORT__) || "
      "defined(cl_khr_subgroup_ballot) || defined(__CUDA_ARCH__)\n#error\n#endif\n";
  built(source);
  built("#if __OPENCL_C_VERSION__ != 120\n#error\n#endif", "");
  built("#if __OPENCL_C_VERSION__ != 110\n#error\n#endif", "-cl-std=CL1.1");
  built("#if __OPENCL_C_VERSION__ != CL_VERSION_3_1 || CL_VERSION_3_1 != 310\n#error\n#endif",
        "-cl-std=CL3.1");
  DeviceFeatures older = testing::features();
  older.choice.opencl_version = 300;
  EXPECT_EQ(build("#if __OPENCL_VERSION__ != 300 || defined(CL_VERSION_3_1)\n#error\n#endif", "",
                  testing::kTarget, older)
                .log,
            "");
}

}  // namespace
}  // namespace clcuda::compiler
