// SPDX-License-Identifier: Apache-2.0
// Invalid PTX is rejected with line and reason, and no input crashes the parser, the translator or the loader.
#include <gtest/gtest.h>

#include <random>

#include "program.h"
#include "ptx/abi/code_object.h"

namespace clcuda::ptx::testing {
namespace {

std::string refusal_of(const std::string& text) {
  std::string log;
  const std::string_view units[] = {text};
  EXPECT_FALSE(compile(units, log)) << text;
  return log;
}

void expect_refused(const std::string& body, const std::string& reason) {
  const std::string log = refusal_of(kernel_text("", body));
  EXPECT_NE(log.find(reason), std::string::npos) << log;
  EXPECT_NE(log.find("line "), std::string::npos) << log;
}

TEST(Refusal, NamesLineAndReason) {
  expect_refused("frobnicate.u32 %r1, %r2;", "not an instruction");
  expect_refused("add.foo.u32 %r1, %r2, %r3;", "no such form");
  expect_refused("add.u32 %r1, %r2;", "too few operands");
  expect_refused("add.u32 %r1, %r2, %r3, %r4;", "too many operands");
  expect_refused("add.u32 %r1, %r2, %nothing;", "not known");
  expect_refused("cp.async.cg.shared.global [%rd1], [%rd1], 8;", "4, 8 or 16 bytes");
  expect_refused("tex.2d.v4.f32.f32 {%r1, %r2, %r3, %r4}, [%rd1];", "coordinates");
  expect_refused("tex.2d.v4.f32.f32 {%r1, %r2, %r3, %r4}, [%rd1, {%r5}];", "another length");
  expect_refused("ld.global.u32 %r1, [%rd1, {%r5}];", "coordinates");
  expect_refused("bra NOWHERE;", "not defined");
  expect_refused("ld.global.u32 %r1, %rd1;", "brackets");
  expect_refused("mov.u32 %r1, missing;", "not declared");
  expect_refused("setp.hi.f32 %p1, %r1, %r2;", "does not go with");
  expect_refused("call missing;", "no function");
  expect_refused("add.u32 %p1, %r1, %r2;", "predicate");
  EXPECT_NE(refusal_of("hello").find("line 1"), std::string::npos);
  EXPECT_NE(refusal_of("").find("not PTX"), std::string::npos);
  EXPECT_NE(refusal_of(kernel_text("", "add.u32 %r1, %r2, %r3")).find("expected"), std::string::npos);
}

const char* sample = R"(
.version 8.7
.target sm_90
.address_size 64
.global .align 4 .b8 g[8] = {1, 2, 0xFF(g), -4};
.func (.param .b32 r) f(.param .b32 a) { .reg .b32 %r<3>; ld.param.b32 %r1, [a]; add.u32 %r2, %r1, (3*4)-1; st.param.b32 [r], %r2; ret; }
.visible .entry k(.param .u64 p, .param .align 8 .b8 q[24]) .maxntid 64, 1, 1
{
  .reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<5>; .shared .align 4 .b8 s[64];
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %tid.x;
  { .param .b32 x; .param .b32 y; st.param.b32 [x], %r1; call.uni (y), f, (x); ld.param.b32 %r2, [y]; }
  setp.lt.and.s32 %p1|%p2, %r1, %r2, !%p1;
  @!%p1 bra L;
  st.shared.v2.b32 [s+8], {%r1, %r2};
  bar.sync 0;
L: fma.rn.f32 %r3, %r1, 0f3F800000, %r2;
  shfl.sync.down.b32 %r4|%p1, %r3, 1, 31, -1;
  st.global.u32 [%rd1+4], %r4;
  ret;
}
)";

TEST(Refusal, MutatedAndTruncatedTextNeverCrashes) {
  const std::string text = sample;
  std::string log;
  const std::string_view whole[] = {text};
  ASSERT_TRUE(compile(whole, log) || log.find("64-bit element") != std::string::npos) << log;
  std::mt19937 random(5);
  for (std::size_t length = 0; length < text.size(); length += 7) {
    const std::string_view units[] = {std::string_view(text).substr(0, length)};
    compile(units, log);
  }
  static constexpr std::string_view kPieces[] = {
      ";",    "{",   "}", "(", ")", "[",    "]",      ",", ".", "%",  "-",  "0",  "99999999999999999999",
      "\xff", "\0",  "|", "!", "@", ".reg", ".param", "<", ">", "/*", "\"", "0f", "bra",
      "%r1",  "%p1", "_"};
  for (int i = 0; i < 600; ++i) {
    std::string mutated = text;
    for (int edits = 1 + static_cast<int>(random() % 3); edits > 0; --edits) {
      const std::size_t where = random() % mutated.size();
      const auto piece = kPieces[random() % std::size(kPieces)];
      switch (random() % 3) {
        case 0:
          mutated.insert(where, piece);
          break;
        case 1:
          mutated.erase(where, 1 + random() % 8);
          break;
        default:
          mutated[where] = static_cast<char>(random());
          break;
      }
    }
    const std::string_view units[] = {mutated};
    compile(units, log);
    log.clear();
  }
}

TEST(Refusal, DepthAndSizeAreBounded) {
  refusal_of(kernel_text("", "mov.u32 %r1, " + std::string(100000, '(') + "1;"));
  refusal_of(kernel_text("", std::string(100000, '{')));
  expect_refused("@" + std::string(10'000'000, '!') + "%p1 mov.u32 %r1, 1;", "expected a name");
  expect_refused("not.pred %p1, " + std::string(10'000'000, '!') + "%p2;", "'!' is for predicates");
  refusal_of(kernel_text("", ".local .b8 huge[99999999999];"));
  refusal_of(kernel_text("", ".reg .b32 %x<99999999999>;"));
  refusal_of(".version 8.0\n.target sm_90\n.global .b8 x[4] = " + std::string(100000, '{'));
}

TEST(Refusal, DamagedImages) {
  const std::string text = kernel_text(".param .u64 p", "mov.u32 %r1, 1;");
  const std::string_view units[] = {text};
  std::string log;
  const auto image = compile(units, log);
  ASSERT_TRUE(image) << log;
  EXPECT_TRUE(is_code_object(*image));
  EXPECT_FALSE(is_code_object(text));
  EXPECT_EQ(code_object_size(image->data()), image->size());
  const auto load = [&](std::string_view bytes) {
    return CodeObject::load(
        bytes, [](void*, std::size_t, std::size_t) -> void* { return nullptr; }, nullptr, log);
  };
  EXPECT_TRUE(load(*image)) << log;
  std::mt19937 random(6);
  for (int i = 0; i < 200; ++i) {
    std::string damaged = *image;
    damaged[random() % damaged.size()] ^= static_cast<char>(1 << random() % 8);
    EXPECT_FALSE(load(damaged));
    EXPECT_FALSE(load(std::string_view(*image).substr(0, random() % image->size())));
  }
}

}  // namespace
}  // namespace clcuda::ptx::testing
