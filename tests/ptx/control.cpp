// SPDX-License-Identifier: Apache-2.0
// Control flow, barriers, warps, and faults.
#include <gtest/gtest.h>

#include "program.h"

namespace clcuda::ptx::testing {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

// Runs `body` with the item's number in %r1, and returns %r9 of each item.
std::vector<u32> run_items(const std::string& body, u32 items, const std::string& module_level = {}) {
  Program program(
      kernel_text(".param .u64 p",
                  "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmad.wide.u32 %rd2, %r1, 4, %rd1;\n" + body +
                      "\nst.global.u32 [%rd2], %r9;\n",
                  module_level));
  std::vector<u32> out(items, 0xdeadbeef);
  if (!program) {
    ADD_FAILURE() << program.log();
    return out;
  }
  EXPECT_FALSE(program.run("k", {1}, {items}, arguments(out.data())));
  return out;
}

// Sets %p1 for items with an even number.
const std::string kEvenItems = "and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 0;";

// Whether the instruction, behind kEvenItems, sets %p2 for each item.
std::vector<u32> vote_of(const std::string& instruction, u32 items) {
  return run_items(kEvenItems + instruction + " selp.u32 %r9, 1, 0, %p2;", items);
}

TEST(Control, CallsAndRecursion) {
  const auto out = run_items(R"(
    { .param .b32 p0; .param .b32 r0; st.param.b32 [p0], %r1; call.uni (r0), factorial, (p0); ld.param.b32 %r9, [r0]; }
  )",
                             8, R"(
    .func (.param .b32 result) factorial(.param .b32 n) {
      .reg .pred %p; .reg .b32 %r<4>;
      ld.param.b32 %r0, [n];
      setp.gt.u32 %p, %r0, 1;
      @%p bra MORE;
      st.param.b32 [result], 1;
      ret;
    MORE:
      { .param .b32 q; .param .b32 s; sub.u32 %r1, %r0, 1; st.param.b32 [q], %r1; call.uni (s), factorial, (q); ld.param.b32 %r2, [s]; }
      mul.lo.u32 %r3, %r2, %r0;
      st.param.b32 [result], %r3;
      ret;
    })");
  EXPECT_EQ(out, (std::vector<u32>{1, 1, 2, 6, 24, 120, 720, 5040}));
}

// The parameters together exceed a work-item's limit; those of consecutive calls share memory, those of nested calls do not.
TEST(Control, ParametersOfManyCalls) {
  std::string body = "mov.u32 %r9, 0;";
  for (int call = 0; call < 40; ++call)
    body += R"(
      { .param .align 4 .b8 outer[32768]; .param .b32 r0;
        st.param.b32 [outer+32764], %r1;
        { .param .align 4 .b8 inner[32768]; .param .b32 r1;
          st.param.b32 [inner+32764], 1000;
          call.uni (r1), last, (inner); ld.param.b32 %r2, [r1]; add.u32 %r9, %r9, %r2; }
        call.uni (r0), last, (outer); ld.param.b32 %r2, [r0]; add.u32 %r9, %r9, %r2; })";
  const auto out = run_items(body, 3, R"(
    .func (.param .b32 result) last(.param .align 4 .b8 large[32768]) {
      .reg .b32 %r<1>;
      ld.param.b32 %r0, [large+32764];
      st.param.b32 [result], %r0;
      ret;
    })");
  for (u32 i = 0; i < 3; ++i) EXPECT_EQ(40 * (1000 + i), out[i]) << i;
}

TEST(Control, PredicatedCallAndIndexedBranch) {
  const auto out = run_items(R"(
    mov.u32 %r9, 100;
    setp.eq.u32 %p1, %r1, 2;
    @%p1 call (%r9), seven;
    TARGETS: .branchtargets A, B, C;
    and.b32 %r2, %r1, 3;
    min.u32 %r2, %r2, 2;
    brx.idx %r2, TARGETS;
    A: add.u32 %r9, %r9, 1; bra END;
    B: add.u32 %r9, %r9, 2; bra END;
    C: add.u32 %r9, %r9, 3;
    END:
  )",
                             4, ".func (.reg .b32 out) seven() { mov.u32 out, 7; ret; }");
  EXPECT_EQ(out, (std::vector<u32>{101, 102, 10, 103}));
}

TEST(Control, SeveralResults) {
  const auto out = run_items(R"(
    call (%r2, %r3, %r4), three, (%r1);
    mad.lo.u32 %r9, %r2, 100, %r3;
    mad.lo.u32 %r9, %r9, 100, %r4;
  )",
                             3, R"(
    .func (.reg .b32 first, .reg .b32 second, .reg .b32 third) three(.reg .b32 in) {
      add.u32 first, in, 1; add.u32 second, in, 20; add.u32 third, in, 70; ret;
    })");
  for (u32 i = 0; i < 3; ++i) EXPECT_EQ(out[i], ((i + 1) * 100 + i + 20) * 100 + i + 70);
}

TEST(Control, ExitInAFunction) {
  const auto out = run_items(R"(
    call leave_if_odd, (%r1);
    add.u32 %r9, %r1, 1;
  )",
                             64, R"(
    .func leave_if_odd(.reg .b32 n) {
      .reg .pred %p; .reg .b32 %r<2>;
      and.b32 %r1, n, 1;
      setp.ne.u32 %p, %r1, 0;
      @%p exit;
      ret;
    })");
  for (u32 i = 0; i < 64; ++i) EXPECT_EQ(out[i], i % 2 ? 0xdeadbeef : i + 1);
}

// Each read gives the clock's value at that time, and %clock_hi is the upper half of %clock64.
TEST(Control, ClocksAdvance) {
  const auto out = run_items(R"(
    mov.u32 %r2, 0;
    mov.u64 %rd3, %clock64;
    mov.u32 %r3, %clock_hi;
    AGAIN:
    mov.u64 %rd4, %clock64;
    add.u32 %r2, %r2, 1;
    setp.eq.u64 %p1, %rd3, %rd4;
    setp.lt.and.u32 %p1, %r2, 1000000, %p1;
    @%p1 bra AGAIN;
    setp.lt.u64 %p2, %rd3, %rd4;
    shr.u64 %rd3, %rd3, 32;
    shr.u64 %rd4, %rd4, 32;
    cvt.u64.u32 %rd5, %r3;
    setp.le.and.u64 %p2, %rd3, %rd5, %p2;
    setp.le.and.u64 %p2, %rd5, %rd4, %p2;
    selp.u32 %r9, 1, 0, %p2;
  )",
                             1);
  EXPECT_EQ(out[0], 1u);
}

TEST(Barrier, InALoopWithUniformCount) {
  const auto out = run_items(R"(
    mov.u32 %r2, window;
    mad.lo.u32 %r3, %r1, 4, %r2;
    add.u32 %r4, %r1, 1;
    and.b32 %r4, %r4, 63;
    mad.lo.u32 %r4, %r4, 4, %r2;
    st.shared.u32 [%r3], %r1;
    mov.u32 %r5, 0;
    LOOP:
    bar.sync 0;
    ld.shared.u32 %r6, [%r4];
    bar.sync 0;
    st.shared.u32 [%r3], %r6;
    add.u32 %r5, %r5, 1;
    setp.lt.u32 %p1, %r5, 10;
    @%p1 bra LOOP;
    mov.u32 %r9, %r6;
  )",
                             64, ".shared .align 4 .b8 window[256];");
  for (u32 i = 0; i < 64; ++i) EXPECT_EQ(out[i], (i + 10) % 64);
}

TEST(Barrier, ReachedInDifferentPlaces) {
  const auto out = run_items(R"(
    mov.u32 %r2, window;
    mad.lo.u32 %r3, %r1, 4, %r2;
    st.shared.u32 [%r3], %r1;
    and.b32 %r4, %r1, 1;
    setp.eq.u32 %p1, %r4, 0;
    @%p1 bra EVEN;
    bar.sync 0;
    ld.shared.u32 %r9, [window];
    bra END;
    EVEN:
    bar.sync 0;
    ld.shared.u32 %r9, [window+4];
    END:
  )",
                             50, ".shared .align 4 .b8 window[256];");
  for (u32 i = 0; i < 50; ++i) EXPECT_EQ(out[i], i % 2 ? 0u : 1u);
}

TEST(Barrier, AfterSomeReturned) {
  const auto out = run_items(R"(
    mov.u32 %r9, 1;
    setp.gt.u32 %p1, %r1, 40;
    @%p1 bra END;
    bar.sync 0;
    bar.red.popc.u32 %r9, 0, %p1;
    bar.sync 0;
    add.u32 %r9, %r9, 5;
    END:
  )",
                             64);
  for (u32 i = 0; i < 64; ++i) EXPECT_EQ(out[i], i > 40 ? 1u : 5u);
}

TEST(Barrier, NamedWithCounts) {
  // The second half produces and arrives, the first half waits and reads.
  const auto out = run_items(R"(
    mov.u32 %r2, window;
    setp.ge.u32 %p1, %r1, 32;
    @%p1 bra PRODUCE;
    bar.sync 3, 64;
    mad.lo.u32 %r3, %r1, 4, %r2;
    ld.shared.u32 %r9, [%r3];
    bra END;
    PRODUCE:
    sub.u32 %r4, %r1, 32;
    mad.lo.u32 %r3, %r4, 4, %r2;
    st.shared.u32 [%r3], %r1;
    bar.arrive 3, 64;
    mov.u32 %r9, 0;
    END:
  )",
                             64, ".shared .align 4 .b8 window[256];");
  for (u32 i = 0; i < 32; ++i) EXPECT_EQ(out[i], i + 32);
}

TEST(Barrier, HoldsAWarpWhileAnotherExchangesValues) {
  for (const char* barrier : {"bar.sync 0;", "bar.sync 0, 64;"}) {
    const auto out = run_items(std::string(R"(
      mov.u32 %r2, window;
      and.b32 %r3, %r1, 31;
      mad.lo.u32 %r3, %r3, 4, %r2;
      st.shared.u32 [%r3], 0;
      bar.sync 1;
      setp.lt.u32 %p1, %r1, 32;
      @%p1 bra READ;
      shfl.sync.bfly.b32 %r4, %r1, 1, 31, -1;
      shfl.sync.bfly.b32 %r4, %r4, 1, 31, -1;
      st.shared.u32 [%r3], %r4;
      READ:
      )") + barrier + "ld.shared.u32 %r9, [%r3];",
                               64, ".shared .align 4 .b8 window[128];");
    for (u32 i = 0; i < 64; ++i) EXPECT_EQ(out[i], i % 32 + 32) << barrier;
  }
}

TEST(Barrier, Reductions) {
  const std::string vote = "and.b32 %r2, %r1, 3; setp.eq.u32 %p1, %r2, 0;";
  EXPECT_EQ(run_items(vote + "bar.red.popc.u32 %r9, 0, %p1;", 64), std::vector<u32>(64, 16));
  EXPECT_EQ(run_items(vote + "bar.red.or.pred %p2, 0, %p1; selp.u32 %r9, 1, 0, %p2;", 64),
            std::vector<u32>(64, 1));
  EXPECT_EQ(run_items(vote + "bar.red.and.pred %p2, 0, %p1; selp.u32 %r9, 1, 0, %p2;", 64),
            std::vector<u32>(64, 0));
}

TEST(Warp, Shuffles) {
  const auto expect = [](const char* form, auto source) {
    const auto out = run_items(std::string("add.u32 %r2, %r1, 100; shfl.sync.") + form + ";", 64);
    for (u32 i = 0; i < 64; ++i) EXPECT_EQ(out[i], i / 32 * 32 + source(i % 32) + 100) << form << " " << i;
  };
  expect("down.b32 %r9, %r2, 4, 31, -1", [](u32 i) { return i + 4 < 32 ? i + 4 : i; });
  expect("up.b32 %r9, %r2, 3, 0, -1", [](u32 i) { return i >= 3 ? i - 3 : i; });
  expect("bfly.b32 %r9, %r2, 5, 31, -1", [](u32 i) { return i ^ 5; });
  expect("idx.b32 %r9|%p1, %r2, 9, 31, -1", [](u32) { return 9u; });
  expect("idx.b32 %r9, %r2, 1, 0x181f, -1", [](u32 i) { return i / 8 * 8 + 1; });  // segments of 8
}

TEST(Warp, VotesMatchesReductions) {
  EXPECT_EQ(run_items(kEvenItems + "vote.sync.ballot.b32 %r9, %p1, -1;", 32),
            std::vector<u32>(32, 0x55555555));
  EXPECT_EQ(vote_of("vote.sync.any.pred %p2, %p1, -1;", 40), std::vector<u32>(40, 1));
  EXPECT_EQ(vote_of("vote.sync.all.pred %p2, !%p1, -1;", 40), std::vector<u32>(40, 0));
  EXPECT_EQ(run_items("redux.sync.add.u32 %r9, %r1, -1;", 32), std::vector<u32>(32, 496));
  EXPECT_EQ(run_items("sub.u32 %r2, %r1, 5; redux.sync.min.s32 %r9, %r2, -1;", 32),
            std::vector<u32>(32, u32(-5)));
  EXPECT_EQ(run_items("activemask.b32 %r9;", 32), std::vector<u32>(32, ~0u));
  const auto same = run_items("shr.u32 %r2, %r1, 4; match.any.sync.b32 %r9, %r2, -1;", 32);
  for (u32 i = 0; i < 32; ++i) EXPECT_EQ(same[i], i < 16 ? 0xffffu : 0xffff0000u);
  EXPECT_EQ(run_items("mov.u32 %r2, 3; match.all.sync.b32 %r9|%p1, %r2, -1;", 32), std::vector<u32>(32, ~0u));
}

TEST(Warp, DivergedPartsOfOneWarp) {
  // Each half shuffles with its own mask, at different places in the program and at different times.
  const auto out = run_items(R"(
    setp.ge.u32 %p1, %r1, 16;
    @%p1 bra HIGH;
    shfl.sync.idx.b32 %r9, %r1, 3, 31, 0xffff;
    bra END;
    HIGH:
    shfl.sync.idx.b32 %r9, %r1, 20, 31, 0xffff0000;
    shfl.sync.bfly.b32 %r8, %r1, 1, 31, 0xffff0000;
    add.u32 %r9, %r9, %r8;
    END:
    bar.warp.sync -1;
  )",
                             32);
  for (u32 i = 0; i < 32; ++i) EXPECT_EQ(out[i], i < 16 ? 3 : 20 + (i ^ 1));
}

// Votes without .sync and activemask take the lanes that have arrived.
TEST(Warp, VotesOfWhoeverArrives) {
  EXPECT_EQ(run_items(kEvenItems + "vote.ballot.b32 %r9, %p1;", 64), std::vector<u32>(64, 0x55555555));
  EXPECT_EQ(vote_of("vote.any.pred %p2, %p1;", 40), std::vector<u32>(40, 1));
  EXPECT_EQ(vote_of("vote.all.pred %p2, %p1;", 40), std::vector<u32>(40, 0));
  EXPECT_EQ(vote_of("vote.uni.pred %p2, %p1;", 40), std::vector<u32>(40, 0));
}

// The upper half of each warp waits for a shuffle of all lanes while the lower half votes.
TEST(Warp, VotesBesideOtherWaitingLanes) {
  for (const char* form : {"activemask.b32 %r3;", "vote.ballot.b32 %r3, %p2;"}) {
    const auto out = run_items("and.b32 %r2, %r1, 31; setp.ge.u32 %p1, %r2, 16; setp.lt.u32 %p2, %r2, 16;" +
                                   std::string("mov.u32 %r3, 0; @%p1 bra ALL;") + form +
                                   "ALL: shfl.sync.idx.b32 %r9, %r3, 3, 31, -1;",
                               64);
    EXPECT_EQ(out, std::vector<u32>(64, 0xffff)) << form;
  }
}

// Lanes that have just been released from another operation are waited for.
TEST(Warp, VotesWaitForLanesOnTheirWay) {
  const auto out = run_items(R"(
    and.b32 %r2, %r1, 31;
    setp.ge.u32 %p1, %r2, 16;
    @%p1 bra ALL;
    shfl.sync.bfly.b32 %r3, %r1, 1, 31, 0xffff;
    ALL:
    activemask.b32 %r9;
  )",
                             64);
  EXPECT_EQ(out, std::vector<u32>(64, ~0u));
}

// With many such operations in a kernel, code between them is not optimized (effort.h): short sequences are used instead of a loop.
TEST(Warp, FewAndManyOperationsInOneKernel) {
  for (const u32 count : {3u, 40u}) {
    std::string body = "mov.u32 %r9, %r1;\n";
    for (u32 k = 0; k < count; ++k) {
      const std::string lanes = std::to_string(k % 31 + 1), label = "L" + std::to_string(k);
      body += "shfl.sync.bfly.b32 %r8, %r9, " + lanes + ", 31, -1;\n";
      body += "mad.lo.u32 %r9, %r9, 5, %r8;\nand.b32 %r7, %r9, 1;\nsetp.eq.u32 %p1, %r7, 0;\n";
      body += "@%p1 bra " + label + ";\nxor.b32 %r9, %r9, " + std::to_string(k) + ";\n" + label + ":\n";
    }
    body +=
        "mov.u32 %r6, 0;\nLOOP:\nadd.u32 %r9, %r9, %r6;\nadd.u32 %r6, %r6, 1;\n"
        "setp.le.u32 %p2, %r6, %r1;\n@%p2 bra LOOP;\n";

    std::vector<u32> expected(96);
    for (u32 i = 0; i < 96; ++i) expected[i] = i;
    for (u32 k = 0; k < count; ++k) {
      const std::vector<u32> before = expected;
      for (u32 i = 0; i < 96; ++i) {
        expected[i] = before[i] * 5 + before[i ^ (k % 31 + 1)];
        if (expected[i] & 1) expected[i] ^= k;
      }
    }
    for (u32 i = 0; i < 96; ++i) expected[i] += i * (i + 1) / 2;
    EXPECT_EQ(run_items(body, 96), expected) << count;
  }
}

TEST(Progress, SpinLockAndFlag) {
  // Item 0 waits for a value that the last item writes later in program order.
  const auto out = run_items(R"(
    mov.u32 %r9, 0;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra WRITER;
    WAIT:
    ld.volatile.shared.u32 %r2, [flag];
    setp.ne.u32 %p2, %r2, 77;
    @%p2 bra WAIT;
    mov.u32 %r9, %r2;
    bra END;
    WRITER:
    setp.ne.u32 %p3, %r1, 63;
    @%p3 bra END;
    st.volatile.shared.u32 [flag], 77;
    END:
  )",
                             64, ".shared .align 4 .u32 flag;");
  EXPECT_EQ(out[0], 77u);
}

TEST(Control, LocalMemoryAcrossBarriers) {
  const auto out = run_items(R"(
    .local .align 4 .b8 own[64];
    mov.u64 %rd5, own;
    and.b32 %r2, %r1, 15;
    mul.wide.u32 %rd6, %r2, 4;
    add.u64 %rd7, %rd5, %rd6;
    st.local.u32 [%rd7], %r1;
    bar.sync 0;
    ld.local.u32 %r9, [%rd7];
  )",
                             64);
  for (u32 i = 0; i < 64; ++i) EXPECT_EQ(out[i], i);
}

std::optional<Fault> fault_of(const std::string& body, u32 items = 1, const std::string& module_level = {}) {
  Program program(kernel_text(".param .u64 p", body, module_level));
  EXPECT_TRUE(program) << program.log();
  return program ? program.run("k", {1}, {items}, arguments(u64{0})) : std::nullopt;
}

TEST(Fault, EndsTheBlockWithItsReason) {
  auto fault = fault_of("mov.u64 %rd1, 4096; st.global.u32 [%rd1], 1;");
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->kind, FaultKind::illegal_address);
  EXPECT_EQ(fault->address, 4096u);
  fault = fault_of("trap;");
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->kind, FaultKind::trap);
  fault = fault_of("call deeper;", 1,
                   ".func deeper() { .local .b8 room[4096]; .reg .b64 %rd1; mov.u64 %rd1, room; "
                   "st.volatile.local.u32 [%rd1], 1; call deeper; ret; }");
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->kind, FaultKind::stack_overflow);
  EXPECT_FALSE(fault_of("mov.u32 %r1, 1;"));
}

TEST(Fault, ABarrierThatCannotOpenIsNoHang) {
  EXPECT_TRUE(fault_of("mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 0; @%p1 bar.sync 1, 64;", 32));
}

}  // namespace
}  // namespace clcuda::ptx::testing
