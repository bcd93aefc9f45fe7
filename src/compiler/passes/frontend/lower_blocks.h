// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>
#include <llvm/Support/Alignment.h>

#include <cstdint>

namespace clcuda::compiler {

// A block's literal as a parameter: how it is aligned, and what it may hold (of 4 KB of parameters in all).
inline constexpr llvm::Align kBlockLiteralAlignment = llvm::Align::Constant<16>();
inline constexpr std::uint64_t kMostBlockLiteralSize = 3584;

// The kernels that Clang makes of enqueued blocks take the block's literal by value: a launch copies its
// parameters, so that no literal has to outlive the function that made it. Blocks that are called by name
// only are taken out of their literals, as a function whose address is kept could not be given the launch
// record. `detailed_errors`: enqueue_kernel says why it fails. Throws Refusal for a block that captures too
// much. Does nothing in modules without blocks.
class LowerBlocks : public llvm::PassInfoMixin<LowerBlocks> {
 public:
  explicit LowerBlocks(bool detailed_errors) : detailed_errors_(detailed_errors) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) const;
  static bool isRequired() { return true; }

 private:
  bool detailed_errors_;
};

}  // namespace clcuda::compiler
