// SPDX-License-Identifier: Apache-2.0
#include "compiler/spirv/block_order.h"

#include <algorithm>
#include <cstddef>
#include <unordered_map>

namespace clcuda::compiler::spirv {
namespace {

bool ends_block(Op op) {
  switch (op) {
    case Op::Branch:
    case Op::BranchConditional:
    case Op::Switch:
    case Op::Return:
    case Op::ReturnValue:
    case Op::Unreachable:
    case Op::Kill:
      return true;
    default:
      return false;
  }
}

class BlockOrder {
 public:
  using Width = std::function<std::optional<std::uint32_t>(std::uint32_t)>;

  BlockOrder(const std::vector<Instruction>& body, const Width& width) : width_(width) {
    const Instruction* begin = body.data();
    for (const Instruction& instruction : body) {
      if (instruction.op() == Op::Label) labels_.try_emplace(instruction.result(), blocks_.size());
      if (!ends_block(instruction.op())) continue;
      blocks_.emplace_back(begin, &instruction + 1);
      begin = &instruction + 1;
    }
    rest_ = {begin, body.data() + body.size()};
  }

  std::vector<std::span<const Instruction>> take() {
    std::vector<bool> seen(blocks_.size(), false);
    std::vector<std::span<const Instruction>> order;
    if (!blocks_.empty()) visit(seen);
    std::ranges::reverse(finished_);
    for (const std::size_t block : finished_) order.push_back(blocks_[block]);
    // Unreachable blocks, and whatever follows the last block.
    for (std::size_t block = 0; block < blocks_.size(); ++block)
      if (!seen[block]) order.push_back(blocks_[block]);
    if (!rest_.empty()) order.push_back(rest_);
    return order;
  }

 private:
  struct Step {
    std::size_t block, next;
    std::vector<std::size_t> successors;
  };

  // Depth first from the entry, without recursion: there may be as many blocks as a module has words.
  void visit(std::vector<bool>& seen) {
    std::vector<Step> path;
    const auto enter = [&](std::size_t block) {
      seen[block] = true;
      path.push_back({block, 0, successors(blocks_[block].back())});
    };
    enter(0);
    while (!path.empty()) {
      Step& step = path.back();
      if (step.next == step.successors.size()) {
        finished_.push_back(step.block);
        path.pop_back();
        continue;
      }
      // The last successor first: after the reversal the first one comes first, as in the module.
      const std::size_t successor = step.successors[step.successors.size() - ++step.next];
      if (!seen[successor]) enter(successor);
    }
  }

  std::vector<std::size_t> successors(const Instruction& end) const {
    std::vector<std::size_t> result;
    const auto add = [&](std::size_t operand) {
      const auto label = operand < end.size() ? labels_.find(end[operand]) : labels_.end();
      if (label != labels_.end() && label->second < blocks_.size()) result.push_back(label->second);
    };
    if (end.op() == Op::Branch) add(0);
    if (end.op() == Op::BranchConditional) add(1), add(2);
    if (end.op() == Op::Switch && end.size() > 0) {
      const std::size_t step = width_(end[0]).value_or(32) > 32 ? 3 : 2;
      for (std::size_t operand = 1; operand < end.size(); operand += step) add(operand);
    }
    return result;
  }

  const Width& width_;
  std::unordered_map<std::uint32_t, std::size_t> labels_;
  std::vector<std::span<const Instruction>> blocks_;
  std::span<const Instruction> rest_;
  std::vector<std::size_t> finished_;
};

}  // namespace

std::vector<std::span<const Instruction>> blocks_in_order(
    const std::vector<Instruction>& body,
    const std::function<std::optional<std::uint32_t>(std::uint32_t)>& width) {
  return BlockOrder(body, width).take();
}

}  // namespace clcuda::compiler::spirv
