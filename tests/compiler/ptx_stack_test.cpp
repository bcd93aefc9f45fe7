// SPDX-License-Identifier: Apache-2.0
#include "compiler/ptx_stack.h"

#include <gtest/gtest.h>

#include <string>

namespace clcuda::compiler {
namespace {

std::string function(int number, int bytes) {
  return ".func f" + std::to_string(number) + "(\n)\n{\n\t.local .align 8 .b8 \t__local_depot" +
         std::to_string(number) + "[" + std::to_string(bytes) + "];\n\tmov.b64 %SPL, __local_depot" +
         std::to_string(number) + ";\n\tret;\n}\n";
}
std::string kernel(int number, int bytes) {
  std::string text = function(number, bytes);
  return ".visible .entry k" + text.substr(text.find('('));
}
constexpr char kCall[] = "\tprototype_0 : .callprototype ()_ ();\n";

TEST(PtxStack, OfCallsThroughPointersOnly) {
  const std::string text = function(0, 5000) + kernel(1, 300) + kernel(2, 200);
  EXPECT_EQ(stack_of_indirect_calls(text), 0u);
  const std::uint64_t bytes = stack_of_indirect_calls(text + kCall);
  EXPECT_GE(bytes, 5300u);
  EXPECT_LT(bytes, 5500u);
}

// A long chain of calls is of the largest functions.
TEST(PtxStack, OfManyFunctions) {
  std::string text = kCall;
  for (int i = 0; i < 1000; ++i) text += function(i, i % 100 == 0 ? 400 : 8);
  const std::uint64_t bytes = stack_of_indirect_calls(text);
  EXPECT_GE(bytes, 8 * 400u);
  EXPECT_LT(bytes, 10 * 400u);
}

TEST(PtxStack, OfAnyText) {
  for (const std::string text :
       {"", "\n", ".func", "__local_depot", ".local __local_depot0[", ".local __local_depot0[x]"})
    EXPECT_EQ(stack_of_indirect_calls(text), 0u);
  EXPECT_EQ(stack_of_indirect_calls(".callprototype\n.local __local_depot0[77]"), 0u);
}

}  // namespace
}  // namespace clcuda::compiler
