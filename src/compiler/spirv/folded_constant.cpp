// SPDX-License-Identifier: Apache-2.0
#include "compiler/spirv/folded_constant.h"

#include <llvm/IR/Constants.h>

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "compiler/spirv/function_reader.h"
#include "compiler/spirv/late_constants.h"

namespace clcuda::compiler::spirv {
namespace {

// Instructions that compute a value from values only (section 3.42.7, and those that kernels may use in addition).
bool is_foldable(Op op) {
  switch (op) {
    case Op::VectorShuffle:
    case Op::CompositeExtract:
    case Op::CompositeInsert:
    case Op::AccessChain:
    case Op::InBoundsAccessChain:
    case Op::PtrAccessChain:
    case Op::InBoundsPtrAccessChain:
    case Op::UntypedAccessChainKHR:
    case Op::UntypedInBoundsAccessChainKHR:
    case Op::UntypedPtrAccessChainKHR:
    case Op::UntypedInBoundsPtrAccessChainKHR:
    case Op::Select:
      return true;
    default:
      return (op >= Op::ConvertFToU && op <= Op::Bitcast) || (op >= Op::SNegate && op <= Op::FMod) ||
             (op >= Op::LogicalEqual && op <= Op::SGreaterThanEqual && op != Op::Select) ||
             (op >= Op::UGreaterThan && op <= Op::FUnordGreaterThanEqual) ||
             (op >= Op::ShiftRightLogical && op <= Op::Not);
  }
}

struct Erase {
  void operator()(llvm::Function* function) const { function->eraseFromParent(); }
};

// Reads the instruction in a scratch function: LLVM's builder folds most instructions with constant operands to constants.
llvm::Constant* constant_of(ModuleReader& reader, const Instruction& instruction) {
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(reader.context()), false);
  const std::unique_ptr<llvm::Function, Erase> function(
      llvm::Function::Create(type, llvm::Function::InternalLinkage, "", reader.module()));
  FunctionReader scratch(reader, *function);
  scratch.builder().SetInsertPoint(llvm::BasicBlock::Create(reader.context(), "", function.get()));
  scratch.read(instruction);
  const Value* result = scratch.find(instruction.result());
  return result ? llvm::dyn_cast_or_null<llvm::Constant>(result->value) : nullptr;
}

}  // namespace

llvm::Constant* fold(ModuleReader& reader, const Instruction& instruction) {
  const Op op = static_cast<Op>(instruction[0]);
  if (!is_foldable(op)) refuse("constants cannot be made by " + name_of(op));
  std::vector<std::uint32_t> words = {static_cast<std::uint32_t>(op), instruction.type(),
                                      instruction.result()};
  const auto operands = instruction.operands_from(1);
  words.insert(words.end(), operands.begin(), operands.end());
  const Instruction made(instruction.number(), words);
  check_operands(op, made.operands());

  const auto is_postponed = [&](std::uint32_t id) { return reader.postponed(id) != nullptr; };
  llvm::Constant* constant = std::ranges::any_of(constants_used(op, made.operands()), is_postponed)
                                 ? nullptr
                                 : constant_of(reader, made);
  if (!constant) reader.postpone(instruction.number(), std::move(words));
  return constant;
}

}  // namespace clcuda::compiler::spirv
