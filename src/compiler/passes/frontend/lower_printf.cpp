// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/frontend/lower_printf.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/IR/DebugLoc.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>

#include "base/printf_format.h"
#include "builtins/printf_record.h"
#include "compiler/passes/address_spaces.h"
#include "compiler/passes/frontend/printf_bounds.h"
#include "compiler/passes/frontend/string_candidates.h"
#include "compiler/passes/names.h"

namespace clcuda::compiler {
namespace {

// The largest record. The sum of what all work-items resident on a device can request at once stays below 2^32.
constexpr std::uint64_t kMostBytes = 8192;

// The letter of printf_record.h for a scalar's type, or 0.
char letter_of(llvm::Type* type) {
  if (type->isHalfTy() || type->isFloatTy() || type->isDoubleTy()) return 'd';
  if (type->isPointerTy()) return 'p';
  if (!type->isIntegerTy()) return 0;
  switch (type->getIntegerBitWidth()) {
    case 8:
      return 'c';
    case 16:
      return 'h';
    case 32:
      return 'i';
    case 64:
      return 'l';
    default:
      return 0;
  }
}

// Which arguments after the format some format converts by %s.
std::vector<bool> string_arguments(const std::vector<std::string>& formats, unsigned count) {
  std::vector<bool> strings(count, false);
  for (const std::string& format : formats) {
    std::string_view rest = format;
    for (unsigned i = 0; !rest.empty() && i < count;) {
      const PrintfPiece piece = next_printf_piece(rest);
      if (!piece.takes_argument()) continue;
      if (piece.conversion == 's') strings[i] = true;
      ++i;
    }
  }
  return strings;
}

class Printer {
 public:
  explicit Printer(llvm::Module& module) : module_(module) {}

  void lower(llvm::CallInst& call) {
    const auto formats = string_candidates(*call.getArgOperand(0));
    if (formats.empty() || std::ranges::any_of(formats, [](const auto* f) { return f->isNullValue(); }))
      return refuse(call, "the format of printf is not a string literal");
    std::vector<std::string> format_texts;
    for (const llvm::Constant* format : formats) format_texts.push_back(string_of(*format));
    if (!collect_values(call, format_texts)) return;
    const std::uint64_t size = printf_record_size(call);
    if (size > kMostBytes) return refuse(call, "printf with more than 8 KB of arguments");

    llvm::IRBuilder<> builder(&call);
    std::vector<std::int32_t> indices;
    indices.reserve(format_texts.size());
    for (const std::string& text : format_texts) indices.push_back(index_of(types_ + "\n" + text));
    llvm::Value* index = choose(builder, *call.getArgOperand(0), formats, indices);
    llvm::Value* record =
        builder.CreateCall(reserve(), {builder.getInt32(static_cast<std::uint32_t>(size)), index});
    llvm::Value* lost = builder.CreateIsNull(record);
    call.replaceAllUsesWith(builder.CreateSelect(lost, builder.getInt32(-1), builder.getInt32(0)));
    if (!values_.empty()) write_values(builder.CreateNot(lost), record, call);
    call.eraseFromParent();
  }

 private:
  std::string place_of(const llvm::CallInst& call) const {
    const llvm::DebugLoc& location = call.getDebugLoc();
    if (location) return "line " + std::to_string(location.getLine()) + ": ";
    llvm::StringRef name = call.getFunction()->getName();
    name.consume_front(kKernelBodyPrefix);
    return "in function '" + name.str() + "': ";
  }

  void refuse(const llvm::CallInst& call, const std::string& reason) { tell(call, reason, llvm::DS_Error); }

  void tell(const llvm::CallInst& call, const std::string& what, llvm::DiagnosticSeverity severity) {
    module_.getContext().diagnose(llvm::DiagnosticInfoGeneric(place_of(call) + what, severity));
  }

  std::int32_t index_of(const std::string& text) {
    const auto [entry, fresh] = indices_.try_emplace(text, static_cast<std::int32_t>(indices_.size()));
    if (fresh) {
      llvm::LLVMContext& context = module_.getContext();
      module_.getOrInsertNamedMetadata(kPrintfTextsMetadata)
          ->addOperand(llvm::MDNode::get(context, llvm::MDString::get(context, text)));
    }
    return entry->second;
  }

  // Collects in values_ the record's contents, 8 bytes each, and in types_ their letters.
  bool collect_values(llvm::CallInst& call, const std::vector<std::string>& formats) {
    values_.clear();
    types_.clear();
    llvm::IRBuilder<> builder(&call);
    const unsigned count = call.arg_size() - 1;
    const std::vector<bool> strings = string_arguments(formats, count);
    for (unsigned i = 0; i < count; ++i) {
      llvm::Value* value = call.getArgOperand(i + 1);
      const bool added = strings[i] && value->getType()->isPointerTy() ? add_string(builder, *value, call)
                                                                       : add_value(builder, *value, call);
      if (!added) return false;
    }
    return true;
  }

  bool add_value(llvm::IRBuilder<>& builder, llvm::Value& value, const llvm::CallInst& call) {
    const char letter = letter_of(value.getType()->getScalarType());
    if (!letter) {
      refuse(call, "printf with an argument of a type that cannot be printed");
      return false;
    }
    types_ += letter;
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(value.getType());
    if (!vector) {
      values_.push_back(widen(builder, &value));
      return true;
    }
    types_ += std::to_string(vector->getNumElements());
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      values_.push_back(widen(builder, builder.CreateExtractElement(&value, i)));
    return true;
  }

  static llvm::Value* widen(llvm::IRBuilder<>& builder, llvm::Value* value) {
    if (value->getType()->isFloatingPointTy()) return builder.CreateFPExt(value, builder.getDoubleTy());
    if (value->getType()->isPointerTy()) return builder.CreatePtrToInt(value, builder.getInt64Ty());
    return builder.CreateSExt(value, builder.getInt64Ty());
  }

  bool add_string(llvm::IRBuilder<>& builder, llvm::Value& value, const llvm::CallInst& call) {
    types_ += 's';
    const auto strings = string_candidates(value);
    if (strings.empty()) {
      tell(call, "%s of printf prints string literals only", llvm::DS_Warning);
      values_.push_back(builder.getInt64(~std::uint64_t{0}));
      return true;
    }
    std::vector<std::int32_t> indices;
    for (const llvm::Constant* string : strings)
      indices.push_back(string->isNullValue() ? -1 : index_of(string_of(*string)));
    values_.push_back(builder.CreateSExt(choose(builder, value, strings, indices), builder.getInt64Ty()));
    return true;
  }

  // Selects the index of the candidate that equals `value`.
  static llvm::Value* choose(llvm::IRBuilder<>& builder, llvm::Value& value,
                             llvm::ArrayRef<llvm::Constant*> candidates,
                             llvm::ArrayRef<std::int32_t> indices) {
    const auto number = [&](std::size_t i) {
      return builder.getInt32(static_cast<std::uint32_t>(indices[i]));
    };
    llvm::Value* index = number(0);
    for (std::size_t i = 1; i < candidates.size(); ++i)
      index = builder.CreateSelect(builder.CreateICmpEQ(&value, candidates[i]), number(i), index);
    return index;
  }

  llvm::FunctionCallee reserve() {
    llvm::LLVMContext& context = module_.getContext();
    llvm::Type* number = llvm::Type::getInt32Ty(context);
    return module_.getOrInsertFunction("__clcuda_printf_reserve",
                                       llvm::PointerType::get(context, kGlobalSpace), number, number);
  }

  void write_values(llvm::Value* reserved, llvm::Value* record, llvm::CallInst& call) {
    llvm::IRBuilder<> builder(llvm::SplitBlockAndInsertIfThen(reserved, &call, /*Unreachable=*/false));
    std::uint64_t offset = sizeof(clcuda_printf_record);
    for (llvm::Value* value : values_) {
      builder.CreateAlignedStore(value, builder.CreatePtrAdd(record, builder.getInt64(offset)),
                                 llvm::Align(8));
      offset += 8;
    }
  }

  llvm::Module& module_;
  llvm::StringMap<std::int32_t> indices_;
  llvm::SmallVector<llvm::Value*> values_;
  std::string types_;
};

}  // namespace

llvm::PreservedAnalyses LowerPrintf::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  llvm::Function* printf = module.getFunction("printf");
  if (!printf || !printf->isDeclaration() || !printf->isVarArg() || printf->arg_empty())
    return llvm::PreservedAnalyses::all();
  llvm::SmallVector<llvm::CallInst*> calls;
  for (llvm::Function& function : module) {  // in the order of the program, as are the diagnostics
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (call && call->getCalledFunction() == printf) calls.push_back(call);
    }
  }
  mark_printing_kernels(module, calls);
  Printer printer(module);
  for (llvm::CallInst* call : calls) printer.lower(*call);
  return llvm::PreservedAnalyses::none();
}

std::vector<std::string> take_printf_texts(llvm::Module& module) {
  std::vector<std::string> texts;
  llvm::NamedMDNode* list = module.getNamedMetadata(kPrintfTextsMetadata);
  if (!list) return texts;
  for (const llvm::MDNode* text : list->operands())
    texts.push_back(llvm::cast<llvm::MDString>(text->getOperand(0))->getString().str());
  list->eraseFromParent();
  return texts;
}

}  // namespace clcuda::compiler
