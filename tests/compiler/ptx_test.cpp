// SPDX-License-Identifier: Apache-2.0

#include "support.h"
#include "support/sanitized.h"

namespace clcuda::compiler {
namespace {

using testing::built;
using testing::count;

struct Chip {
  Target target;
  const char* version;
};
constexpr Chip kChips[] = {
    {{75, 78}, ".version 7.0"},  {{80, 90}, ".version 7.0"},  {{88, 90}, ".version 9.0"},
    {{90, 79}, ".version 7.8"},  {{90, 90}, ".version 7.8"},  {{100, 90}, ".version 8.6"},
    {{103, 89}, ".version 8.8"}, {{110, 90}, ".version 9.0"}, {{120, 90}, ".version 8.7"}};

constexpr const char* kCorpus[] = {
    "kernel void saxpy(global float* y, global const float* x, float a) { int i = get_global_id(0); y[i] = a "
    "* x[i] + y[i]; }",
    R"(#define T 16
    kernel __attribute__((reqd_work_group_size(T, T, 1))) void sgemm(global const float* A, global const float* B, global float* C, int n) {
      local float a[T][T], b[T][T];
      int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
      float s = 0;
      for (int t = 0; t < n; t += T) {
        a[ly][lx] = A[y * n + t + lx]; b[ly][lx] = B[(t + ly) * n + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < T; k++) s += a[ly][k] * b[k][lx];
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      C[y * n + x] = s;
    })",
    R"(constant float table[4] = {1, 2, 3, 4};
    float pick(constant float* p, int i) { return p[i] + p[i + 1]; }
    kernel void constants(global float* out, constant float* buffer, local float* tile, int n) {
      tile[get_local_id(0)] = buffer[n];
      barrier(CLK_LOCAL_MEM_FENCE);
      constant float* q = n > 3 ? table : buffer;
      out[n] = q[n & 3] + pick(buffer, n) + tile[n];
    })",
    R"(kernel void atomics(global atomic_int* p, global int* q, local int* l) {
      atomic_fetch_add_explicit(p, 1, memory_order_acq_rel, memory_scope_device);
      __sync_fetch_and_add((volatile global int*)q, 1);
      __opencl_atomic_fetch_max(p, 3, memory_order_seq_cst, memory_scope_all_svm_devices);
      atomic_inc(q); atomic_max(l, 4); atomic_cmpxchg(q, 1, 2);
    })",
    R"(#pragma OPENCL EXTENSION cl_khr_fp16 : enable
    kernel void halves(global half* h, global half4* h4, half x) { h[0] = h[1] * x + h[2]; h4[0] = h4[1] / h4[2] + sqrt(h4[3]); })",
    R"(kernel void math(global float* f, global double* d, float4 v) {
      f[0] = exp(f[1]) + sin(f[2]) * pow(f[3], f[4]); d[0] = log(d[1]) / sqrt(d[2]) + fma(d[3], d[4], d[5]);
      f[5] = __builtin_expf(f[6]) + __builtin_elementwise_sin(f[7]) + dot(v, v); d[8] = __builtin_elementwise_pow(d[9], d[10]);
    })",
    "typedef struct { char c; double d[3]; } S; kernel void bytes(S s, char16 c, global S* out, uchar3 u) { "
    "out[c.x] = s; out[1].c = u.y; }",
    "int twice(int x) __attribute__((noinline)); int twice(int x) { return get_global_offset(0) + x + "
    "get_work_dim(); }"
    "kernel void calls(global int* p) { p[0] = twice(p[1]); }",
    "kernel void spills(global float* p, int n) { float a[100]; for (int i = 0; i < 100; i++) a[i] = p[i * "
    "n]; p[0] = a[n]; }",
};

TEST(Ptx, IsAcceptedForEveryChip) {
  for (const Chip& chip : kChips) {
    // Sanitizers look at clcuda's code, which is nearly the same for all chips.
    if (test::kSanitized && chip.target.sm != 75 && chip.target.sm != 120) continue;
    for (const char* source : kCorpus) {
      for (const char* options : {"-cl-std=CL3.0", "-cl-std=CL3.0 -cl-fast-relaxed-math -g"}) {
        const CompiledProgram program = built(source, options, chip.target);
        EXPECT_EQ(count(program.uniform.ptx, chip.version), 1U);
        EXPECT_EQ(testing::ptxas_complaint(program.uniform.ptx, chip.target.sm), "") << source;
      }
    }
  }
}

TEST(Ptx, GeneralVariantIsAccepted) {
  for (const char* source : kCorpus) {
    const VariantOutcome general = make_general_variant(built(source));
    ASSERT_EQ(general.status, Status::success) << general.log;
    EXPECT_EQ(testing::ptxas_complaint(general.code.ptx, 90), "") << source;
    EXPECT_EQ(count(general.code.ptx, ".reqntid"), 0U);
  }
}

TEST(Ptx, WithoutOptimisation) {
  for (const char* source : kCorpus) {
    EXPECT_EQ(testing::ptxas_complaint(built(source, "-cl-std=CL3.0 -cl-opt-disable").uniform.ptx, 90), "")
        << source;
  }
}

// The library's choices by chip must leave no instruction that the chip lacks, not even in a branch that is never taken.
TEST(Ptx, WithoutOptimisationForChipsWithoutAnInstruction) {
  constexpr const char* kSource =
      "kernel void k(global int* p, local int* l, global const int* q) {\n"
      "  p[0] = sub_group_reduce_add(p[1]) + sub_group_non_uniform_reduce_max(p[2]) + "
      "work_group_reduce_min(p[3]);\n"
      "  event_t e = async_work_group_copy(l, q, 64, 0);\n"
      "  wait_group_events(1, &e);\n"
      "  p[4] = l[p[5]];\n"
      "}";
  for (const char* options : {"-cl-std=CL3.0", "-cl-std=CL3.0 -cl-opt-disable"}) {
    const std::string ptx = built(kSource, options, target_for_chip(75)).uniform.ptx;
    EXPECT_EQ(count(ptx, "redux"), 0U) << options;
    EXPECT_EQ(count(ptx, "cp.async"), 0U) << options;
    EXPECT_EQ(testing::ptxas_complaint(ptx, 75), "") << options;
    const std::string newer = built(kSource, options, target_for_chip(80)).uniform.ptx;
    EXPECT_GE(count(newer, "redux"), 1U) << options;
    EXPECT_EQ(testing::ptxas_complaint(newer, 80), "") << options;
  }
}

TEST(Ptx, IsTheSameEveryTime) {
  for (const char* source : kCorpus) EXPECT_EQ(built(source).uniform.ptx, built(source).uniform.ptx);
}

TEST(Ptx, ChipsAndDriversThatWeDoNotKnow) {
  EXPECT_EQ(count(built("kernel void k() {}", "", {130, 99}).uniform.ptx, ".target sm_121"), 1U);
  EXPECT_EQ(count(built("kernel void k() {}", "", {120, 80}).uniform.ptx, ".target sm_90"), 1U);
}

// Kernels begin with a wait for earlier kernels in their stream, on architectures that can launch them before those have ended.
TEST(Ptx, KernelsBeginWithAWait) {
  constexpr char kSource[] = R"(
    int twice(int x);
    kernel void sums(global int* restrict p, const global int* restrict q) {
      p[get_global_id(0)] = q[get_global_id(0)] + twice(q[0]);
    }
    kernel void calls(global int* p) { sums(p, p + 1); }
    __attribute__((noinline)) int twice(int x) { return x * 2; })";
  constexpr char kWait[] = "griddepcontrol.wait;";
  for (const char* options : {"-cl-std=CL3.0", "-cl-std=CL3.0 -cl-opt-disable", "-cl-std=CL3.0 -g"}) {
    const CompiledProgram program = built(kSource, options);
    const std::string& ptx = program.uniform.ptx;
    EXPECT_EQ(count(ptx, kWait), 2U);
    for (const KernelCode& kernel : program.uniform.kernels) {
      EXPECT_TRUE(kernel.waits);
      const std::size_t entry = ptx.find(".entry " + kernel.symbol + "("), waits = ptx.find(kWait, entry);
      EXPECT_LT(waits, ptx.find("ld.", entry)) << ptx;
    }
  }
  for (const Target older : {Target{75, 63}, Target{89, 78}, Target{90, 77}}) {
    const CompiledProgram program = built(kSource, "", older);
    EXPECT_EQ(count(program.uniform.ptx, kWait), 0U);
    for (const KernelCode& kernel : program.uniform.kernels) EXPECT_FALSE(kernel.waits);
  }
}

TEST(Ptx, LaunchRecordOnlyWhereItIsRead) {
  const CompiledProgram program = built(R"(
    kernel void plain(global int* p) { p[get_global_id(0)] = get_local_size(1); }
    kernel void dimension(global int* p, char c) { p[0] = get_work_dim() + c; })");
  EXPECT_FALSE(program.uniform.kernels[0].launch_record_offset);
  EXPECT_EQ(program.uniform.kernels[1].launch_record_offset, 16U);
  EXPECT_EQ(count(program.uniform.ptx, "ld.param.b32 \t%r1, [dimension_param_2+108]"), 1U)
      << program.uniform.ptx;
  const VariantOutcome general = make_general_variant(program);
  EXPECT_EQ(general.code.kernels[0].launch_record_offset, 8U);
  EXPECT_EQ(count(general.code.ptx, ".local"), 0U) << general.code.ptx;
}

TEST(Ptx, RequiredSizeIsKnownInTheUniformVariant) {
  const CompiledProgram program = built(
      "kernel __attribute__((reqd_work_group_size(8, 4, 2))) void k(global int* p) { p[get_global_id(0)] = "
      "get_local_size(1); }");
  EXPECT_EQ(count(program.uniform.ptx, "%ntid"), 0U);
  EXPECT_EQ(count(program.uniform.ptx, "ntid"), 0U) << "a small group needs no bound on its registers";
}

TEST(Ptx, LargeRequiredSizeBoundsTheRegisters) {
  const CompiledProgram program = built(
      "kernel __attribute__((reqd_work_group_size(32, 8, 4))) void k(global int* p) { p[get_global_id(0)] = "
      "get_local_size(1); }");
  EXPECT_EQ(count(program.uniform.ptx, ".reqntid 32, 8, 4"), 1U);
  EXPECT_EQ(count(make_general_variant(program).code.ptx, ".reqntid"), 0U);
  EXPECT_EQ(count(make_general_variant(program).code.ptx, ".maxntid 32, 8, 4"), 1U);
}

TEST(Ptx, SmallLoopsAreUnrolledByFourAndByEightIfTheyAreLong) {
  const auto ptx = [](const std::string& trips) {
    return built(R"(
      kernel void k(global float* p, local float4* l) {
        float sum = 0;
        for (uint i = 0; i < )" +
                 trips +
                 R"(; ++i) sum += rsqrt(l[i].x * l[i].y) * l[i].z + exp2(l[i].w * sum) + exp2(l[i].x * sum);
        p[get_global_id(0)] = sum;
      })")
        .uniform.ptx;
  };
  EXPECT_EQ(count(ptx("60"), "rsqrt.approx"), 4U) << ptx("60");
  EXPECT_EQ(count(ptx("4096"), "rsqrt.approx"), 8U) << ptx("4096");
}

// A loop with several paths to its latch still ends in a branch to its start.
TEST(Ptx, LoopsEndBehindTheirStart) {
  const std::string ptx = built(R"(
    kernel void k(global const uint* starts, global const uint* edges, global uint* levels, uint level) {
      const uint node = get_global_id(0);
      for (uint i = starts[node]; i < levels[node + 1]; ++i) {
        const uint other = edges[i];
        if (levels[other] == 0xffffffff) levels[other] = level;
      }
    })")
                              .uniform.ptx;
  EXPECT_EQ(count(ptx, "bra.uni"), 0U) << ptx;
  EXPECT_EQ(count(ptx, "bra"), 3U) << ptx;
}

// The remainder of an unrolled loop with indirect loads is straight-line code with loads for seven iterations, unless an iteration writes
// memory.
TEST(Ptx, TurnsLeftOverReadTogether) {
  const auto ptx = [](const std::string& body) {
    return built(
               "kernel void k(global const uint* starts, global const uint* where, global int* values, "
               "global int* out) {"
               "  const uint row = get_global_id(0), end = starts[row + 1];"
               "  int sum = 0;"
               "  for (uint i = starts[row]; i < end; ++i) " +
               body + "out[row] = sum; }")
        .uniform.ptx;
  };
  const std::string straight = ptx("sum += values[where[i]];"), loop = ptx("sum += values[where[i]]++;");
  EXPECT_EQ(count(straight, "ld.global"), 2U + 2 * (8 + 7)) << straight;
  EXPECT_EQ(count(straight, "min.u32"), 6U) << straight;
  EXPECT_EQ(count(loop, "ld.global"), 2U + 2 * (8 + 1)) << loop;
  EXPECT_EQ(testing::ptxas_complaint(straight, testing::kTarget.sm), "");
}

// #pragma unroll (cl_nv_pragma_unroll) and opencl_unroll_hint apply to loops of known and unknown length: they set the number of copies of
// the body and keep ptxas from unrolling.
TEST(Ptx, LoopsAreUnrolledAsTheProgramSays) {
  const auto bodies = [](const std::string& hint, const std::string& trips) {
    const std::string ptx =
        built("kernel void k(global float* p, int n) {\n  float s = 0;\n" + hint +
              "\n  for (int i = 0; i < " + trips + "; ++i) s = native_sin(s + p[i]);\n  p[0] = s; }")
            .uniform.ptx;
    EXPECT_EQ(count(ptx, ".pragma \"nounroll\"") > 0, count(ptx, "bra") > 0) << ptx;
    return count(ptx, "sin.approx");
  };
  for (const char* hint : {"#pragma unroll", "__attribute__((opencl_unroll_hint))"})
    EXPECT_EQ(bodies(hint, "12"), 12U) << hint;
  for (const char* hint :
       {"#pragma unroll 1", "#pragma nounroll", "__attribute__((opencl_unroll_hint(1)))"}) {
    EXPECT_EQ(bodies(hint, "12"), 1U) << hint;
    EXPECT_EQ(bodies(hint, "n"), 1U) << hint;
  }
  for (const char* hint : {"#pragma unroll 3", "#pragma unroll(3)", "_Pragma(\"unroll 3\")",
                           "__attribute__((opencl_unroll_hint(3)))"}) {
    EXPECT_EQ(bodies(hint, "12"), 3U) << hint;
    EXPECT_EQ(bodies(hint, "n"), 4U) << hint;  // three, and the remainder
  }
}

// Arguments are aligned to 16 bytes in the uniform variant, and to their type in the general one.
TEST(Ptx, ValuesSideBySideAreLoadedAndStoredTogether) {
  const CompiledProgram program = built(R"(
    kernel void words(global const uint* a, global uint* b) {
      const uint i = (uint)get_global_id(0) * 4;
      const uint x = a[i], y = a[i + 1], z = a[i + 2], w = a[i + 3];
      b[i] = x + w; b[i + 1] = y + w; b[i + 2] = z + w; b[i + 3] = w;
    }
    typedef struct { float x, y, z, w; } body;
    kernel void bodies(constant body* a, global float* b) {
      const size_t i = get_global_id(0);
      b[i] = a[i].x * a[i].y + a[i].z * a[i].w;
    })");
  EXPECT_EQ(count(program.uniform.ptx, "ld.global.v4") + count(program.uniform.ptx, "ld.global.nc.v4"), 2U)
      << program.uniform.ptx;
  EXPECT_EQ(count(program.uniform.ptx, "st.global.v4"), 1U) << program.uniform.ptx;
  const std::string general = make_general_variant(program).code.ptx;
  EXPECT_EQ(count(general, ".v4") + count(general, ".v2"), 0U) << general;
}

TEST(Ptx, CopiesIntoLocalMemoryAreTheChips) {
  constexpr const char* kSource = R"(
    kernel void k(global const char* in, global char* out) {
      local char tile[64];
      event_t event = async_work_group_copy(tile, in, 64, 0);
      wait_group_events(1, &event);
      out[get_local_id(0)] = tile[63 - get_local_id(0)];
    })";
  const std::string ptx = built(kSource).uniform.ptx;
  EXPECT_EQ(count(ptx, "cp.async.cg.shared.global"), 1U) << ptx;
  EXPECT_EQ(count(ptx, "cp.async.wait_all"), 1U) << ptx;
  EXPECT_EQ(testing::ptxas_complaint(ptx, 90), "");
  EXPECT_EQ(count(built(kSource, "-cl-std=CL3.0", {75, 78}).uniform.ptx, "cp.async"), 0U);
}

// Loads and stores of a three-element vector access four elements; a half is stored as its bits.
TEST(Ptx, VariablesAreDeclaredAsTheyLieInMemory) {
  const std::string ptx = built(R"(#pragma OPENCL EXTENSION cl_khr_fp16 : enable
    global float3 a = {1, 2, 3}; global char3 b; global half3 c; constant int3 d = {1, 2, 3}; global half e = 1.5h;
    global struct { char3 x[2]; char y; half3 z; } h = {{(char3)(1, 2, 3), (char3)(4, 5, 6)}, 7, (half3)(1, 2, 3)};
    kernel void k(global int* p) {
      local float3 f; local uchar3 g; h.y = 8;
      if (get_local_id(0) == 0) { f = (float3)(p[0]); g = (uchar3)(p[1]); }
      barrier(CLK_LOCAL_MEM_FENCE);
      a += f; b += as_char3(g); c += (half)e; p[2] = d[p[3]];
    })")
                              .uniform.ptx;
  for (const char* declaration :
       {" a[16]", " b[4]", " c[8]", " d[16]", " e[2] = {0, 62}",
        " h[24] = {1, 2, 3, 0, 4, 5, 6, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 60, 0, 64, 0, 66", "_f[16]", "_g[4]"})
    EXPECT_EQ(count(ptx, declaration), 1U) << declaration << ptx;
  EXPECT_EQ(testing::ptxas_complaint(ptx, 90), "");
}

// ptxas peels loops whose last branch is the exit.
TEST(Ptx, LoopsEndInABranchToTheirStart) {
  const std::string ptx = built(R"(
    kernel void k(global float* p, int n) {
      float sum = 0;
      _Pragma("unroll 1") for (int i = 0; i != n; ++i) sum += p[i];
      p[0] = sum;
    })")
                              .uniform.ptx;
  const std::size_t pragma = ptx.find("nounroll"), start = ptx.rfind("$L__BB0_", pragma);
  ASSERT_NE(pragma, std::string::npos);
  const std::string label = ptx.substr(start, ptx.find(':', start) - start);
  EXPECT_EQ(count(ptx.substr(pragma), "bra \t" + label + ";"), 1U) << ptx;
  EXPECT_EQ(count(ptx.substr(pragma), "bra.uni"), 0U) << ptx;
}

// Evaluating both sides of log1p's branches would cost more.
TEST(Ptx, RareCasesOfTheLibraryAreBranches) {
  const std::string ptx = built("kernel void k(global float* p) { p[0] = log1p(p[0]); }").uniform.ptx;
  EXPECT_GE(count(ptx, "bra \t"), 1U) << ptx;
}

// For divisions and roots that only some work-items need, a branch is cheaper than evaluation by all; for a multiplication it is not.
TEST(Ptx, WhatAChoiceNeedsOfDivisionsAndRootsIsBehindABranch) {
  struct Choice {
    const char *type, *value, *otherwise;
    unsigned branches;
  };
  constexpr Choice kChoices[] = {{"float", "y / x", "x", 1},           {"double", "y / x", "x", 1},
                                 {"double", "sqrt(x)", "y", 1},        {"float4", "(y - 1) / x + y", "x", 1},
                                 {"float", "y / x", "x / (y + 2)", 2}, {"float", "y * x", "x", 0}};
  for (const Choice& choice : kChoices) {
    const std::string type = choice.type, value = choice.value;
    const std::string ptx = built("kernel void k(global " + type + "* p, int n) { " + type +
                                  " x = p[0], y = p[1]; p[2] = x; p[3] = y; p[4] = n > 7 ? " + value + " : " +
                                  choice.otherwise + "; }")
                                .uniform.ptx;
    EXPECT_EQ(count(ptx, "@%p1 bra"), choice.branches != 0) << ptx;
    EXPECT_EQ(count(ptx, "bra"), choice.branches) << ptx;
  }
}

// Two values selected by one condition, of which the second needs the first one's quotient; and a quotient that both sides of a selection
// need.
TEST(Ptx, ChoicesByOneConditionShareABranch) {
  const std::string ptx = built(R"(kernel void k(global float* p, int n) {
    float x = p[0], y = p[1], both = x / (y + 3), quotient = x, rest = y;
    p[2] = x; p[3] = y;
    if (n > 7) { quotient = y / x; rest = y - quotient * x; }
    p[4] = quotient; p[5] = rest; p[6] = n > 9 ? both : both + 1;
  })")
                              .uniform.ptx;
  EXPECT_EQ(count(ptx, "bra"), 1U) << ptx;
  EXPECT_EQ(count(ptx, "div."), 2U) << ptx;
}

// ptxas treats the first operand that is read as the uniform one.
TEST(Ptx, GlobalIdsReadTheSizeAheadOfTheGroup) {
  const std::string ptx =
      built("kernel void k(global int* p) { p[get_global_id(1) * 64 + get_global_id(0)] = 1; }").uniform.ptx;
  for (const std::string dimension : {"x", "y"}) {
    ASSERT_EQ(count(ptx, "%ntid." + dimension), 1U) << ptx;
    EXPECT_LT(ptx.find("%ntid." + dimension), ptx.find("%ctaid." + dimension)) << ptx;
  }
}

TEST(Ptx, PrivateArraysAreLoadedAndStoredSideBySide) {
  const std::string ptx = built(R"(kernel void k(global int* p, int n) {
    int a[20];
    _Pragma("unroll") for (int i = 0; i < 20; ++i) a[i] = p[7 * i];
    for (int i = 0; i < n; ++i) a[p[i]] += i;
    int sum = 0;
    _Pragma("unroll") for (int i = 0; i < 20; ++i) sum = sum * 3 + a[i];
    p[n] = sum;
  })")
                              .uniform.ptx;
  EXPECT_EQ(count(ptx, "st.local.v4"), 5U) << ptx;
  EXPECT_EQ(count(ptx, "ld.local.v4"), 5U) << ptx;
}

TEST(Ptx, LoopsOfFewTripsVanishWithTheirBarriers) {
  const std::string ptx =
      built(R"(kernel __attribute__((reqd_work_group_size(256, 1, 1))) void f(global float* p) {
    local float memory[256];
    float values[7];
    for (int i = 0; i < 7; ++i) values[i] = p[i * 256];
    for (uint size = 1; size <= 64; size *= 4) {
      barrier(CLK_LOCAL_MEM_FENCE);
      memory[get_local_id(0)] = values[size % 7];
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int i = 0; i < 7; ++i) values[i] += memory[get_local_id(0) ^ size] * values[6 - i];
    }
    for (int i = 0; i < 7; ++i) p[i * 256] = values[i];
  })")
          .uniform.ptx;
  EXPECT_EQ(count(ptx, "bra"), 0U) << ptx;
  EXPECT_EQ(count(ptx, ".local"), 0U) << ptx;
  EXPECT_EQ(count(ptx, "bar.sync"), 8U) << ptx;
}

// The condition for the remainder loop must be uniform in the sub-group.
TEST(Ptx, LoopsAroundACollectiveFunctionAreUnrolledWhereAllMakeTheSameTrips) {
  const auto reductions_in_loop = [](const std::string& bound, const std::string& function) {
    return count(
        built("kernel void k(global uint* p, uint n) { uint x = p[get_global_id(0)], sum = 0;\n"
              "  for (uint i = 0; i < " +
              bound + "; ++i) { sum += " + function + "(x); x = x * 5 + 1; }\n  p[get_global_id(0)] = sum; }")
            .uniform.ptx,
        "redux.sync.min.u32");
  };
  EXPECT_EQ(5u, reductions_in_loop("n", "sub_group_reduce_min"));
  EXPECT_EQ(1u, reductions_in_loop("get_local_id(0)", "sub_group_non_uniform_reduce_min"));
  EXPECT_EQ(1u, reductions_in_loop("p[get_global_id(0)]", "sub_group_non_uniform_reduce_min"));
  const std::string ptx = built(R"(kernel void k(global uint* p, uint n) {
    for (uint i = 0; i < n; ++i) __asm__ volatile("again: nanosleep.u32 %0;" : : "r"(i)); })")
                              .uniform.ptx;
  EXPECT_EQ(1u, count(ptx, "again:")) << ptx;
  const std::string atomics = built(R"(kernel void k(global atomic_uint* p, uint n) {
    for (uint i = 0; i < n; ++i) atomic_store_explicit(p + i, i, memory_order_relaxed, memory_scope_device); })")
                                  .uniform.ptx;
  EXPECT_EQ(1u, count(atomics, "st.relaxed")) << atomics;
}

// The last iteration of a loop with a barrier is known from the trip count: four copies of the body, and one exit.
TEST(Ptx, LoopsAroundABarrierAreUnrolledWhereTheirTripsAreKnown) {
  const auto barriers = [](const std::string& trips, const std::string& more) {
    const std::string ptx = built(R"(kernel void k(global int* p, local int* l, int n) {
      const uint id = get_local_id(0);
      for (uint i = 0; i < )" + trips +
                                  R"(; ++i) {
        if (i - id < 64) l[i - id] = max(l[i - id + 64], l[i - id + 65]);
        barrier(CLK_LOCAL_MEM_FENCE);)" +
                                  more + "}\n p[id] = l[id]; }")
                                .uniform.ptx;
    EXPECT_EQ(testing::ptxas_complaint(ptx, testing::kTarget.sm), "");
    EXPECT_EQ(count(ptx, "sub.s32"), 1U) << "the next turn's difference is this one's and 1: " << ptx;
    return count(ptx, "bar.sync");
  };
  EXPECT_EQ(barriers("128", ""), 4U);
  EXPECT_EQ(barriers("127", ""), 4U);
  EXPECT_EQ(barriers("n", ""), 1U);
  EXPECT_EQ(barriers("127", "l[id] = n; barrier(CLK_LOCAL_MEM_FENCE);"), 2U);
}

// Patterns that ptxas combines into one instruction. Sums whose operand is still used, and 64-bit sums, are not changed.
TEST(Ptx, SumsOfWhatDependsOnAConditionAreChoices) {
  const auto ptx = [](const std::string& type, const std::string& start, const std::string& turn) {
    return built("kernel void k(global const int* a, global " + type + "* p, int n) {\n  " + type + " x = " +
                 start + "; int id = get_global_id(0);\n  #pragma unroll 1\n  for (int i = 0; i < n; ++i) " +
                 turn + "\n  p[id] = x; }")
        .uniform.ptx;
  };
  const auto chooses = [](const std::string& text) {
    return count(text, "selp.b") == 1 && count(text, ", 1, 0, ") + count(text, ", -1, 0, ") == 0 &&
           count(text, ", 0, %p") == 0;
  };
  for (const char* turn :
       {"x += a[i] < id;", "if (a[i] < id) ++x;", "x -= a[i] < id;", "x += a[i] < id ? 3 : 0;",
        "x += a[i] < id ? a[i] : 0;", "x -= a[i] < id ? a[i] * 5 : 0;", "x |= a[i] < id ? a[i] : 0;",
        "x ^= a[i] < id ? a[i] : 0;"}) {
    const std::string text = ptx("int", "0", turn);
    EXPECT_TRUE(chooses(text)) << turn << '\n' << text;
  }
  for (const auto& [type, turn] : {std::pair("long", "x += a[i] < id;"),
                                   std::pair("int", "{ const int y = x * 3; x = y + (a[i] < y); }")}) {
    const std::string text = ptx(type, "3", turn);
    EXPECT_EQ(count(text, ", 1, 0, "), 1U) << turn << '\n' << text;
  }
}

// After a loop with an early exit, the counter itself is used, not a copy of the bound that it has reached. The compiler must know that it
// is below the bound before.
TEST(Ptx, CountersOfLoopsAreNotCopied) {
  const auto ptx = [](const std::string& loop) {
    return built(
               "kernel void k(global const uchar* a, global const uchar* b, global uint* p, uint n, uint "
               "start) {\n"
               "  uint i = 0;\n" +
               loop + "\n  p[get_global_id(0)] = i; }")
        .uniform.ptx;
  };
  for (const char* condition : {"i < n", "i != n"}) {
    const std::string counted = ptx(std::string("while (") + condition + " && a[i] == b[i]) ++i;");
    EXPECT_EQ(count(counted, "setp.lt.u32"), 1U) << counted;
    EXPECT_EQ(count(counted, "setp.ne.b32"), 0U) << counted;
  }
  const std::string unknown =
      ptx("i = start; do { if (a[i] != b[i] || i >= 1000) break; ++i; } while (i != n);");
  EXPECT_EQ(count(unknown, "setp.ne.b32"), 1U) << unknown;
}

// A condition that is uniform is evaluated once, outside of the loop. A divergent condition would make work-items run both loops in turn.
TEST(Ptx, LoopsAreDividedByWhatIsTheSameInAllTurns) {
  const auto atomics = [](const std::string& condition) {
    const std::string ptx = built(
                                R"(kernel void k(global const uchar* a, global uint* p, uint n, uint wanted) {
      for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        if ()" + condition + R"( || a[i] == 7) atomic_add(p, i);
    })")
                                .uniform.ptx;
    return count(ptx, "atom.global.add");
  };
  EXPECT_EQ(atomics("wanted == 0"), 2U);
  EXPECT_EQ(atomics("get_local_id(0) == wanted"), 1U);
}

TEST(Ptx, StructuresAreCopiedFromConstantArguments) {
  const std::string ptx = built(R"(
    typedef struct { float m[12]; int n; } Table;
    kernel void k(global float* a, constant Table* table) {
      Table own = *table;
      own.n = a[1];
      float s = 0;
      for (int i = 0; i < own.n; ++i) s += own.m[i];
      *a = s;
    }
  )")
                              .uniform.ptx;
  EXPECT_EQ(testing::ptxas_complaint(ptx, 90), "");
}

TEST(Ptx, StructuresAreCopiedByWordsAndOnce) {
  const std::string ptx = built(R"(
    typedef struct { uint words[64]; uint length; uint rest[3]; } Text;
    void read(global const uint* from, Text* to, uint count) {
      Text own = {};
      own.length = count;
      for (uint i = 0; i < count; ++i) own.words[i] = from[i];
      *to = own;
    }
    kernel void k(global const uint* from, global Text* to) {
      Text text;
      read(from, &text, to->length);
      *to = text;
    }
  )")
                              .uniform.ptx;
  EXPECT_EQ(count(ptx, ".local .align 16 .b8 \t__local_depot0[272];"), 1U) << ptx;
  EXPECT_GE(count(ptx, "ld.local.v4.b32"), 16U) << ptx;
  EXPECT_EQ(count(ptx, "st.global.v4.b32"), 17U) << ptx;
}

TEST(Ptx, LocalPointersAreOffsets) {
  const std::string ptx =
      built("kernel void k(local float* a, local double4* b) { a[0] = b[1].x; }").uniform.ptx;
  EXPECT_EQ(count(ptx, ".ptr .shared"), 0U);
  EXPECT_EQ(count(ptx, ".param .u32"), 2U);
  EXPECT_EQ(count(ptx, ".extern .shared .align 16"), 1U);
  EXPECT_GE(count(ptx, ", -32;"), 1U);  // from an address that is rounded down, for double4
}

TEST(Ptx, AtomicsKeepTheirOrder) {
  const auto ptx = [](const std::string& order, const std::string& scope) {
    return built(
               "kernel void k(global atomic_int* p, global int* q) { *q = __opencl_atomic_fetch_max(p, 3, "
               "memory_order_" +
               order + ", memory_scope_" + scope + "); }")
        .uniform.ptx;
  };
  EXPECT_EQ(count(ptx("relaxed", "device"), "fence."), 0U);
  EXPECT_EQ(count(ptx("acq_rel", "device"), "fence.acq_rel"), 2U);
  EXPECT_EQ(count(ptx("seq_cst", "device"), "fence.sc"), 1U);
}

// All work-items load the same value from local memory: the address is carried through the loop, and values needed after the loop occupy no
// registers in it, so that ptxas can load ahead.
TEST(Ptx, AddressesOfSharedValuesAreCarriedAlong) {
  const std::string ptx = built(R"(
    kernel __attribute__((reqd_work_group_size(256, 1, 1))) void tiles(global const float4* a, global float4* b, uint n) {
      local float4 tile[256];
      const float4 own = a[get_global_id(0)];
      float4 sum = 0;
      for (uint first = 0; first < n; first += 256) {
        tile[get_local_id(0)] = a[first + get_local_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = 0; i < 256; ++i) sum = fma(tile[i], own, sum);
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      b[get_global_id(0)] = sum;
    }
  )")
                              .uniform.ptx;
  const std::size_t first = ptx.find("ld.shared"), last = ptx.rfind("ld.shared");
  ASSERT_NE(first, std::string::npos);
  const std::string loop = ptx.substr(first, last - first);
  EXPECT_EQ(count(loop, "ld.shared"), 7U) << ptx;
  EXPECT_EQ(count(loop, "mul.wide") + count(loop, "shl"), 0U) << ptx;
  EXPECT_NE(ptx.find("%tid.x", last), std::string::npos) << ptx;
  EXPECT_EQ(testing::ptxas_complaint(ptx, 90), "");
}

// Eight iterations at once, and the up to seven that remain of a row.
TEST(Ptx, LoopsThatReadWhereToReadAreUnrolledByEight) {
  const std::string ptx = built(R"(
    kernel void row(global const uint* index, global const float* a, global float* b, uint begin, uint end) {
      float sum = 0;
      for (uint i = begin; i < end; ++i) sum += a[index[i]];
      *b = sum;
    }
  )")
                              .uniform.ptx;
  EXPECT_EQ(count(ptx, "add.rn.f32") + count(ptx, "add.f32"), 15U) << ptx;
  EXPECT_EQ(count(ptx, ".pragma \"nounroll\""), 1U) << ptx;
}

// An array passed by pointer stays in registers only if the function is inlined.
TEST(Ptx, FunctionsThatTakePrivateArraysAreInlined) {
  const std::string ptx = built(R"(
    #define STEP(i) a += rotate(b ^ w[i & 3], 5u) * c; b += rotate(a & v[i & 3], 9u) + c; c ^= (a | b) + i;
    #define STEPS8(i) STEP(i) STEP(i + 1) STEP(i + 2) STEP(i + 3) STEP(i + 4) STEP(i + 5) STEP(i + 6) STEP(i + 7)
    #define STEPS(i) STEPS8(i) STEPS8(i + 8) STEPS8(i + 16) STEPS8(i + 24) STEPS8(i + 32) STEPS8(i + 40) STEPS8(i + 48)
    void mix(const uint* w, const uint* v, uint* state) {
      uint a = state[0], b = state[1], c = state[2];
      STEPS(0) STEPS(7)
      state[0] += a; state[1] += b; state[2] += c;
    }
    void mix_twice(const uint* w, uint* v, uint* state) { mix(w, v, state); v[0] = state[0]; mix(v, w, state); }
    kernel void k(global uint* p) {
      uint w[4] = {p[0], p[1], p[2], p[3]}, v[4] = {p[4], p[5], p[6], p[7]}, state[3] = {1, 2, 3};
      for (uint i = 0; i < p[8]; ++i) mix_twice(w, v, state);
      p[0] = state[0] + state[1] + state[2];
    }
  )")
                              .uniform.ptx;
  EXPECT_EQ(ptx.find("__local_depot"), std::string::npos);
  EXPECT_EQ(ptx.find(".func"), std::string::npos);
}

// The executor would have to inline a function that can end its work-item everywhere.
TEST(Ptx, NoDefaultThatCannotBeReachedEndsTheWorkItem) {
  const std::string ptx = built(R"(
    __attribute__((noinline)) uint pick(uint n, uint a, uint b) {
      switch (n & 3) {
        case 0: return a * b;
        case 1: return a / b;
        case 2: return a % b;
        case 3: return a - b;
      }
    }
    kernel void k(global uint* a) { *a = pick(a[0], a[1], a[2]) + pick(a[3], a[4], a[5]); }
  )")
                              .uniform.ptx;
  EXPECT_NE(ptx.find(".func"), std::string::npos) << ptx;
  EXPECT_EQ(ptx.find("exit;"), std::string::npos) << ptx;
}

TEST(Ptx, AddressesOfALoopAreNotCarriedAlong) {
  const std::string ptx = built(R"(
    kernel void gather(global const uint* index, global const float* a, global float* b, uint n) {
      float sum = 0;
      #pragma unroll 1
      for (uint i = 0; i < n; ++i) sum += a[index[i]];
      *b = sum;
    }
  )")
                              .uniform.ptx;
  EXPECT_EQ(count(ptx, "mul.wide.u32"), 2U) << ptx;
  EXPECT_EQ(count(ptx, "add.s64"), 2U) << ptx;
}

// As in clpeak: dependent integer multiplications and additions.
TEST(Ptx, MultiplyAddsOfIntegersStay) {
  const std::string ptx = built(R"(kernel void k(global int* p, int x) {
    int y = get_local_id(0);
    for (int i = 0; i < 8; ++i) { x = y * x + y; y = x * y + x; }
    *p = y;
  })")
                              .uniform.ptx;
  EXPECT_GE(count(ptx, "mad.lo.s32"), 15U) << ptx;
  EXPECT_LE(count(ptx, "add.s32"), 1U) << ptx;
}

// What only some work-items need: a load and a long division.
TEST(Ptx, CostlyOperandsAreBehindBranches) {
  const std::string ptx = built(R"(
    kernel void k(global long* restrict out, global const long* restrict in, long least) {
      const size_t i = get_global_id(0);
      const long x = in[i], n = in[i + 100], quotient = x / n;
      if (x > least) out[i] = quotient;
    })")
                              .uniform.ptx;
  const std::size_t branch = ptx.find("bra");
  EXPECT_EQ(testing::count(ptx.substr(0, branch), "ld.global"), 1U) << ptx;
  EXPECT_EQ(testing::count(ptx.substr(0, branch), "div."), 0U) << ptx;
  EXPECT_GT(testing::count(ptx, "div."), 0U) << ptx;
}

}  // namespace
}  // namespace clcuda::compiler
