// SPDX-License-Identifier: Apache-2.0
// Calls through pointers: where addresses come from, signatures, and addresses that are no functions'.
#include <gtest/gtest.h>

#include <algorithm>

#include "program.h"
#include "ptx/abi/function_table.h"

namespace clcuda::ptx::testing {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

// Functions of a number; `wide` takes a structure, too, and gives back a wider number.
const std::string kFunctions = R"(
  .func (.param .b32 r) add_100(.param .b32 a)
  { .reg .b32 %r; ld.param.b32 %r, [a]; add.u32 %r, %r, 100; st.param.b32 [r], %r; ret; }
  .func (.param .b32 r) triple(.param .b32 a)
  { .reg .b32 %r; ld.param.b32 %r, [a]; mul.lo.u32 %r, %r, 3; st.param.b32 [r], %r; ret; }
  .func (.param .b64 r) wide(.param .b32 a, .param .align 8 .b8 s[16])
  { .reg .b32 %r; .reg .b64 %x<3>; ld.param.b32 %r, [a]; cvt.u64.u32 %x0, %r; ld.param.b64 %x1, [s];
    ld.param.b64 %x2, [s+8]; mad.lo.u64 %x1, %x0, %x2, %x1; st.param.b64 [r], %x1; ret; }
)";

// %r9 is what the function at %rd4 makes of %r1.
const std::string kCall = R"(
  { .param .b32 p0; .param .b32 r0; st.param.b32 [p0], %r1;
    SIGNATURE: .callprototype (.param .b32 _) _ (.param .b32 _);
    call (r0), %rd4, (p0), SIGNATURE; ld.param.b32 %r9, [r0]; }
)";

std::string program_text(const std::string& body, const std::string& module_level) {
  return kernel_text(".param .u64 out, .param .u64 in",
                     "ld.param.u64 %rd1, [out]; ld.param.u64 %rd3, [in]; mov.u32 %r1, %tid.x;"
                     "mad.wide.u32 %rd2, %r1, 4, %rd1;" +
                         body + "st.global.u32 [%rd2], %r9;",
                     module_level);
}

// %r9 of four items. `in` is passed in %rd3.
std::vector<u32> results_of(const std::string& body, const std::string& module_level, u64 in = 0) {
  std::vector<u32> out(4, 0xdeadbeef);
  Program program(program_text(body, module_level));
  if (!program) {
    ADD_FAILURE() << program.log();
    return out;
  }
  EXPECT_FALSE(program.run("k", {1}, {4}, arguments(out.data(), in)));
  return out;
}

const std::vector<u32> kAlternately = {100, 3, 102, 9};

TEST(FunctionPointers, SelectedInRegisters) {
  EXPECT_EQ(
      results_of("mov.u64 %rd5, add_100; mov.u64 %rd6, triple; and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 0;"
                 "selp.b64 %rd4, %rd5, %rd6, %p1;" +
                     kCall,
                 kFunctions),
      kAlternately);
}

TEST(FunctionPointers, InTablesInGlobalAndConstantMemory) {
  for (const std::string space : {"global", "const"}) {
    const std::string table = "." + space + " .align 8 .u64 table[2] = {add_100, triple};";
    EXPECT_EQ(results_of("and.b32 %r2, %r1, 1; mov.u64 %rd5, table; mad.wide.u32 %rd5, %r2, 8, %rd5; ld." +
                             space + ".u64 %rd4, [%rd5];" + kCall,
                         kFunctions + table),
              kAlternately)
        << space;
  }
}

// LLVM writes packed structures as bytes.
TEST(FunctionPointers, InBytesOfAStructure) {
  std::string bytes = "9";
  for (int i = 0; i < 8; ++i)
    bytes += ", 0xFF" + std::string(2 * static_cast<std::size_t>(i), '0') + "(triple)";
  EXPECT_EQ(
      results_of(
          "mov.u64 %rd4, 0; mov.u64 %rd5, packed; mov.u32 %r2, 8;"
          "MORE: cvt.u64.u32 %rd6, %r2; add.u64 %rd6, %rd5, %rd6; ld.global.u8 %rd7, [%rd6];"
          "shl.b64 %rd4, %rd4, 8; or.b64 %rd4, %rd4, %rd7; sub.u32 %r2, %r2, 1; setp.ne.u32 %p1, %r2, 0;"
          "@%p1 bra MORE;" +
              kCall,
          kFunctions + ".global .align 1 .b8 packed[9] = {" + bytes + "};"),
      (std::vector<u32>{0, 3, 6, 9}));
}

TEST(FunctionPointers, ListOfTargets) {
  EXPECT_EQ(results_of(R"(
    { .param .b32 p0; .param .b32 r0; st.param.b32 [p0], %r1; mov.u64 %rd4, triple;
      TARGETS: .calltargets add_100, triple;
      call (r0), %rd4, (p0), TARGETS; ld.param.b32 %r9, [r0]; }
  )",
                       kFunctions),
            (std::vector<u32>{0, 3, 6, 9}));
}

TEST(FunctionPointers, StructuresAndLargeResults) {
  EXPECT_EQ(results_of(R"(
    { .param .b32 p0; .param .align 8 .b8 p1[16]; .param .b64 r0; mov.u64 %rd4, wide;
      st.param.b32 [p0], %r1; st.param.b64 [p1], 5; st.param.b64 [p1+8], 1000;
      SIGNATURE: .callprototype (.param .b64 _) _ (.param .b32 _, .param .align 8 .b8 _[16]);
      call (r0), %rd4, (p0, p1), SIGNATURE; ld.param.b64 %rd5, [r0]; cvt.u32.u64 %r9, %rd5; }
  )",
                       kFunctions),
            (std::vector<u32>{5, 1005, 2005, 3005}));
}

TEST(FunctionPointers, Recursion) {
  EXPECT_EQ(results_of("mov.u64 %rd4, factorial;" + kCall, R"(
    .func (.param .b32 result) factorial(.param .b32 n) {
      .reg .pred %p; .reg .b32 %r<4>; .reg .b64 %own;
      ld.param.b32 %r0, [n];
      setp.gt.u32 %p, %r0, 1;
      @%p bra MORE;
      st.param.b32 [result], 1;
      ret;
    MORE:
      mov.u64 %own, factorial;
      { .param .b32 q; .param .b32 s; sub.u32 %r1, %r0, 1; st.param.b32 [q], %r1;
        SIGNATURE: .callprototype (.param .b32 _) _ (.param .b32 _);
        call (s), %own, (q), SIGNATURE; ld.param.b32 %r2, [s]; }
      mul.lo.u32 %r3, %r2, %r0;
      st.param.b32 [result], %r3;
      ret;
    })"),
            (std::vector<u32>{1, 1, 2, 6}));
}

// The kernel reaches `window` through a pointer only.
TEST(FunctionPointers, SharedVariableOfTheCallee) {
  EXPECT_EQ(results_of("st.shared.u32 [own], 7; mov.u64 %rd5, table; ld.global.u64 %rd4, [%rd5];" + kCall +
                           "ld.shared.u32 %r2, [own]; mad.lo.u32 %r9, %r2, 1000, %r9;",
                       R"(
    .shared .align 4 .u32 own; .shared .align 4 .u32 window;
    .func (.param .b32 r) through_window(.param .b32 a)
    { .reg .b32 %r; ld.param.b32 %r, [a]; st.volatile.shared.u32 [window], %r;
      ld.volatile.shared.u32 %r, [window]; st.param.b32 [r], %r; ret; }
    .global .align 8 .u64 table[1] = {through_window};)"),
            (std::vector<u32>{7000, 7001, 7002, 7003}));
}

// A kernel's code may be replaced by full code between the store of an address and the call.
TEST(FunctionPointers, AcrossKernelsAndTiers) {
  for (const bool store_in_full : {false, true}) {
    for (const bool call_in_full : {false, true}) {
      Program program(program_text("ld.global.u64 %rd4, [%rd3];" + kCall, kFunctions + R"(
          .visible .entry store(.param .u64 to)
          { .reg .b64 %rd<3>; ld.param.u64 %rd1, [to]; mov.u64 %rd2, triple; st.global.u64 [%rd1], %rd2; ret; })"),
                      Tier::quick);
      ASSERT_TRUE(program) << program.log();
      if (store_in_full) ASSERT_TRUE(program.code().tier_up(*program.code().find_kernel("store")));
      if (call_in_full) ASSERT_TRUE(program.code().tier_up(*program.code().find_kernel("k")));
      u64 address = 0;
      std::vector<u32> out(4);
      EXPECT_FALSE(program.run("store", {1}, {1}, arguments(&address)));
      EXPECT_FALSE(program.run("k", {1}, {4}, arguments(out.data(), &address)));
      EXPECT_EQ(out, (std::vector<u32>{0, 3, 6, 9})) << store_in_full << call_in_full;
    }
  }
}

void expect_fault(u64 address) {
  Program program(
      program_text("mov.u64 %rd5, triple; mov.u64 %rd6, wide; mov.u64 %rd4, %rd3;" + kCall, kFunctions));
  ASSERT_TRUE(program) << program.log();
  std::vector<u32> out(4);
  const auto fault = program.run("k", {1}, {4}, arguments(out.data(), address));
  ASSERT_TRUE(fault) << std::hex << address;
  EXPECT_EQ(fault->kind, FaultKind::invalid_call);
  EXPECT_EQ(fault->address, address);
}

TEST(FunctionPointers, OtherAddressesAreFaults) {
  for (const u64 address : {u64{0}, u64{1}, ~u64{0}, kFirstFunctionAddress - 16, kFirstFunctionAddress + 1,
                            kFirstFunctionAddress + 2 * 16, reinterpret_cast<u64>(&expect_fault)})
    expect_fault(address);
}

// Parameters of other sizes would be read and written where there are none.
TEST(FunctionPointers, OtherSignaturesAreFaults) { expect_fault(function_address(1)); }

TEST(FunctionPointers, BarriersAreRefusedByName) {
  const std::string text = program_text("mov.u64 %rd4, waits;" + kCall, R"(
    .func (.param .b32 r) waits(.param .b32 a) { bar.sync 0; st.param.b32 [r], 1; ret; })");
  const std::string_view units[] = {text};
  std::string log;
  EXPECT_FALSE(compile(units, log));
  EXPECT_NE(log.find("'waits'"), std::string::npos) << log;
}

}  // namespace
}  // namespace clcuda::ptx::testing
