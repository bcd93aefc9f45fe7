// SPDX-License-Identifier: Apache-2.0
#include <llvm/IR/Constants.h>
#include <llvm/IR/MDBuilder.h>

#include <unordered_set>

#include "compiler/spirv/families.h"
#include "compiler/spirv/function_reader.h"

namespace clcuda::compiler::spirv {
namespace {

llvm::Value* condition(FunctionReader& reader, std::uint32_t id) {
  llvm::Value* value = reader.value(id);
  require(value->getType()->isIntegerTy(1), "its condition is not boolean");
  return value;
}

void branch_conditionally(FunctionReader& reader, const Instruction& in) {
  llvm::MDNode* weights = nullptr;
  if (in.size() == 5 && (in[3] != 0 || in[4] != 0))
    weights = llvm::MDBuilder(reader.context()).createBranchWeights(in[3], in[4]);
  reader.builder().CreateCondBr(condition(reader, in[0]), reader.blocks().at(in[1]),
                                reader.blocks().at(in[2]), weights);
}

// Case literals have the width of the selector.
void switch_over(FunctionReader& reader, const Instruction& in) {
  llvm::Value* selector = reader.value(in[0]);
  auto* type = llvm::dyn_cast<llvm::IntegerType>(selector->getType());
  require(type && type->getBitWidth() > 1, "its selector is no integer");
  const std::size_t step = type->getBitWidth() > 32 ? 3 : 2;
  require((in.size() - 2) % step == 0, "a case is cut off");
  const auto count = static_cast<unsigned>((in.size() - 2) / step);
  llvm::SwitchInst* instruction = reader.builder().CreateSwitch(selector, reader.blocks().at(in[1]), count);
  std::unordered_set<std::uint64_t> known;
  for (std::size_t i = 2; i < in.size(); i += step) {
    const std::uint64_t literal = step == 3 ? in[i] | std::uint64_t{in[i + 1]} << 32 : in[i];
    const llvm::APInt number = llvm::APInt(64, literal).trunc(type->getBitWidth());
    require(known.insert(number.getZExtValue()).second, "two cases have the same literal");
    instruction->addCase(llvm::ConstantInt::get(reader.context(), number),
                         reader.blocks().at(in[i + step - 1]));
  }
}

void return_value(FunctionReader& reader, const Instruction& in) {
  llvm::Value* value = reader.value(in[0]);
  require(value->getType() == reader.function().getReturnType(), "the function gives another type back");
  reader.builder().CreateRet(value);
}

llvm::MDNode* hint(FunctionReader& reader, const char* name, std::optional<std::uint32_t> count = {}) {
  llvm::LLVMContext& context = reader.context();
  std::vector<llvm::Metadata*> parts = {llvm::MDString::get(context, name)};
  if (count) parts.push_back(llvm::ConstantAsMetadata::get(reader.builder().getInt32(*count)));
  return llvm::MDNode::get(context, parts);
}

// Records the hints for the loop whose header this block is: a LoopControlMask at operand `at`, followed by its numbers. Producers write a
// plain `#pragma unroll` as Unroll with a partial count of 1.
void set_loop(FunctionReader& reader, const Instruction& in, std::size_t at) {
  const std::uint32_t control = in[at++];
  const bool unrolls = control & LoopControlMask::Unroll;
  std::vector<llvm::Metadata*> hints = {nullptr};
  if (control & LoopControlMask::DontUnroll) hints.push_back(hint(reader, "llvm.loop.unroll.disable"));
  for (std::uint32_t bit = LoopControlMask::DependencyLength; bit <= LoopControlMask::PartialCount;
       bit <<= 1) {
    if (!(control & bit)) continue;
    const std::uint32_t number = in[at++];
    if (bit != LoopControlMask::PartialCount || number == 0) continue;
    hints.push_back(unrolls && number == 1 ? hint(reader, "llvm.loop.unroll.full")
                                           : hint(reader, "llvm.loop.unroll.count", number));
  }
  if (unrolls && hints.size() == 1) hints.push_back(hint(reader, "llvm.loop.unroll.enable"));
  if (hints.size() == 1) return;
  llvm::MDNode* loop = llvm::MDNode::getDistinct(reader.context(), hints);
  loop->replaceOperandWith(0, loop);
  reader.blocks().set_loop(loop);
}

// Reads the terminator of a block.
bool terminate(FunctionReader& reader, const Instruction& in) {
  switch (in.op()) {
    case Op::Branch:
      reader.builder().CreateBr(reader.blocks().at(in[0]));
      return true;
    case Op::BranchConditional:
      branch_conditionally(reader, in);
      return true;
    case Op::Switch:
      switch_over(reader, in);
      return true;
    case Op::Return:
      require(reader.function().getReturnType()->isVoidTy(), "the function gives a value back");
      reader.builder().CreateRetVoid();
      return true;
    case Op::ReturnValue:
      return_value(reader, in);
      return true;
    case Op::Unreachable:
      reader.builder().CreateUnreachable();
      return true;
    default:
      return false;
  }
}

}  // namespace

bool read_control_flow(FunctionReader& reader, const Instruction& instruction) {
  switch (instruction.op()) {
    case Op::Label:
      reader.blocks().begin(instruction.result());
      return true;
    case Op::Phi:
      reader.add_phi(instruction);
      return true;
    case Op::LoopMerge:
      (void)reader.blocks().at(instruction[0]);
      (void)reader.blocks().at(instruction[1]);
      set_loop(reader, instruction, 2);
      return true;
    case Op::LoopControlINTEL:
      set_loop(reader, instruction, 0);
      return true;
    case Op::SelectionMerge:
      return true;
    default:
      if (!terminate(reader, instruction)) return false;
      reader.blocks().end();
      return true;
  }
}

}  // namespace clcuda::compiler::spirv
