// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimize/unswitch_uniform_loops.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include "support.h"

namespace clcuda::compiler {
namespace {

using testing::count;

// Runs the pass on the function, in a module of its own.
std::string unswitched(const char* text) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  const std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, problem, context);
  if (!module) return problem.getMessage().str();
  llvm::PassBuilder builder;
  llvm::FunctionAnalysisManager analyses;
  builder.registerFunctionAnalyses(analyses);
  UnswitchUniformLoops::run(*module->begin(), analyses);
  std::string result;
  llvm::raw_string_ostream stream(result);
  if (llvm::verifyModule(*module, &stream)) return "not well formed: " + result;
  module->print(stream, nullptr);
  return result;
}

// Simplification would merge the two branches of such a loop into one; the second condition may be divergent.
TEST(UnswitchUniformLoops, ThatCouldBeSimplifiedFurther) {
  const std::string result = unswitched(R"(
    define void @f(ptr %p, i32 %n, i1 %same, i32 %x) {
    entry:
      br label %head
    head:
      %i = phi i32 [ 0, %entry ], [ %next, %latch ]
      store volatile i32 %i, ptr %p
      br i1 %same, label %latch, label %side
    side:
      %other = icmp eq i32 %x, 3
      br i1 %other, label %latch, label %exit
    latch:
      %next = add i32 %i, 1
      %more = icmp slt i32 %next, %n
      br i1 %more, label %head, label %exit
    exit:
      ret void
    })");
  EXPECT_EQ(count(result, "store volatile"), 2U) << result;
  EXPECT_EQ(count(result, "freeze i1 %same"), 1U) << result;
}

TEST(UnswitchUniformLoops, NotThoseThatAreLeftInAnotherForm) {
  const std::string result = unswitched(R"(
    define i32 @f(ptr %p, i32 %n, i1 %same) {
    entry:
      br label %head
    head:
      %i = phi i32 [ 0, %entry ], [ %next, %latch ]
      store volatile i32 %i, ptr %p
      br i1 %same, label %latch, label %side
    side:
      store volatile i32 7, ptr %p
      br label %latch
    latch:
      %next = add i32 %i, 1
      %more = icmp slt i32 %next, %n
      br i1 %more, label %head, label %exit
    exit:
      ret i32 %next
    })");
  EXPECT_EQ(count(result, "store volatile"), 2U) << result;
  EXPECT_EQ(count(result, "freeze"), 0U) << result;
}

}  // namespace
}  // namespace clcuda::compiler
