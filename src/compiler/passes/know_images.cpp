// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/know_images.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include <string>

#include "builtins/image_descriptor.h"

namespace clcuda::compiler {
namespace {

enum class Question : std::uint8_t { none, order, format, read_is_known };

Question question_of(const llvm::CallInst& call) {
  const llvm::Function* callee = call.getCalledFunction();
  if (!callee || !callee->isDeclaration()) return Question::none;
  llvm::StringRef name = callee->getName();
  if (!name.consume_front(image_question_prefix)) return Question::none;
  if (name == "order") return Question::order;
  return name == "format" ? Question::format : Question::read_is_known;
}

// The kernel's argument that the value is, also where a function that is called once hands it on.
llvm::Argument* kernel_argument(llvm::Value* value) {
  for (;;) {
    auto* argument = llvm::dyn_cast<llvm::Argument>(value->stripPointerCasts());
    if (!argument) return nullptr;
    llvm::Function* function = argument->getParent();
    if (is_kernel(*function)) return argument;
    if (!function->hasLocalLinkage() || !function->hasOneUse()) return nullptr;
    auto* call = llvm::dyn_cast<llvm::CallBase>(function->user_back());
    if (!call || call->getCalledFunction() != function) return nullptr;
    value = call->getArgOperand(argument->getArgNo());
  }
}

bool is_literal(const llvm::Value* sampler) {
  while (const auto* cast = llvm::dyn_cast<llvm::Operator>(sampler)) {
    if (cast->getOpcode() != llvm::Instruction::PtrToInt && cast->getOpcode() != llvm::Instruction::IntToPtr)
      return false;
    sampler = cast->getOperand(0);
  }
  return llvm::isa<llvm::ConstantInt>(sampler);
}

KnownImage known_of(const Lowering& lowering, const llvm::Argument& image) {
  if (lowering.variant != Variant::uniform) return {};
  if (!lowering.images) return {.order = CLCUDA_ORDER_RGBA};
  return image.getArgNo() < lowering.images->size() ? (*lowering.images)[image.getArgNo()] : KnownImage{};
}

// Kept in the argument's attribute: what of the image the code has asked for, and what it was taken to be.
void note(llvm::Argument& image, const KnownImage& known, Question question) {
  KnownImage noted = read_known_image(image);
  if (question == Question::format) {
    noted.asks_format = true;
    noted.format = known.format;
  } else {
    noted.asks_order = true;
    noted.order = known.order;
  }
  const std::string text = std::to_string(noted.asks_order) + " " + std::to_string(noted.order) + " " +
                           std::to_string(noted.asks_format) + " " + std::to_string(noted.format);
  image.getParent()->removeParamAttr(image.getArgNo(), known_image_attribute);
  image.addAttr(llvm::Attribute::get(image.getContext(), known_image_attribute, text));
}

llvm::Value* answer(llvm::CallInst& call, Question question, const Lowering& lowering,
                    llvm::Argument& image) {
  const KnownImage known = known_of(lowering, image);
  if (lowering.variant == Variant::uniform) note(image, known, question);
  switch (question) {
    case Question::order:
      return known.order ? llvm::ConstantInt::get(call.getType(), known.order) : call.getArgOperand(1);
    case Question::format:
      return known.format ? llvm::ConstantInt::get(call.getType(), known.format) : call.getArgOperand(1);
    default:
      return llvm::ConstantInt::getBool(call.getType(), known.order && is_literal(call.getArgOperand(1)));
  }
}

void replace(llvm::CallInst& call, llvm::Value* value) {
  call.replaceAllUsesWith(value);
  call.eraseFromParent();
}

}  // namespace

llvm::PreservedAnalyses KnowImages::run(llvm::Function& function, llvm::FunctionAnalysisManager&) const {
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    const Question question = call ? question_of(*call) : Question::none;
    if (question == Question::none) continue;
    llvm::Argument* image = kernel_argument(call->getArgOperand(0));
    if (!image) continue;
    replace(*call, answer(*call, question, *lowering_, *image));
    changed = true;
  }
  if (!changed) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

KnownImage read_known_image(const llvm::Argument& argument) {
  const llvm::Attribute attribute =
      argument.getParent()->getAttributes().getParamAttr(argument.getArgNo(), known_image_attribute);
  if (!attribute.isValid()) return {};
  llvm::SmallVector<llvm::StringRef> words;
  attribute.getValueAsString().split(words, ' ');
  KnownImage known;
  known.asks_order = words[0] == "1";
  words[1].getAsInteger(10, known.order);
  known.asks_format = words[2] == "1";
  words[3].getAsInteger(10, known.format);
  return known;
}

void settle_image_questions(llvm::Module& module, const Lowering&) {
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      const Question question = call ? question_of(*call) : Question::none;
      if (question == Question::none) continue;
      replace(*call, question == Question::read_is_known ? llvm::ConstantInt::getFalse(module.getContext())
                                                         : call->getArgOperand(1));
    }
}

}  // namespace clcuda::compiler
