// SPDX-License-Identifier: Apache-2.0
// The bound of a work-item's printf output, which is known if each printf is executed at most once.
#include "builtins/printf_record.h"
#include "support.h"

namespace clcuda::compiler {
namespace {

using testing::built;

constexpr std::uint32_t kHead = sizeof(clcuda_printf_record), kUnknown = 0;

// The code of the program's last kernel.
KernelCode code_of(const std::string& source, const std::string& options = "-cl-std=CL3.0") {
  return built(source, options).uniform.kernels.back();
}
std::uint32_t bound_of(const std::string& statements) {
  const KernelCode code = code_of("kernel void k(global int* a, int n, float4 v) {" + statements + "}");
  EXPECT_TRUE(code.uses_printf);
  return code.printf_bytes;
}

TEST(PrintfBounds, SlotsOfTheArguments) {
  EXPECT_EQ(bound_of("printf(\"text\");"), kHead);
  EXPECT_EQ(bound_of("printf(\"%d %s\", n, \"text\");"), kHead + 16);
  EXPECT_EQ(bound_of("printf(\"%v4f\", v);"), kHead + 32);
  EXPECT_EQ(bound_of("printf(\"%v3f %hhd\", v.xyz, (char)n);"), kHead + 32);
}

TEST(PrintfBounds, AllCallsCount) {
  EXPECT_EQ(bound_of("if (n) printf(\"%d\", n); else printf(\"none\"); printf(\"end\");"), 3 * kHead + 8);
  EXPECT_EQ(code_of("void one(int n) { printf(\"%d\", n); }\n"
                    "void two(int n) { one(n); one(n + 1); }\n"
                    "kernel void other(int n) { one(n); }\n"
                    "kernel void k(int n) { two(n); if (n) one(n); }")
                .printf_bytes,
            3 * (kHead + 8));
}

TEST(PrintfBounds, LoopsHaveNone) {
  EXPECT_EQ(bound_of("for (int i = 0; i < n; ++i) printf(\"%d\", i);"), kUnknown);
  EXPECT_EQ(bound_of("again: printf(\"%d\", n); if (++n < a[0]) goto again;"), kUnknown);
  EXPECT_EQ(code_of("void one(int n) { printf(\"%d\", n); }\n"
                    "kernel void k(int n) { while (n--) one(n); }")
                .printf_bytes,
            kUnknown);
  // A loop without printf does not affect the bound.
  EXPECT_EQ(bound_of("for (int i = 0; i < n; ++i) a[i] = i; printf(\"%d\", n);"), kHead + 8);
}

TEST(PrintfBounds, EachKernelHasItsOwn) {
  const CompiledProgram program = built(
      "kernel void none(global int* a) { *a = 1; }\n"
      "kernel void some(int n) { printf(\"%d\", n); }\n"
      "kernel void many(int n) { while (n--) printf(\"%d\", n); }");
  EXPECT_FALSE(program.uniform.kernels[0].uses_printf);
  EXPECT_EQ(program.uniform.kernels[1].printf_bytes, kHead + 8);
  EXPECT_TRUE(program.uniform.kernels[2].uses_printf);
  EXPECT_EQ(program.uniform.kernels[2].printf_bytes, kUnknown);
  const auto read = parse(serialize(program));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->uniform.kernels[1].printf_bytes, kHead + 8);
}

// Blocks that are enqueued on the device print to the same buffer.
TEST(PrintfBounds, EnqueuedBlocksHaveNone) {
  const std::string program =
      "kernel void k(queue_t q, int n) { printf(\"%d\", n);\n"
      "  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(n), ^{ PRINT; }); }";
  EXPECT_EQ(code_of(program, "-cl-std=CL3.0 -DPRINT=printf(\\\"block\\\")").printf_bytes, kUnknown);
}

}  // namespace
}  // namespace clcuda::compiler
