// SPDX-License-Identifier: Apache-2.0
#include "compiler/spirv/opencl_std.h"

#include <llvm/IR/Module.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/passes/address_spaces.h"
#include "compiler/spirv/builtin_call.h"
#include "compiler/spirv/refuse.h"

namespace clcuda::compiler::spirv {
namespace {

struct Row {
  OpenClStd instruction;
  std::string_view function;
  char result;
  std::string_view operands;
};

constexpr Row kRows[] = {
#define FUNCTION(instruction, function, result, operands) \
  {OpenClStd::instruction, #function, #result[0], #operands},
#include "compiler/spirv/opencl_std.def"
};

BuiltinType with_count(BuiltinType type, unsigned count) {
  type.elements = count;
  return type;
}

// The type of an operand, from its letter in opencl_std.def.
BuiltinType operand_type(char letter, llvm::Type* first, const llvm::Value* operand) {
  const unsigned count = elements_of(first);
  const bool is_floating = first->isFPOrFPVectorTy();
  const auto pointer = [&](const BuiltinType& type) { return pointer_to(type, pointer_space(operand)); };
  switch (letter) {
    case 'F':
      return pointer(number_type(first, Sign::with));
    case 'I':
      return pointer(with_count(kSignedInt, count));
    case 'i':
      return with_count(kSignedInt, count);
    case 'c':
      return integer(first->getScalarSizeInBits(), Sign::with, count);
    case 'm':
      return integer(first->getScalarSizeInBits(), Sign::without, elements_of(operand->getType()));
    case 'f':
      require(is_floating, "the first operand is not of floating-point numbers");
      return number_type(first, Sign::with);
    case 'g':
      return number_type(first, Sign::with);
    default:
      require(!is_floating, "the first operand is not of integers");
      return number_type(first, letter == 's' ? Sign::with : Sign::without);
  }
}

llvm::Type* floating_type(llvm::LLVMContext& context, unsigned bits) {
  return bits == 16   ? llvm::Type::getHalfTy(context)
         : bits == 32 ? llvm::Type::getFloatTy(context)
                      : llvm::Type::getDoubleTy(context);
}

llvm::Type* result_type(char letter, std::span<llvm::Value* const> operands) {
  llvm::Type* first = operands.front()->getType();
  llvm::LLVMContext& context = first->getContext();
  const unsigned bits = first->getScalarSizeInBits();
  switch (letter) {
    case 'e':
      return first->getScalarType();
    case 'i':
      return with_elements(llvm::Type::getInt32Ty(context), elements_of(first));
    case 'w':
      return with_elements(llvm::Type::getIntNTy(context, 2 * bits), elements_of(first));
    case 'n':
      require(bits >= 16, "there are no floating-point numbers of that width");
      return with_elements(floating_type(context, bits), elements_of(first));
    case 'm':
      return with_elements(first, elements_of(operands.back()->getType()));
    default:
      return first;
  }
}

// OpenCL C has the half_, native_ and fast_ functions in single precision only. For other types the precise functions are used.
std::string_view existing_function(std::string_view name, std::span<const BuiltinArgument> arguments) {
  if (has_builtin(name, arguments)) return name;
  for (const std::string_view prefix : {"half_", "native_", "fast_"}) {
    if (name.starts_with(prefix) && has_builtin(name.substr(prefix.size()), arguments))
      return name.substr(prefix.size());
  }
  return name;
}

}  // namespace

llvm::CallInst* call_opencl_std(llvm::IRBuilderBase& builder, OpenClStd instruction, llvm::Type* result,
                                std::span<llvm::Value* const> operands) {
  const auto* row = std::ranges::find(kRows, instruction, &Row::instruction);
  if (row == std::end(kRows)) return nullptr;
  require(operands.size() == row->operands.size(), "the number of operands is wrong");
  llvm::Type* first = operands.front()->getType();
  number_type(first, Sign::with);  // refuses types that are not numbers
  std::vector<BuiltinArgument> arguments;
  for (std::size_t i = 0; i < operands.size(); ++i)
    arguments.push_back({operand_type(row->operands[i], first, operands[i]), operands[i]});
  require(result == result_type(row->result, operands), "the result's type does not go with the operands");
  return call_builtin(
      builder, existing_function(row->function, arguments), result, arguments,
      row->operands.find_first_of("FI") == std::string_view::npos ? Effects::none : Effects::any);
}

llvm::CallInst* call_printf(llvm::IRBuilderBase& builder, llvm::Type* result,
                            std::span<llvm::Value* const> operands) {
  require(!operands.empty() && operands.front()->getType()->isPointerTy(), "the format is not a pointer");
  require(result->isIntegerTy(32), "the result is not an integer of 32 bits");
  std::vector<llvm::Value*> arguments(operands.begin(), operands.end());
  llvm::Type* format = builder.getPtrTy(kConstantSpace);
  if (arguments.front()->getType() != format)
    arguments.front() = builder.CreateAddrSpaceCast(arguments.front(), format);
  for (llvm::Value*& argument : arguments) {
    require(argument->getType()->isSingleValueType(), "an argument cannot be printed");
    // C's default argument promotion.
    if (argument->getType()->isHalfTy() || argument->getType()->isFloatTy())
      argument = builder.CreateFPExt(argument, builder.getDoubleTy());
  }
  auto* type = llvm::FunctionType::get(result, {format}, /*isVarArg=*/true);
  llvm::Module& module = *builder.GetInsertBlock()->getModule();
  llvm::CallInst* call = builder.CreateCall(type, &declare_builtin(module, "printf", type, {}), arguments);
  call->addFnAttr(llvm::Attribute::Convergent);
  call->addFnAttr(llvm::Attribute::NoUnwind);
  return call;
}

}  // namespace clcuda::compiler::spirv
