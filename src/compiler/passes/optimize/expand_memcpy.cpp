// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimize/expand_memcpy.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

#include <algorithm>

namespace clcuda::compiler {
namespace {

constexpr unsigned kLongestWord = 4;          // bytes; LLVM merges adjacent words
constexpr unsigned kWordsAtOnce = 16;         // all of them loaded before the first is stored
constexpr std::uint64_t kMostStraight = 512;  // bytes; longer blocks become loops

// A copy or fill of `size` bytes, which is replaced by loads and stores inserted before it.
class Block {
 public:
  Block(llvm::MemIntrinsic& whole, std::uint64_t size)
      : whole_(whole), copy_(llvm::dyn_cast<llvm::MemTransferInst>(&whole)), size_(size) {
    const llvm::DataLayout& layout = whole.getDataLayout();
    to_ = {whole.getDest(),
           std::max(whole.getDestAlign().valueOrOne(), llvm::getKnownAlignment(whole.getDest(), layout))};
    if (copy_)
      from_ = {copy_->getSource(), std::max(copy_->getSourceAlign().valueOrOne(),
                                            llvm::getKnownAlignment(copy_->getSource(), layout))};
    word_ = static_cast<unsigned>(std::min<std::uint64_t>(kLongestWord, to_.align.value()));
    if (copy_) word_ = static_cast<unsigned>(std::min<std::uint64_t>(word_, from_.align.value()));
  }

  // If source and destination may overlap, all words must be loaded before the first is stored.
  bool may_be_divided() const { return !overlaps() || size_ <= word_ * kWordsAtOnce; }

  void write() {
    const std::uint64_t turn = std::uint64_t{word_} * kWordsAtOnce;
    std::uint64_t done = 0;
    if (size_ > kMostStraight) {
      const std::uint64_t turns = size_ / turn;
      llvm::IRBuilder<> builder(&whole_);
      const auto [body, index] =
          llvm::SplitBlockAndInsertSimpleForLoop(builder.getInt64(turns), whole_.getIterator());
      builder.SetInsertPoint(body);
      write_words(builder, builder.CreateMul(index, builder.getInt64(turn)), words_between(0, turn));
      done = turns * turn;
    }
    llvm::IRBuilder<> builder(&whole_);
    const llvm::SmallVector<Word> words = words_between(done, size_);
    const std::size_t at_once = overlaps() ? words.size() : kWordsAtOnce;
    for (std::size_t first = 0; first < words.size(); first += at_once)
      write_words(builder, builder.getInt64(0),
                  llvm::ArrayRef(words).slice(first, std::min(at_once, words.size() - first)));
  }

 private:
  struct Side {
    llvm::Value* address = nullptr;
    llvm::Align align;
  };
  struct Word {
    std::uint64_t offset;
    unsigned bytes;
  };

  bool overlaps() const { return llvm::isa<llvm::MemMoveInst>(whole_); }

  // Words as long as the alignment allows, and shorter ones for the remaining bytes at the end.
  llvm::SmallVector<Word> words_between(std::uint64_t offset, std::uint64_t end) const {
    llvm::SmallVector<Word> words;
    for (unsigned bytes = word_; offset < end; bytes /= 2)
      for (; end - offset >= bytes; offset += bytes) words.push_back({offset, bytes});
    return words;
  }

  // Writes words at offsets from byte `base`, which is a multiple of the bytes of one iteration.
  void write_words(llvm::IRBuilder<>& builder, llvm::Value* base, llvm::ArrayRef<Word> words) {
    llvm::SmallVector<llvm::Value*> values;
    const auto at = [&](const Side& side, const Word& word) {
      return builder.CreatePtrAdd(side.address, builder.CreateAdd(base, builder.getInt64(word.offset)));
    };
    const auto align = [&](const Side& side, const Word& word) {
      const llvm::Align of_turn = llvm::commonAlignment(side.align, std::uint64_t{word_} * kWordsAtOnce);
      return llvm::commonAlignment(llvm::isa<llvm::Constant>(base) ? side.align : of_turn, word.offset);
    };
    for (const Word& word : words) {
      llvm::Type* const type = builder.getIntNTy(8 * word.bytes);
      values.push_back(copy_ ? builder.CreateAlignedLoad(type, at(from_, word), align(from_, word))
                             : repeated_byte(builder, type));
    }
    for (const auto& [word, value] : llvm::zip_equal(words, values))
      builder.CreateAlignedStore(value, at(to_, word), align(to_, word));
  }

  llvm::Value* repeated_byte(llvm::IRBuilder<>& builder, llvm::Type* type) const {
    llvm::Value* byte = builder.CreateZExt(llvm::cast<llvm::MemSetInst>(whole_).getValue(), type);
    return builder.CreateMul(byte, llvm::ConstantInt::get(type, 0x0101'0101u, false, true));
  }

  llvm::MemIntrinsic& whole_;
  llvm::MemTransferInst* const copy_;  // null for a fill
  const std::uint64_t size_;
  Side to_, from_;
  unsigned word_ = 1;
};

}  // namespace

llvm::PreservedAnalyses ExpandMemcpy::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  llvm::SmallVector<llvm::MemIntrinsic*> all;
  for (llvm::Instruction& each : llvm::instructions(function))
    if (auto* found = llvm::dyn_cast<llvm::MemIntrinsic>(&each); found && !found->isVolatile())
      all.push_back(found);
  bool changed = false;
  for (llvm::MemIntrinsic* each : all) {
    const auto* size = llvm::dyn_cast<llvm::ConstantInt>(each->getLength());
    if (!size) continue;
    Block block(*each, size->getZExtValue());
    if (!block.may_be_divided()) continue;
    block.write();
    each->eraseFromParent();
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clcuda::compiler
