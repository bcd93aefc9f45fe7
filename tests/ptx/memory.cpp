// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <numeric>
#include <thread>

#include "form.h"
#include "program.h"

namespace clcuda::ptx::testing {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

TEST(Memory, VectorsAndWidths) {
  Program program(kernel_text(".param .u64 p", R"(
    ld.param.u64 %rd1, [p];
    ld.global.v4.u8 {%h1, %h2, %h3, %h4}, [%rd1];
    cvt.u32.u16 %r1, %h3;
    ld.global.s8 %r2, [%rd1+4];
    ld.volatile.global.v2.b32 {%r3, %r4}, [%rd1+8];
    st.global.v2.b32 [%rd1+16], {%r1, %r2};
    st.v4.b32 [%rd1+32], {%r4, %r3, 7, %r1};
    ld.relaxed.gpu.global.b64 %rd2, [%rd1+8];
    st.release.sys.global.b64 [%rd1+24], %rd2;
  )"));
  ASSERT_TRUE(program) << program.log();
  alignas(16) u32 data[12] = {0x04030201, 0x80, 11, 22};
  ASSERT_FALSE(program.run("k", {1}, {1}, arguments(data)));
  EXPECT_EQ(data[4], 3u);
  EXPECT_EQ(data[5], 0xffffff80u);
  EXPECT_EQ(data[6], 11u);
  EXPECT_EQ(data[7], 22u);
  EXPECT_EQ(data[8], 22u);
  EXPECT_EQ(data[9], 11u);
  EXPECT_EQ(data[10], 7u);
  EXPECT_EQ(data[11], 3u);
}

TEST(Memory, AsynchronousCopies) {
  Program program(kernel_text(".param .u64 p", R"(
    ld.param.u64 %rd1, [p];
    mov.u64 %rd2, window;
    mov.u32 %r1, 6;
    st.shared.v4.b32 [window+32], {-1, -1, -1, -1};
    cp.async.ca.shared.global [%rd2], [%rd1], 4;
    cp.async.ca.shared::cta.global.L2::128B [%rd2+8], [%rd1+8], 8;
    cp.async.commit_group;
    cp.async.cg.shared.global [%rd2+16], [%rd1+16], 16;
    cp.async.ca.shared.global [%rd2+32], [%rd1+16], 8, %r1;
    cp.async.cg.shared.global [window+48], [%rd1], 16, 0;
    cp.async.wait_group 1;
    cp.async.wait_all;
    ld.shared.b32 %r2, [window];
    st.global.b32 [%rd1+64], %r2;
    ld.shared.v2.b32 {%r2, %r3}, [window+8];
    st.global.v2.b32 [%rd1+72], {%r2, %r3};
    ld.shared.v2.b32 {%r2, %r3}, [window+24];
    st.global.v2.b32 [%rd1+80], {%r2, %r3};
    ld.shared.v2.b32 {%r2, %r3}, [window+32];
    st.global.v2.b32 [%rd1+88], {%r2, %r3};
    ld.shared.v2.b32 {%r2, %r3}, [window+48];
    st.global.v2.b32 [%rd1+96], {%r2, %r3};
  )",
                              ".shared .align 16 .b8 window[64];"));
  ASSERT_TRUE(program) << program.log();
  alignas(16)
      u32 data[32] = {0x11111111, 2, 0x33333333, 0x44444444, 0x55555555, 0x66666666, 0x77777777, 0x88888888};
  ASSERT_FALSE(program.run("k", {1}, {1}, arguments(data)));
  const u32 expected[] = {0x11111111, 0,          0x33333333, 0x44444444, 0x77777777,
                          0x88888888, 0x55555555, 0x6666,     0,          0};
  for (int i = 0; i < 10; ++i) EXPECT_EQ(data[16 + i], expected[i]) << i;
}

TEST(Memory, SpacesAndGenericAddresses) {
  Program program(kernel_text(
      ".param .u64 p", R"(
    .local .align 8 .b8 depot[16];
    ld.param.u64 %rd1, [p];
    mov.u64 %rd2, window;
    cvta.shared.u64 %rd3, %rd2;
    mov.u32 %r1, 42;
    st.u32 [%rd3+4], %r1;
    ld.shared.u32 %r2, [window+4];
    st.global.u32 [%rd1], %r2;
    cvta.to.shared.u64 %rd4, %rd3;
    setp.eq.u64 %p1, %rd4, %rd2;
    selp.u32 %r3, 1, 0, %p1;
    st.global.u32 [%rd1+4], %r3;
    mov.u64 %rd5, depot;
    cvta.local.u64 %rd6, %rd5;
    st.u32 [%rd6+8], 5;
    ld.local.u32 %r4, [depot+8];
    st.global.u32 [%rd1+8], %r4;
    isspacep.shared %p2, %rd3;
    isspacep.local %p3, %rd6;
    isspacep.global %p4, %rd1;
    isspacep.shared %p5, %rd1;
    selp.u32 %r5, 1, 0, %p2;
    selp.u32 %r6, 2, 0, %p3;
    selp.u32 %r7, 4, 0, %p4;
    selp.u32 %r8, 8, 0, %p5;
    add.u32 %r5, %r5, %r6;
    add.u32 %r5, %r5, %r7;
    add.u32 %r5, %r5, %r8;
    st.global.u32 [%rd1+12], %r5;
    ld.const.u32 %r9, [table+4];
    st.global.u32 [%rd1+16], %r9;
    ld.global.u64 %rd7, [link];
    ld.u32 %r10, [%rd7];
    st.global.u32 [%rd1+20], %r10;
  )",
      ".shared .align 8 .b8 window[32];\n.const .align 4 .u32 table[3] = {10, 20, 30};\n"
      ".visible .global .align 8 .u64 link = generic(table)+8;\n.visible .global .align 4 .b8 room[100];\n"));
  ASSERT_TRUE(program) << program.log();
  auto data = std::make_unique<u32[]>(6);
  ASSERT_FALSE(program.run("k", {1}, {1}, arguments(data.get())));
  EXPECT_EQ(data[0], 42u);
  EXPECT_EQ(data[1], 1u);
  EXPECT_EQ(data[2], 5u);
  EXPECT_EQ(data[3], 7u);
  EXPECT_EQ(data[4], 20u);
  EXPECT_EQ(data[5], 30u);
  ASSERT_TRUE(program.code().find_global("room"));
  EXPECT_EQ(program.code().find_global("room")->size, 100u);
  EXPECT_EQ(program.code().find_kernel("k")->description().static_shared_bytes, 32u);
}

// Static variables first, then the dynamic array.
TEST(Memory, DynamicSharedMemory) {
  Program program(kernel_text(".param .u64 p, .param .u32 offset", R"(
    ld.param.u64 %rd1, [p];
    ld.param.u32 %r9, [offset];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, dynamic;
    add.u32 %r2, %r2, %r9;
    shl.b32 %r3, %r1, 2;
    add.u32 %r4, %r2, %r3;
    st.shared.u32 [%r4], %r1;
    st.shared.u32 [fixed], 9;
    bar.sync 0;
    sub.u32 %r5, 63, %r1;
    shl.b32 %r6, %r5, 2;
    add.u32 %r6, %r6, %r2;
    ld.shared.u32 %r7, [%r6];
    mad.wide.u32 %rd2, %r1, 4, %rd1;
    st.global.u32 [%rd2], %r7;
  )",
                              ".shared .align 4 .u32 fixed;\n.extern .shared .align 16 .b8 dynamic[];\n"));
  ASSERT_TRUE(program) << program.log();
  std::vector<u32> out(64);
  ASSERT_FALSE(program.run("k", {1}, {64}, arguments(out.data(), u32{32}), 32 + 256));
  for (u32 i = 0; i < 64; ++i) EXPECT_EQ(out[i], 63 - i);
}

// Each thread's own memory, also what must outlive a barrier, and dynamic shared memory behind static variables of any size.
TEST(Memory, AlignmentsAreThoseDeclared) {
  Program program(kernel_text(".param .u64 p, .param .u32 mask", R"(
    .local .align 128 .b8 own[192];
    ld.param.u64 %rd1, [p];
    ld.param.u32 %r9, [mask];
    mov.u32 %r1, %tid.x;
    st.local.u32 [own], %r1;
    st.shared.u8 [fixed], 9;
    bar.sync 0;
    mov.u64 %rd2, own;
    cvta.local.u64 %rd2, %rd2;
    ld.u32 %r2, [%rd2];
    cvt.u32.u64 %r3, %rd2;
    and.b32 %r3, %r3, %r9;
    mov.u32 %r4, dynamic;
    and.b32 %r4, %r4, %r9;
    mad.wide.u32 %rd3, %r1, 16, %rd1;
    st.global.v2.u32 [%rd3], {%r2, %r3};
    st.global.u32 [%rd3+8], %r4;
  )",
                              ".shared .align 1 .b8 fixed[3];\n.extern .shared .align 128 .b8 dynamic[];\n"));
  ASSERT_TRUE(program) << program.log();
  constexpr u32 kThreads = 5;
  alignas(16) u32 out[kThreads][4] = {};
  ASSERT_FALSE(program.run("k", {1}, {kThreads}, arguments(&out[0][0], u32{127}), 64));
  for (u32 i = 0; i < kThreads; ++i) {
    EXPECT_EQ(out[i][0], i);
    EXPECT_EQ(out[i][1], 0u) << i;
    EXPECT_EQ(out[i][2], 0u);
  }
}

TEST(Memory, SizesOfSharedMemory) {
  Program program(kernel_text(".param .u64 p", R"(
    ld.param.u64 %rd1, [p];
    st.shared.u32 [fixed], 9;
    mov.u32 %r1, %dynamic_smem_size;
    mov.u32 %r2, %total_smem_size;
    mov.u32 %r3, %aggr_smem_size;
    st.global.u32 [%rd1], %r1;
    st.global.u32 [%rd1+4], %r2;
    st.global.u32 [%rd1+8], %r3;
  )",
                              ".shared .align 4 .b8 fixed[96];\n.extern .shared .align 16 .b8 dynamic[];\n"));
  ASSERT_TRUE(program) << program.log();
  std::vector<u32> sizes(3);
  ASSERT_FALSE(program.run("k", {1}, {1}, arguments(sizes.data()), 160));
  EXPECT_EQ(sizes, (std::vector<u32>{160, 256, 256}));
}

// A read beyond a parameter is undefined, but one that is not executed has no effect. The memory behind the parameters is inaccessible.
TEST(Memory, SkippedReadsBeyondAParameter) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* map = mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(map, MAP_FAILED);
  std::byte* const guard = static_cast<std::byte*>(map) + page;
  ASSERT_EQ(mprotect(guard, page, PROT_NONE), 0);
  u32 out = 0;
  const auto parameters = arguments(&out, u32{7});
  std::byte* const place = guard - parameters.size();
  std::ranges::copy(parameters, place);
  for (const char* read :
       {"ld.param.b32 %r3, [q+4];", "ld.param.b32 %r3, [q+1000000000];", "ld.param.v2.b32 {%r3, %r4}, [q];",
        "ld.param.v2.b32 {%r3, %r4}, [q+1000000000];", "ld.param.b32 %r3, [q+-1000000000];"}) {
    const std::string text = kernel_text(".param .u64 p, .param .u32 q", std::string(R"(
      ld.param.u64 %rd1, [p];
      ld.param.u32 %r1, [q];
      mov.u32 %r3, 1;
      setp.eq.u32 %p1, %r1, 7;
      @%p1 bra END;
      )") + read + R"(
      END:
      add.u32 %r3, %r3, %r1;
      st.global.u32 [%rd1], %r3;
    )");
    for (const Tier tier : {Tier::quick, Tier::full}) {
      Program program(text, tier);
      ASSERT_TRUE(program) << program.log();
      Worker worker;
      const Launch launch{program.code().find_kernel("k"), {1, 1, 1}, {1, 1, 1}, 0, place, nullptr};
      out = 0;
      EXPECT_FALSE(worker.run_block(launch, 0)) << read;
      EXPECT_EQ(out, 8u) << read;
    }
  }
  munmap(map, 2 * page);
}

struct AtomicCase {
  const char* form;
  unsigned width;
  u64 before, operand, after;
};

TEST(Atomic, ReadModifyWrite) {
  const AtomicCase cases[] = {{"add.u32", 32, 5, 3, 8},
                              {"add.u64", 64, 5, 3, 8},
                              {"and.b32", 32, 12, 10, 8},
                              {"or.b64", 64, 12, 10, 14},
                              {"xor.b32", 32, 12, 10, 6},
                              {"exch.b64", 64, 1, 2, 2},
                              {"min.s32", 32, 5, ~0u, ~0u},
                              {"max.u32", 32, 5, ~0u, ~0u},
                              {"inc.u32", 32, 5, 5, 0},
                              {"inc.u32", 32, 4, 5, 5},
                              {"dec.u32", 32, 0, 5, 5},
                              {"dec.u32", 32, 9, 5, 5},
                              {"add.f32", 32, bits(1.5f), bits(2.0f), bits(3.5f)},
                              {"add.f64", 64, bits(1.5), bits(2.0), bits(3.5)},
                              {"add.noftz.f16x2", 32, 0x3c003c00, 0x3c003c00, 0x40004000}};
  for (const AtomicCase& test : cases) {
    for (const char* where : {"global", "acq_rel.gpu.global", "relaxed.sys"}) {
      const std::string reg = test.width == 64 ? "%rd" : "%r", width = std::to_string(test.width);
      const auto form = [&](const char* opcode) {
        return std::string(opcode) + "." + where + "." + test.form;
      };
      Program program(kernel_text(".param .u64 p, .param .u64 v",
                                  "ld.param.u64 %rd1, [p];\nld.param.b" + width + " " + reg + "5, [v];\n" +
                                      form("atom") + " " + reg + "6, [%rd1], " + reg + "5;\nst.global.b" +
                                      width + " [%rd1+8], " + reg + "6;\n"));
      ASSERT_TRUE(program) << test.form << program.log();
      u64 memory[2] = {test.before, 0};
      ASSERT_FALSE(program.run("k", {1}, {1}, arguments(memory, test.operand)));
      EXPECT_EQ(memory[0], test.after) << form("atom");
      EXPECT_EQ(memory[1], test.before) << form("atom");
    }
  }
}

TEST(Atomic, AcrossThreads) {
  Program program(kernel_text(
      ".param .u64 p",
      "ld.param.u64 %rd1, [p];\nred.global.add.u32 [%rd1], 1;\natom.global.cas.b32 %r1, [%rd1+4], 0, 7;\n"));
  ASSERT_TRUE(program) << program.log();
  u32 memory[2] = {};
  const auto parameters = arguments(memory);
  const auto run = [&] { EXPECT_FALSE(program.run("k", {100}, {64}, parameters)); };
  std::thread other(run);
  run();
  other.join();
  EXPECT_EQ(memory[0], 2u * 6400);
  EXPECT_EQ(memory[1], 7u);
}

}  // namespace
}  // namespace clcuda::ptx::testing
