// SPDX-License-Identifier: Apache-2.0
// The plug-in that clcuda-ptx-compiler builds from NVIDIA's PTX compiler library, loaded by a library that was built without it.
#include <CL/cl.h>
#include <elf.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

#include "base/config.h"
#include "base/error.h"
#include "base/work_budget.h"
#include "cuda/ptx_compiler.h"

namespace clcuda::cuda {
namespace {

constexpr char kPtx[] = R"(
.version 7.8
.target sm_90
.address_size 64
.visible .entry set(.param .u64 set_0) {
  .reg .b64 %rd<3>;
  .reg .b32 %r<2>;
  ld.param.u64 %rd1, [set_0];
  cvta.to.global.u64 %rd2, %rd1;
  mov.u32 %r1, %tid.x;
  st.global.u32 [%rd2], %r1;
  ret;
})";

class PtxCompilerPlugin : public ::testing::Test {
 protected:
  void SetUp() override {
    if (config().ptx_compiler == "0") GTEST_SKIP() << "no plug-in";
  }
};

TEST_F(PtxCompilerPlugin, MakesMachineCode) {
  EXPECT_GE(ptx_compiler_version(), 12000);
  const std::string code = compile_machine_code(90, kPtx, {}).code;
  Elf64_Ehdr header;
  ASSERT_GT(code.size(), sizeof header);
  std::memcpy(&header, code.data(), sizeof header);
  EXPECT_EQ(std::memcmp(header.e_ident, ELFMAG, SELFMAG), 0);
  EXPECT_EQ(header.e_machine, EM_CUDA);
  EXPECT_NE(code.find(".text.set"), std::string::npos);
  EXPECT_NE(compile_machine_code(90, kPtx, {.verbose = true}).log.find("registers"), std::string::npos);
}

TEST_F(PtxCompilerPlugin, SaysWhatItRefuses) {
  try {
    compile_machine_code(90, "garbage", {});
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), CL_BUILD_PROGRAM_FAILURE);
    EXPECT_NE(std::string(error.what()).find(".version"), std::string::npos) << error.what();
  }
}

// Memory that the plug-in allocates counts towards the library's budget.
TEST_F(PtxCompilerPlugin, KeepsToTheBudget) {
  compile_machine_code(90, kPtx, {});
  WorkBudget budget({.time = std::chrono::seconds(60), .bytes = 64 << 10});
  {
    const WorkBudget::Share share(budget);
    EXPECT_THROW(compile_machine_code(90, kPtx, {}), Error);
  }
  EXPECT_TRUE(budget.exceeded());
  EXPECT_FALSE(compile_machine_code(90, kPtx, {}).code.empty());
}

TEST(WithoutPtxCompilerPlugin, NothingIsMade) {
  if (config().ptx_compiler != "0") GTEST_SKIP() << "there is a plug-in";
  EXPECT_EQ(ptx_compiler_version(), 0);
  EXPECT_THROW(compile_machine_code(90, kPtx, {}), Error);
}

}  // namespace
}  // namespace clcuda::cuda
