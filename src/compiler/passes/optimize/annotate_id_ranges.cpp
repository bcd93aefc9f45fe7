// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimize/annotate_id_ranges.h"

#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include <array>
#include <cstdint>

#include "compiler/passes/kernel_functions.h"

namespace clcuda::compiler {
namespace {

constexpr std::array<std::uint64_t, 3> kMostInDimension = {1024, 1024, 64};
constexpr std::array<std::uint64_t, 3> kMostGroups = {(std::uint64_t{1} << 31) - 1, 65535, 65535};

using Sizes = std::array<std::uint64_t, 3>;  // 0 0 0: unknown

Sizes required_size(const llvm::Function& function) {
  Sizes sizes{};
  const llvm::MDNode* node = function.getMetadata("reqd_work_group_size");
  if (!node || node->getNumOperands() != 3) return sizes;
  for (unsigned i = 0; i < 3; ++i) {
    sizes[i] = llvm::mdconst::extract<llvm::ConstantInt>(node->getOperand(i))->getZExtValue();
  }
  return sizes;
}

std::string joined(const Sizes& sizes) {
  return std::to_string(sizes[0]) + "," + std::to_string(sizes[1]) + "," + std::to_string(sizes[2]);
}

// The range of a special register's values: from `first` up to, but not including, `end`.
struct Bounds {
  std::uint64_t first, end;
};

std::optional<Bounds> bounds_of(llvm::Intrinsic::ID id, const Sizes& size) {
  using namespace llvm::Intrinsic;
  const auto count = [&](int d) {
    return size[d] ? Bounds{size[d], size[d] + 1} : Bounds{1, kMostInDimension[d] + 1};
  };
  const auto index = [&](int d) { return Bounds{0, size[d] ? size[d] : kMostInDimension[d]}; };
  switch (id) {
    case nvvm_read_ptx_sreg_tid_x:
      return index(0);
    case nvvm_read_ptx_sreg_tid_y:
      return index(1);
    case nvvm_read_ptx_sreg_tid_z:
      return index(2);
    case nvvm_read_ptx_sreg_ntid_x:
      return count(0);
    case nvvm_read_ptx_sreg_ntid_y:
      return count(1);
    case nvvm_read_ptx_sreg_ntid_z:
      return count(2);
    case nvvm_read_ptx_sreg_ctaid_x:
      return Bounds{0, kMostGroups[0]};
    case nvvm_read_ptx_sreg_ctaid_y:
      return Bounds{0, kMostGroups[1]};
    case nvvm_read_ptx_sreg_ctaid_z:
      return Bounds{0, kMostGroups[2]};
    case nvvm_read_ptx_sreg_nctaid_x:
      return Bounds{1, kMostGroups[0] + 1};
    case nvvm_read_ptx_sreg_nctaid_y:
      return Bounds{1, kMostGroups[1] + 1};
    case nvvm_read_ptx_sreg_nctaid_z:
      return Bounds{1, kMostGroups[2] + 1};
    default:
      return std::nullopt;
  }
}

// The largest work-group that runs with any register count: a multiprocessor has 65 536 registers, a work-item at most 255.
constexpr std::uint64_t kMostItemsAtAnyRegisters = 256;

void bound_reads(llvm::Function& function, const Sizes& size) {
  for (llvm::BasicBlock& block : function) {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(block)) {
      auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (!call) continue;
      const auto bounds = bounds_of(call->getIntrinsicID(), size);
      if (!bounds) continue;
      if (bounds->end == bounds->first + 1) {
        call->replaceAllUsesWith(llvm::ConstantInt::get(call->getType(), bounds->first));
        call->eraseFromParent();
        continue;
      }
      call->addRangeRetAttr(
          llvm::ConstantRange(llvm::APInt(32, bounds->first), llvm::APInt(32, bounds->end)));
    }
  }
}

}  // namespace

llvm::PreservedAnalyses AnnotateIdRanges::run(llvm::Function& function,
                                              llvm::FunctionAnalysisManager&) const {
  Sizes size{};
  if (is_kernel(function)) {
    // In the general variant, work-groups at the edges may be smaller, and launching them with a required size would fail.
    const Sizes required = required_size(function);
    // Without a required size no directive is emitted: .maxntid would also limit the registers to what a full work-group leaves for each
    // work-item.
    if (required[0] && variant_ == Variant::uniform) size = required;
    // A work-group of 256 can be launched with any number of registers, and the runtime checks the size of launches, so up to that size no
    // directive is needed. It would do harm: with a directive, ptxas uses registers freely in relocatable code, which cuLink* produces (a
    // tiled sgemm used 119 registers instead of 32 and took 2.6 times as long).
    if (required[0] * required[1] * required[2] > kMostItemsAtAnyRegisters)
      function.addFnAttr(size[0] ? "nvvm.reqntid" : "nvvm.maxntid", joined(required));
  }
  bound_reads(function, size);
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
