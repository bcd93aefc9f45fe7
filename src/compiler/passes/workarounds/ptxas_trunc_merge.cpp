// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/workarounds/ptxas_trunc_merge.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/Hashing.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/Sequence.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

#include <cstddef>
#include <map>
#include <set>
#include <utility>

namespace clcuda::compiler {
namespace {

unsigned bits_of(const llvm::Value& value) { return value.getType()->getScalarSizeInBits(); }

// Conversions of 64-bit numbers to at most 32 bits: casts, and the library's intrinsics and inline PTX that convert with an explicit
// rounding mode.
bool is_conversion(const llvm::Instruction& each) {
  if (each.getNumOperands() == 0 || bits_of(each) > 32 || bits_of(*each.getOperand(0)) != 64) return false;
  if (llvm::isa<llvm::FPTruncInst, llvm::SIToFPInst, llvm::UIToFPInst, llvm::FPToSIInst, llvm::FPToUIInst>(
          each))
    return true;
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&each);
  return call && call->arg_size() == 1 && call->doesNotAccessMemory() &&
         (call->isInlineAsm() || llvm::isa<llvm::IntrinsicInst>(call));
}

// Finds numbers whose lower half is recognisably that of another number, or a constant.
class LowerHalves {
 public:
  explicit LowerHalves(const llvm::DataLayout& layout) : layout_(layout) {}

  bool is_shared(llvm::Value& value) {
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(value.getType());
    if (!vector) return is_borrowed(value);
    for (unsigned i = 0; i < vector->getNumElements(); ++i) {
      const llvm::Value* element = llvm::findScalarElement(&value, i);
      if (is_borrowed(element ? *element : value)) return true;
    }
    return false;
  }

 private:
  static constexpr unsigned kDeepest = 8, kDepthOfMerge = 3, kHalf = 32;
  // Limits on the comparisons for one function, and on the pairs that are assumed to be equal in one of them. Beyond these, lower halves
  // count as equal.
  static constexpr std::size_t kMostComparisons = 1'000'000, kMostAssumed = 10'000;
  using Pair = std::pair<const llvm::Value*, const llvm::Value*>;
  // Selects with one condition, or phis of one block, by the origins of what they merge.
  using Groups = std::map<std::size_t, llvm::SmallVector<const llvm::Value*, 1>>;

  // In a loop, a lower half that does not change from iteration to iteration counts as shared too.
  bool is_borrowed(const llvm::Value& value) {
    if (origin(value) != &value) return true;
    if (const auto* select = llvm::dyn_cast<llvm::SelectInst>(&value)) return has_twin(*select);
    const auto* phi = llvm::dyn_cast<llvm::PHINode>(&value);
    return phi && (has_twin(*phi) || llvm::any_of(phi->incoming_values(), [&](const llvm::Use& incoming) {
                     return origin(*incoming.get()) == phi;
                   }));
  }

  // Two selects or phis that merge the same lower halves in the same way have the same lower half.
  bool has_twin(const llvm::SelectInst& select) {
    const auto [groups, is_new] = groups_.try_emplace(select.getCondition());
    if (is_new)
      for (const llvm::User* user : select.getCondition()->users())
        if (const auto* other = llvm::dyn_cast<llvm::SelectInst>(user)) add(*other, groups->second);
    return has_twin(select, groups->second);
  }
  bool has_twin(const llvm::PHINode& phi) {
    const auto [groups, is_new] = groups_.try_emplace(phi.getParent());
    if (is_new)
      for (const llvm::PHINode& other : phi.getParent()->phis()) add(other, groups->second);
    return has_twin(phi, groups->second);
  }
  template <typename Merge>
  bool has_twin(const Merge& merge, const Groups& groups) {
    const auto group = groups.find(mark_of_merge(merge));
    return group != groups.end() && llvm::any_of(group->second, [&](const llvm::Value* other) {
             return other != &merge && is_twin(merge, *other);
           });
  }

  template <typename Merge>
  void add(const Merge& merge, Groups& groups) const {
    if (bits_of(merge) == 2 * kHalf) groups[mark_of_merge(merge)].push_back(&merge);
  }

  // Twins have the same mark. Phis of one block may list its predecessors in different orders.
  std::size_t mark_of_merge(const llvm::SelectInst& select) const {
    return static_cast<std::size_t>(
        llvm::hash_combine(mark(*select.getTrueValue()), mark(*select.getFalseValue())));
  }
  std::size_t mark_of_merge(const llvm::PHINode& phi) const {
    std::size_t sum = 0;
    for (const llvm::Use& value : phi.incoming_values())
      sum += static_cast<std::size_t>(llvm::hash_combine(phi.getIncomingBlock(value), mark(*value.get())));
    return sum;
  }
  // The same for equal lower halves: those with different origins are merged by one condition or in one block.
  const llvm::Value* mark(const llvm::Value& value) const {
    const llvm::Value* from = origin(value);
    if (const auto* select = llvm::dyn_cast_or_null<llvm::SelectInst>(from)) return select->getCondition();
    const auto* phi = llvm::dyn_cast_or_null<llvm::PHINode>(from);
    return phi ? phi->getParent() : from;
  }

  bool is_twin(const llvm::Value& merge, const llvm::Value& other) {
    std::set<Pair> assumed;  // pairs assumed to be equal, for cycles, until a difference is found
    return are_equally_merged(merge, other, assumed);
  }

  bool are_equally_merged(const llvm::Value& one, const llvm::Value& other, std::set<Pair>& assumed) {
    if (const auto *select = llvm::dyn_cast<llvm::SelectInst>(&one),
        *second = llvm::dyn_cast<llvm::SelectInst>(&other);
        select && second) {
      return select->getCondition() == second->getCondition() &&
             are_equal(*select->getTrueValue(), *second->getTrueValue(), assumed) &&
             are_equal(*select->getFalseValue(), *second->getFalseValue(), assumed);
    }
    const auto *phi = llvm::dyn_cast<llvm::PHINode>(&one), *second = llvm::dyn_cast<llvm::PHINode>(&other);
    return phi && second && phi->getParent() == second->getParent() &&
           llvm::all_of(llvm::seq(phi->getNumIncomingValues()), [&](unsigned i) {
             return are_equal(*phi->getIncomingValue(i), value_from(*phi->getIncomingBlock(i), i, *second),
                              assumed);
           });
  }

  // Phis of one block mostly list its predecessors in one order.
  static const llvm::Value& value_from(const llvm::BasicBlock& block, unsigned place,
                                       const llvm::PHINode& phi) {
    return phi.getIncomingBlock(place) == &block ? *phi.getIncomingValue(place)
                                                 : *phi.getIncomingValueForBlock(&block);
  }

  bool are_equal(const llvm::Value& one, const llvm::Value& other, std::set<Pair>& assumed) {
    if (++comparisons_ > kMostComparisons || assumed.size() > kMostAssumed) return true;
    const Pair origins(origin(one), origin(other));
    if (origins.first == origins.second || !assumed.insert(origins).second) return true;
    return origins.first && origins.second && are_equally_merged(*origins.first, *origins.second, assumed);
  }

  // The value from which the lower half was made; null if it is a constant.
  const llvm::Value* origin(const llvm::Value& value, unsigned depth = 0) const {
    const auto* made = llvm::dyn_cast<llvm::Operator>(&value);
    if (llvm::isa<llvm::Constant>(value) || is_empty(value)) return nullptr;
    if (!made || depth >= kDeepest) return &value;
    switch (made->getOpcode()) {
      case llvm::Instruction::ZExt:
      case llvm::Instruction::SExt:
        return made->getOperand(0);
      case llvm::Instruction::BitCast:
        if (bits_of(*made->getOperand(0)) != 2 * kHalf) return made->getOperand(0);
        [[fallthrough]];
      case llvm::Instruction::Freeze:
        return origin_of_same(value, *made->getOperand(0), depth);
      case llvm::Instruction::FNeg:
        return origin(*made->getOperand(0), depth + 1);
      case llvm::Instruction::Add:
      case llvm::Instruction::Or:
      case llvm::Instruction::Xor:
      case llvm::Instruction::Sub:
      case llvm::Instruction::Mul:
      case llvm::Instruction::And:
        return origin_of_sum(*made, depth);
      case llvm::Instruction::Select:
        return origin_of_merged(value, llvm::drop_begin(made->operands()), depth);
      case llvm::Instruction::PHI:
        return origin_of_merged(value, made->operands(), depth);
      case llvm::Instruction::Call:
        return origin_of_result(llvm::cast<llvm::CallBase>(*made), depth);
      default:
        return &value;
    }
  }

  // The origin of `value`, which has the bits of `of` in another type.
  const llvm::Value* origin_of_same(const llvm::Value& value, const llvm::Value& of, unsigned depth) const {
    const llvm::Value* found = origin(of, depth + 1);
    return found == &of ? &value : found;
  }

  // The common origin of merged values; the merge itself if they have different ones.
  template <typename Values>
  const llvm::Value* origin_of_merged(const llvm::Value& merge, const Values& values, unsigned depth) const {
    const llvm::Value* common = &merge;
    for (const llvm::Use& each : values) {
      const llvm::Value* found = origin(*each.get(), depth + kDepthOfMerge);
      if (found == &merge) continue;
      if (common != &merge && found != common) return &merge;
      common = found;
    }
    return common;
  }

  // After an operation with a constant that has an upper half, several results may have their lower halves in common.
  const llvm::Value* origin_of_sum(const llvm::Operator& sum, unsigned depth) const {
    const llvm::Value &one = *sum.getOperand(0), &other = *sum.getOperand(1);
    if (is_empty(other)) return origin(one, depth + 1);
    if (is_empty(one) && sum.getOpcode() != llvm::Instruction::Sub) return origin(other, depth + 1);
    return has_upper_half(one) || has_upper_half(other) ? nullptr : &sum;
  }

  const llvm::Value* origin_of_result(const llvm::CallBase& call, unsigned depth) const {
    switch (call.getIntrinsicID()) {
      case llvm::Intrinsic::nvvm_lohi_i2d:
        return call.getArgOperand(0);
      case llvm::Intrinsic::fabs:
      case llvm::Intrinsic::copysign:
        return origin(*call.getArgOperand(0), depth + 1);
      default:
        return &call;
    }
  }

  llvm::KnownBits known(const llvm::Value& value) const { return llvm::computeKnownBits(&value, layout_); }
  bool is_empty(const llvm::Value& value) const {
    return value.getType()->isIntOrIntVectorTy() && known(value).countMinTrailingZeros() >= kHalf;
  }
  static bool has_upper_half(const llvm::Value& value) {
    const llvm::APInt* number = nullptr;
    return llvm::PatternMatch::match(&value, llvm::PatternMatch::m_APInt(number)) &&
           !number->isSignedIntN(kHalf);
  }

  const llvm::DataLayout& layout_;
  llvm::DenseMap<const llvm::Value*, Groups> groups_;  // of conditions and blocks
  std::size_t comparisons_ = 0;
};

// A zero that ptxas does not recognise: bit 31 of lanemask_lt is never set, since no lane is lower than itself.
llvm::Value* unknown_zero(llvm::Function& function) {
  llvm::IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
  llvm::Value* lower_lanes = builder.CreateIntrinsic(llvm::Intrinsic::nvvm_read_ptx_sreg_lanemask_lt, {});
  return builder.CreateZExt(builder.CreateAShr(lower_lanes, 31), builder.getInt64Ty());
}

// Makes the lower half appear to depend on the upper one, so that ptxas recomputes it after a change of the upper half.
void tie_halves(llvm::Instruction& conversion, llvm::Value* zero) {
  llvm::IRBuilder<> builder(&conversion);
  llvm::Value* source = conversion.getOperand(0);
  llvm::Type* type = source->getType();
  if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
    zero = builder.CreateVectorSplat(vector->getNumElements(), zero);
  llvm::Value* bits = builder.CreateBitCast(source, zero->getType());
  bits = builder.CreateXor(bits, builder.CreateAnd(builder.CreateLShr(bits, 32), zero));
  conversion.setOperand(0, builder.CreateBitCast(bits, type));
}

}  // namespace

llvm::PreservedAnalyses PtxasTruncMerge::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  LowerHalves lower_halves(function.getDataLayout());
  llvm::SmallVector<llvm::Instruction*> conversions;
  for (llvm::Instruction& each : llvm::instructions(function))
    if (is_conversion(each) && lower_halves.is_shared(*each.getOperand(0))) conversions.push_back(&each);
  if (conversions.empty()) return llvm::PreservedAnalyses::all();
  llvm::Value* zero = unknown_zero(function);
  for (llvm::Instruction* each : conversions) tie_halves(*each, zero);
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
