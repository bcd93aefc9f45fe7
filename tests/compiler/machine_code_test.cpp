// SPDX-License-Identifier: Apache-2.0
// Machine code of whole programs from the PTX compiler library, without a driver.
#include <CL/cl.h>
#include <elf.h>

#include <cstring>
#include <functional>
#include <string>
#include <thread>

#include "base/error.h"
#include "compiler/ptx_modules.h"
#include "cuda/ptx_compiler.h"
#include "cuda/ptx_log.h"
#include "support.h"

namespace clcuda::compiler {
namespace {

using testing::built;
using testing::count;

constexpr char kSource[] = R"(
  __attribute__((noinline)) float f(float x) { return x * sin(x); }
  kernel void first(global float* p) { p[get_global_id(0)] = f(p[1]); }
  kernel __attribute__((reqd_work_group_size(64, 1, 1))) void second(global float4* p, local float4* q) {
    q[get_local_id(0)] = p[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    p[get_global_id(0)] = q[63 - get_local_id(0)];
  })";

class MachineCode : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!cuda::ptx_compiler_version()) GTEST_SKIP() << "built without the PTX compiler library";
  }
};

std::string ptx_for(int sm, const std::string& options = "-cl-std=CL3.0") {
  return built(kSource, options, {sm, 90}).uniform.ptx;
}

// The compiler's error message for PTX that it rejects.
std::string refusal(std::string_view ptx, int sm = 90) {
  try {
    cuda::compile_machine_code(sm, ptx, {});
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), CL_BUILD_PROGRAM_FAILURE);
    return error.what();
  }
  ADD_FAILURE() << "accepted";
  return {};
}

TEST_F(MachineCode, IsExecutableOnEveryChip) {
  for (const int sm : {75, 80, 86, 90, 100, 120}) {
    const std::string code = cuda::compile_machine_code(sm, ptx_for(sm), {}).code;
    Elf64_Ehdr header;
    ASSERT_GT(code.size(), sizeof header) << sm;
    std::memcpy(&header, code.data(), sizeof header);
    EXPECT_EQ(std::memcmp(header.e_ident, ELFMAG, SELFMAG), 0) << sm;
    EXPECT_EQ(header.e_machine, EM_CUDA) << sm;
    EXPECT_EQ(header.e_type, ET_EXEC) << sm;  // ET_REL would be relocatable
    for (const char* section : {".text.first", ".text.second"}) EXPECT_GE(count(code, section), 1U) << sm;
  }
}

TEST_F(MachineCode, OptionsDecideOverLogLinesAndCode) {
  const std::string ptx = ptx_for(90, "-cl-std=CL3.0 -g");
  const cuda::MachineCode plain = cuda::compile_machine_code(90, ptx, {});
  EXPECT_EQ(plain.log, "");
  EXPECT_EQ(count(cuda::compile_machine_code(90, ptx_for(90), {}).code, ".debug_line"), 0U);
  const cuda::MachineCode told =
      cuda::compile_machine_code(90, ptx, {.line_info = true, .verbose = true, .optimization_level = 0});
  EXPECT_EQ(count(told.log, "'first'"), 1U) << told.log;
  EXPECT_EQ(count(told.log, "'second'"), 1U) << told.log;
  EXPECT_GE(count(told.log, "registers"), 2U) << told.log;
  EXPECT_GE(count(told.code, ".debug_line"), 1U);
  EXPECT_NE(plain.code, cuda::compile_machine_code(90, ptx, {.optimization_level = 0}).code);
}

// A kernel with 160 live values.
TEST_F(MachineCode, ItsLogTellsOfSpills) {
  std::string source = "kernel void mix(global const uint16* in, global uint16* out, int turns) {\n";
  const auto for_all = [&](const std::function<std::string(int)>& statement) {
    for (int i = 0; i < 10; ++i) source += statement(i) + ";\n";
  };
  const auto v = [](int i) { return "v" + std::to_string(i % 10); };
  for_all([&](int i) { return "uint16 " + v(i) + " = in[" + std::to_string(i) + "]"; });
  source += "for (int turn = 0; turn < turns; ++turn) {\n";
  for_all([&](int i) { return v(i) + " = " + v(i) + " * " + v(i + 3) + " + " + v(i + 7); });
  source += "}\n";
  for_all([&](int i) { return "out[" + std::to_string(i) + "] = " + v(i); });
  const std::string ptx = built(source + "}\n", "-cl-std=CL3.0 -cl-nv-maxrregcount=255").uniform.ptx;
  const auto spills = [&](unsigned bound) {
    const std::string log =
        cuda::compile_machine_code(90, ptx, {.verbose = true, .max_registers = bound}).log;
    const auto found = cuda::spills_of(log, "mix");
    EXPECT_TRUE(found) << log;
    return found.value_or(cuda::Spills());
  };
  EXPECT_EQ(spills(255).stores, 0U);
  EXPECT_EQ(spills(255).loads, 0U);
  EXPECT_GE(spills(64).stores, 4U * (160 - 64));
  EXPECT_GE(spills(64).loads, 4U * (160 - 64));
  EXPECT_FALSE(cuda::spills_of(cuda::compile_machine_code(90, ptx, {}).log, "mix"));
  EXPECT_FALSE(cuda::spills_of("ptxas info    : Function properties for mix\n    no numbers\n", "mix"));
}

// A multiprocessor has 65 536 registers. A program's option for more registers does not override a required work-group size, or the bound
// for larger groups.
TEST_F(MachineCode, RegistersLeaveRoomForTheGroup) {
  const auto registers = [](const std::string& attribute, unsigned bound) {
    const std::string mix =
        "kernel " + attribute +
        " void mix(global const uint* in, global uint* out) {\n"
        "  uint v[160];\n"
        "  for (int i = 0; i < 160; ++i) v[i] = in[(get_global_id(0) + i * 7) % get_global_size(0)];\n"
        "  for (int turn = 0; turn < 3; ++turn)\n"
        "    for (int i = 0; i < 160; ++i) v[i] = v[i] * v[(i + 1) % 160] + v[(i * 5 + 3) % 160];\n"
        "  for (int i = 0; i < 160; ++i) out[get_global_id(0) * 160 + i] = v[i];\n"
        "}\n";
    const std::string ptx = built(mix, "-cl-std=CL3.0 -cl-nv-maxrregcount=200").uniform.ptx;
    const std::string log =
        cuda::compile_machine_code(90, ptx, {.verbose = true, .max_registers = bound}).log;
    const std::size_t at = log.find("Used ");
    return at == std::string::npos ? 0 : std::stoi(log.substr(at + 5));
  };
  EXPECT_GT(registers("", 200), 128) << "not a kernel that shows anything";
  EXPECT_LE(registers("", 128), 128);
  EXPECT_LE(registers("", 64), 64);
  EXPECT_LE(registers("__attribute__((reqd_work_group_size(512, 1, 1)))", 200), 128);
  EXPECT_LE(registers("__attribute__((reqd_work_group_size(32, 32, 1)))", 200), 64);
}

TEST_F(MachineCode, RefusesWhatIsNoPtx) {
  EXPECT_EQ(count(refusal("garbage"), ".version"), 1U);
  EXPECT_NE(refusal(""), "");
  EXPECT_NE(refusal(std::string(100, '\0')), "");
  EXPECT_EQ(count(refusal(".version 99.0\n.target sm_90\n.address_size 64\n"), "99.0"), 1U);
  EXPECT_GE(count(refusal(ptx_for(90), 7777), "sm_7777"), 1U);  // an unknown architecture
  EXPECT_NE(refusal(ptx_for(90), 75), "");                      // PTX for a newer architecture
  std::string unknown = ptx_for(90);
  unknown.replace(unknown.find("ret;"), 4, "what;");
  EXPECT_NE(refusal(unknown), "");
}

// PTX truncated anywhere is rejected or accepted, and the compiler still works afterwards.
TEST_F(MachineCode, SurvivesTextsThatAreCutOff) {
  const std::string ptx = ptx_for(90);
  const std::string code = cuda::compile_machine_code(90, ptx, {}).code;
  std::size_t refused = 0;
  for (std::size_t length = 0; length < ptx.size(); length += ptx.size() / 23) {
    try {
      cuda::compile_machine_code(90, ptx.substr(0, length), {});
    } catch (const Error& error) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 15U);
  EXPECT_EQ(cuda::compile_machine_code(90, ptx, {}).code, code);
}

TEST_F(MachineCode, IsTheSameFromManyThreads) {
  const std::string ptx = ptx_for(90), other = ptx_for(80);
  const std::string code = cuda::compile_machine_code(90, ptx, {}).code;
  const std::string other_code = cuda::compile_machine_code(80, other, {}).code;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      if (i % 4 == 3) {
        EXPECT_NE(refusal("garbage"), "");
      }
      const bool first = i % 2 == 0;
      EXPECT_EQ(cuda::compile_machine_code(first ? 90 : 80, first ? ptx : other, {}).code,
                first ? code : other_code);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(MachineCodeWithoutTheLibrary, IsRefused) {
  if (cuda::ptx_compiler_version()) GTEST_SKIP() << "built with the PTX compiler library";
  EXPECT_NE(refusal(ptx_for(90)), "");
}

}  // namespace
}  // namespace clcuda::compiler
