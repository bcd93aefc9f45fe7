// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimize/specialize_image_queries.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include <string>

#include "builtins/image_descriptor.h"
#include "compiler/compiled_program.h"
#include "compiler/passes/kernel_functions.h"
#include "compiler/passes/names.h"
#include "compiler/passes/preserved_analyses.h"

namespace clcuda::compiler {
namespace {

// The kernel argument that is the value, also if functions with a single call site pass it on.
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

// The images for which the code is compiled.
struct Kind {
  Variant variant;
  const std::vector<KnownImage>* images;

  KnownImage of(const llvm::Argument& image) const {
    if (variant != Variant::uniform) return {};
    if (!images) return {.order = CLCUDA_ORDER_RGBA};
    return image.getArgNo() < images->size() ? (*images)[image.getArgNo()] : KnownImage{};
  }
};

// Records in the argument's attribute which properties of the image the code uses, and the values that were assumed.
void note(llvm::Argument& image, const KnownImage& known, ImageQuery question) {
  KnownImage noted = read_known_image(image);
  if (question == ImageQuery::format) {
    noted.asks_format = true;
    noted.format = known.format;
  } else {
    noted.asks_order = true;
    noted.order = known.order;
  }
  const std::string text = std::to_string(noted.asks_order) + " " + std::to_string(noted.order) + " " +
                           std::to_string(noted.asks_format) + " " + std::to_string(noted.format);
  image.getParent()->removeParamAttr(image.getArgNo(), kNownImageAttribute);
  image.addAttr(llvm::Attribute::get(image.getContext(), kNownImageAttribute, text));
}

llvm::Value* answer(llvm::CallInst& call, ImageQuery question, const Kind& kind, llvm::Argument& image) {
  const KnownImage known = kind.of(image);
  if (kind.variant == Variant::uniform) note(image, known, question);
  switch (question) {
    case ImageQuery::order:
      return known.order ? llvm::ConstantInt::get(call.getType(), known.order) : call.getArgOperand(1);
    case ImageQuery::format:
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

llvm::PreservedAnalyses SpecializeImageQueries::run(llvm::Function& function,
                                                    llvm::FunctionAnalysisManager&) const {
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    const ImageQuery question = call ? image_query_of(*call) : ImageQuery::none;
    if (question == ImageQuery::none) continue;
    llvm::Argument* image = kernel_argument(call->getArgOperand(0));
    if (!image) continue;
    replace(*call, answer(*call, question, {variant_, images_}, *image));
    changed = true;
  }
  return control_flow_preserved(changed);
}

ImageQuery image_query_of(const llvm::CallInst& call) {
  const llvm::Function* callee = call.getCalledFunction();
  if (!callee || !callee->isDeclaration()) return ImageQuery::none;
  llvm::StringRef name = callee->getName();
  if (!name.consume_front(kImageQuestionPrefix)) return ImageQuery::none;
  if (name == "order") return ImageQuery::order;
  return name == "format" ? ImageQuery::format : ImageQuery::read_is_known;
}

KnownImage read_known_image(const llvm::Argument& argument) {
  const llvm::Attribute attribute =
      argument.getParent()->getAttributes().getParamAttr(argument.getArgNo(), kNownImageAttribute);
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

}  // namespace clcuda::compiler
