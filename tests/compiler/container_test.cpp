// SPDX-License-Identifier: Apache-2.0
// Program binaries: what was written is read again, and other bytes are rejected.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstring>
#include <random>

#include "support.h"

namespace clcuda::compiler {
namespace {

using testing::built;

constexpr std::size_t kHeader = 32, kSizePlace = 16, kChecksumPlace = 24;

const std::string& good() {
  static const std::string bytes = serialize(
      built("constant int table[] = {1, 2, 3};\n"
            "kernel void k(global int* a, local float4* l, constant int* c, int4 v) { a[0] = c[0] + v.x + "
            "table[v.y & 1];"
            " l[0] = 1; }\n"
            "kernel __attribute__((reqd_work_group_size(4, 2, 1))) void m(float x) { printf(\"%f\", x); }"));
  return bytes;
}

std::mt19937_64& random_engine() {
  static std::mt19937_64 engine = [] {
    const auto seed = std::random_device{}();
    ::testing::Test::RecordProperty("random_seed", std::to_string(seed));
    return std::mt19937_64(seed);
  }();
  return engine;
}

// Changes a few bytes of the fields and corrects size and checksum.
std::string forged(std::string bytes) {
  for (auto changes = random_engine()() % 4 + 1; changes > 0; --changes) {
    const std::size_t place = kHeader + random_engine()() % (bytes.size() - kHeader);
    if (random_engine()() % 8 == 0)
      bytes.erase(place, random_engine()() % 64);
    else
      bytes[place] = static_cast<char>(random_engine()());
  }
  const std::uint64_t size = bytes.size() - kHeader, checksum = XXH3_64bits(bytes.data() + kHeader, size);
  std::memcpy(bytes.data() + kSizePlace, &size, sizeof size);
  std::memcpy(bytes.data() + kChecksumPlace, &checksum, sizeof checksum);
  return bytes;
}

TEST(Container, RoundTrip) {
  const auto program = parse(good());
  ASSERT_TRUE(program);
  EXPECT_EQ(good(), serialize(*program));
  ASSERT_EQ(2u, program->kernels.size());
  EXPECT_EQ("k", program->kernels[0].name);
  EXPECT_EQ(4u, program->kernels[1].required_work_group_size[0]);
  EXPECT_EQ("float4*", program->kernels[0].arguments[1].type_name);
}

// The text in a binary is compiled, never read as bitcode, and gives the same code.
TEST(Container, TextsMakeTheSameCode) {
  const CompiledProgram program = built(
      "kernel void k(global float* a) { a[get_global_id(0)] += sin(a[1]); }\n"
      "kernel void p(float x) { printf(\"%f\", x); printf(\"x\"); }");
  const auto read = parse(serialize(program));
  ASSERT_TRUE(read);
  EXPECT_FALSE(program.bitcode.empty());
  EXPECT_TRUE(read->bitcode.empty());
  const VariantOutcome one = make_general_variant(program), other = make_general_variant(*read);
  ASSERT_EQ(other.status, Status::success) << other.log;
  EXPECT_EQ(one.code.ptx, other.code.ptx);
}

TEST(Container, TextOfAnotherProgramIsRefused) {
  auto read = parse(serialize(built("kernel void k(global float* a) { a[0] = 1; }")));
  ASSERT_TRUE(read);
  for (const char* other :
       {"kernel void k(global float* a, int b) { a[0] = b; }", "kernel void l(global float* a) {}",
        "kernel void k(global float* a) { printf(\"%f\", a[0]); }", "kernel void", ""}) {
    read->translations[0].source = other;
    const VariantOutcome outcome = make_general_variant(*read);
    EXPECT_EQ(outcome.status, Status::failure) << other;
    EXPECT_FALSE(outcome.log.empty()) << other;
  }
}

TEST(Container, RefusesEveryLengthButItsOwn) {
  for (std::size_t size = 0; size < good().size(); size += 1 + size / 64)
    EXPECT_FALSE(parse(std::string_view(good()).substr(0, size))) << size;
  EXPECT_FALSE(parse(good() + '\0'));
}

TEST(Container, RefusesEveryChangedBit) {
  for (int i = 0; i < 2000; ++i) {
    std::string bytes = good();
    bytes[random_engine()() % bytes.size()] ^= static_cast<char>(1u << random_engine()() % 8);
    EXPECT_FALSE(parse(bytes));
  }
}

// Valid as a container but with changed contents: if it is accepted, the layout of its arguments must be consistent.
TEST(Container, WhatIsReadIsConsistent) {
  int read = 0;
  for (int i = 0; i < 5000; ++i) {
    const auto program = parse(forged(good()));
    if (!program) continue;
    ++read;
    ASSERT_EQ(program->kernels.size(), program->uniform.kernels.size());
    for (const KernelInfo& kernel : program->kernels) {
      for (const ArgumentInfo& argument : kernel.arguments) {
        ASSERT_LE(std::uint64_t{argument.offset} + argument.parameter_size, kernel.parameter_size);
        if (argument.kind == ArgumentKind::value) ASSERT_LE(argument.size, argument.parameter_size);
      }
    }
  }
  EXPECT_GT(read, 0);
}

}  // namespace
}  // namespace clcuda::compiler
