// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimize/suggest_full_unrolling.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <cstdint>

#include "compiler/passes/optimize/loop_shapes.h"

namespace clcuda::compiler {
namespace {

constexpr unsigned kMostWhenWhole = 700;  // limit on a loop's instructions after full unrolling

}  // namespace

llvm::PreservedAnalyses SuggestFullUnrolling::run(llvm::Loop& loop, llvm::LoopAnalysisManager&,
                                                  llvm::LoopStandardAnalysisResults& results,
                                                  llvm::LPMUpdater&) {
  const std::uint64_t trips = results.SE.getSmallConstantTripCount(&loop);
  if (trips > 1 && loop.isInnermost() && !has_own_wish(loop) && trips * size_of(loop) <= kMostWhenWhole)
    llvm::addStringMetadataToLoop(&loop, "llvm.loop.unroll.full");
  return llvm::PreservedAnalyses::all();
}

}  // namespace clcuda::compiler
