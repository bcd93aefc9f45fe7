// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>
#include <llvm/Support/Alignment.h>

#include <cstdint>

namespace clcuda::compiler {

// The literal of a block (its header and the variables that it captures) as a kernel's parameter: its alignment, and its size limit in
// bytes. The limit leaves room for the other parameters; the parameter buffer has 4 KB.
inline constexpr llvm::Align kBlockLiteralAlignment = llvm::Align::Constant<16>();
inline constexpr std::uint64_t kMostBlockLiteralSize = 3584;

// Kernels that Clang makes of enqueued blocks take the block's literal by value, so that a launch copies it with the parameters and no
// literal need outlive the function that made it:
//
//   @__k_block_invoke_kernel(ptr %literal)    →  @__k_block_invoke_kernel(ptr byval([32 x i8]) align 16 %literal) "clcuda-block"
//
// Bodies of blocks that are only called directly are removed from the literals: a function whose address is taken could not get the launch
// record as a parameter (abi/lower_launch_record.h). `detailed_errors`: enqueue_kernel reports specific errors, as -g asks for. Throws
// ProgramError for a block that captures more than kMostBlockLiteralSize bytes. Does nothing in modules without blocks.
class LowerBlocks : public llvm::PassInfoMixin<LowerBlocks> {
 public:
  explicit LowerBlocks(bool detailed_errors) : detailed_errors_(detailed_errors) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) const;
  static bool isRequired() { return true; }

 private:
  bool detailed_errors_;
};

}  // namespace clcuda::compiler
