// SPDX-License-Identifier: Apache-2.0
// Run-time checks that the compiler omits, because code is specialized for certain images or a condition is proved.
#include "builtins/image_descriptor.h"
#include "support.h"

namespace clcuda::compiler {
namespace {

using testing::built;
using testing::count;

// A read of an image for which the code is specialized is one instruction, without checks or branches.
TEST(PtxProofs, ReadsOfImagesAskNothingOfTheImagesThatTheyAreMadeFor) {
  const CompiledProgram program = built(R"(
    const sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
    kernel void nearest(read_only image2d_t from, global float4* to, int2 at) { *to = read_imagef(from, edge, at); })",
                                        "-cl-std=CL1.2");
  const auto code_is_plain = [](const VariantCode& code, const char* fetch) {
    EXPECT_EQ(count(code.ptx, "tex."), 1U) << code.ptx;
    EXPECT_EQ(count(code.ptx, fetch), 1U) << code.ptx;
    EXPECT_EQ(count(code.ptx, "setp."), 0U) << code.ptx;
    EXPECT_EQ(count(code.ptx, "bra"), 0U) << code.ptx;
  };
  ASSERT_EQ(program.uniform.kernels[0].known_images.size(), 1U);
  KnownImage known = program.uniform.kernels[0].known_images[0];
  EXPECT_EQ(known, (KnownImage{.argument = 0, .asks_order = true, .order = CLCUDA_ORDER_RGBA}));
  code_is_plain(program.uniform, "tex.2d.v4.f32.s32");
  for (const std::uint32_t order : {std::uint32_t{CLCUDA_ORDER_R}, 0x3012U}) {
    known.order = order;
    const VariantOutcome made = make_specialized(program, 0, {.images = {known}});
    ASSERT_EQ(made.status, Status::success) << made.log;
    EXPECT_EQ(made.code.kernels[0].known_images, std::vector<KnownImage>{known});
    code_is_plain(made.code, "tex.2d.v4.f32.s32");
  }
  // Texels of eight bytes are read faster with coordinates at their centres.
  known.order = std::uint32_t{CLCUDA_ORDER_RGBA} | CLCUDA_ORDER_WIDE;
  code_is_plain(make_specialized(program, 0, {.images = {known}}).code, "tex.2d.v4.f32.f32");
  // The general variant supports any image, and is marked accordingly.
  const VariantOutcome general = make_general_variant(program);
  EXPECT_TRUE(general.code.kernels[0].known_images.empty());
  EXPECT_GT(count(general.code.ptx, "setp."), 0U) << general.code.ptx;
}

// If all work-items of a sub-group arrive together, the mask is a constant. If some may have diverged, or depend on loads of volatile
// memory, the mask comes from a vote. activemask is never used.
TEST(PtxProofs, MasksAreConstantWhereAllArriveAndCarriedElsewhere) {
  const auto votes_in = [](const char* body, const char* options) {
    const std::string source =
        "kernel void k(global uint* a, volatile global uint* v, uint n) { uint i = get_local_id(0), x = "
        "a[i]; " +
        std::string(body) + " a[i] = x; }";
    DeviceFeatures features = testing::features();
    for (const char* name : {"shuffle", "shuffle_relative", "ballot", "non_uniform_arithmetic"})
      features.extensions.push_back(std::string("cl_khr_subgroup_") + name);
    const Outcome outcome = build(source, options, {90, 78}, features);
    EXPECT_EQ(outcome.status, Status::success) << outcome.log;
    EXPECT_EQ(count(outcome.program.uniform.ptx, "activemask"), 0U) << body << options;
    return count(outcome.program.uniform.ptx, "vote.sync.ballot");
  };
  constexpr const char* kProven[] = {
      "x = sub_group_shuffle(x, 3);",
      "if (i & 1) a[i + 1] = 7; x = sub_group_shuffle(x, 3);",
      "for (uint t = 0; t < n; ++t) { if (x & 1) a[i + t] = 7; x += sub_group_shuffle_xor(x, t); }",
      "do { x += 3; } while (x < i); if (n > 3) x = sub_group_shuffle(x, 3);",
      "x = sub_group_ballot(x > 3).x + sub_group_non_uniform_reduce_add(x);",
  };
  constexpr const char* kOpen[] = {
      "if (i & 1) x = sub_group_shuffle(x, 3);", "if (i == 5) return; x = sub_group_shuffle(x, 3);",
      "for (uint t = 0; t < i; ++t) x += sub_group_shuffle_xor(x, t);",
      "if (*v) x = sub_group_shuffle(x, 3);",
      "bool b; uint t = 0; do b = a[t++] & 1; while (a[t + i] & 2); if (b) x = sub_group_shuffle(x, 3);"};
  for (const char* options : {"-cl-std=CL3.0", "-cl-std=CL3.0 -cl-opt-disable"}) {
    for (const char* body : kProven)
      EXPECT_EQ(votes_in(body, options), count(body, "ballot")) << body << options;
    for (const char* body : kOpen) EXPECT_GT(votes_in(body, options), 0U) << body << options;
  }
}

// A function that is called gets the mask of active lanes, also through another function.
TEST(PtxProofs, FunctionsAreToldWhoComes) {
  const char* source = R"(
    __attribute__((noinline)) uint exchanged(uint x) {
      if (x & 1) return sub_group_shuffle(x, 3);
      return sub_group_ballot(x > 3).x;
    }
    __attribute__((noinline)) uint twice(uint x) { return exchanged(x) + exchanged(x * 7); }
    kernel void k(global uint* a) {
      uint i = get_local_id(0);
      if (a[i] & 2) a[i] = twice(a[i]); else a[i] = exchanged(i);
    })";
  DeviceFeatures features = testing::features();
  for (const char* name : {"shuffle", "ballot"})
    features.extensions.push_back(std::string("cl_khr_subgroup_") + name);
  for (const char* options : {"-cl-std=CL3.0", "-cl-std=CL3.0 -cl-opt-disable"}) {
    const Outcome outcome = build(source, options, {90, 78}, features);
    ASSERT_EQ(outcome.status, Status::success) << outcome.log;
    const std::string& ptx = outcome.program.uniform.ptx;
    EXPECT_EQ(count(ptx, "activemask"), 0U) << ptx << options;
    EXPECT_GT(count(ptx, "vote.sync.ballot"), 0U) << ptx << options;
    EXPECT_GT(count(ptx, "call.uni"), 0U) << ptx << options;
  }
}

}  // namespace
}  // namespace clcuda::compiler
