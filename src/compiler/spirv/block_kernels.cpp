// SPDX-License-Identifier: Apache-2.0
#include "compiler/spirv/block_kernels.h"

#include <llvm/IR/CallingConv.h>

#include <string>
#include <vector>

#include "compiler/passes/address_spaces.h"
#include "compiler/passes/frontend/lower_blocks.h"
#include "compiler/spirv/builtin_call.h"
#include "compiler/spirv/function_reader.h"

namespace clcuda::compiler::spirv {
namespace {

// The members of a block literal in Clang's layout: size, alignment, the block's function, and the captured variables.
enum Member : unsigned { size_member, alignment_member, function_member, captured_member };

llvm::StructType* literal_type(llvm::LLVMContext& context, std::uint64_t captured) {
  auto* word = llvm::Type::getInt32Ty(context);
  auto* bytes = llvm::ArrayType::get(llvm::Type::getInt8Ty(context), captured);
  return llvm::StructType::get(context, {word, word, llvm::PointerType::get(context, kGenericSpace), bytes});
}

llvm::Function& enqueued_function(FunctionReader& reader, std::uint32_t id,
                                  std::optional<std::size_t> local_count) {
  const FunctionText* text = reader.module().function(id);
  require(text && text->function, "what is to run is not a function");
  llvm::Function& function = *text->function;
  require(function.getReturnType()->isVoidTy() && function.arg_size() > 0,
          "the function to run is of a wrong type");
  for (const llvm::Argument& argument : function.args()) {
    const unsigned wanted = argument.getArgNo() == 0 ? kGenericSpace : kLocalSpace;
    require(argument.getType() == llvm::PointerType::get(function.getContext(), wanted),
            "the function to run takes something else than an address and addresses of local memory");
  }
  require(!local_count || function.arg_size() == *local_count + 1,
          "the function to run takes another number of addresses of local memory");
  return function;
}

llvm::Function& make_function(llvm::Module& module, const std::string& name,
                              llvm::GlobalValue::LinkageTypes linkage, const llvm::Function& like) {
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(module.getContext()),
                                       like.getFunctionType()->params(), false);
  auto* function = llvm::Function::Create(type, linkage, name, module);
  for (const llvm::StringRef attribute : {"target-cpu", "target-features", "no-trapping-math"})
    if (like.hasFnAttribute(attribute)) function->addFnAttr(like.getFnAttribute(attribute));
  function->addFnAttr(llvm::Attribute::Convergent);
  function->addFnAttr(llvm::Attribute::NoUnwind);
  return *function;
}

// Makes a function that passes all its arguments to `callee`, the first one advanced by `offset` bytes.
void hand_on(llvm::Function& function, llvm::Function& callee, std::uint64_t offset) {
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(function.getContext(), "entry", &function));
  std::vector<llvm::Value*> arguments;
  for (llvm::Argument& argument : function.args()) arguments.push_back(&argument);
  if (offset != 0) arguments.front() = builder.CreatePtrAdd(arguments.front(), builder.getInt64(offset));
  llvm::CallInst* call = builder.CreateCall(callee.getFunctionType(), &callee, arguments);
  call->setCallingConv(callee.getCallingConv());
  builder.CreateRetVoid();
}

struct Functions {
  llvm::Function* body;
  llvm::Function* kernel;
};

Functions functions_for(llvm::Function& enqueued, std::uint32_t id, std::uint64_t captured) {
  llvm::Module& module = *enqueued.getParent();
  const std::string name = "__" + std::to_string(id) + "_" + std::to_string(captured) + "_block_invoke";
  if (llvm::Function* body = module.getFunction(name)) {
    llvm::Function* kernel = module.getFunction(name + "_kernel");
    require(body->hasInternalLinkage() && kernel && kernel->getCallingConv() == llvm::CallingConv::PTX_Kernel,
            "the module has something else under the name of a block");
    return {body, kernel};
  }
  require(!module.getNamedValue(name) && !module.getNamedValue(name + "_kernel"),
          "the module has something else under the name of a block");
  llvm::Function& body = make_function(module, name, llvm::GlobalValue::InternalLinkage, enqueued);
  const auto* layout = module.getDataLayout().getStructLayout(literal_type(module.getContext(), captured));
  hand_on(body, enqueued, layout->getElementOffset(captured_member));
  llvm::Function& kernel =
      make_function(module, name + "_kernel", llvm::GlobalValue::ExternalLinkage, enqueued);
  kernel.setCallingConv(llvm::CallingConv::PTX_Kernel);
  hand_on(kernel, body, 0);
  return {&body, &kernel};
}

// The size of the data that the function is passed.
std::uint64_t captured_size(FunctionReader& reader, const Invocation& invocation) {
  const auto size = reader.integer(invocation.size);
  require(size.has_value(), "the size of its parameter is not a constant");
  require(*size <= kMostBlockLiteralSize, "its parameter is too large");
  return *size;
}

llvm::Align parameter_alignment(FunctionReader& reader, const Invocation& invocation) {
  const auto alignment = reader.integer(invocation.alignment);
  return alignment && llvm::isPowerOf2_64(*alignment) && *alignment <= 128 ? llvm::Align(*alignment)
                                                                           : llvm::Align(1);
}

}  // namespace

Block make_block(FunctionReader& reader, const Invocation& invocation,
                 std::optional<std::size_t> local_count) {
  llvm::IRBuilder<>& builder = reader.builder();
  const std::uint64_t captured = captured_size(reader, invocation);
  llvm::Function& enqueued = enqueued_function(reader, invocation.function, local_count);
  const Functions functions = functions_for(enqueued, invocation.function, captured);
  llvm::StructType* type = literal_type(reader.context(), captured);
  const std::uint64_t head =
      reader.module().module().getDataLayout().getStructLayout(type)->getElementOffset(captured_member);
  llvm::AllocaInst* literal = reader.allocate(type, kBlockLiteralAlignment);
  const auto set = [&](unsigned member, llvm::Value* value) {
    builder.CreateStore(value, builder.CreateStructGEP(type, literal, member));
  };
  set(size_member, builder.getInt32(static_cast<std::uint32_t>(head + captured)));
  set(alignment_member, builder.getInt32(static_cast<std::uint32_t>(kBlockLiteralAlignment.value())));
  set(function_member, functions.body);
  if (captured != 0) {
    llvm::Value* from = to_generic(builder, reader.value(invocation.parameter));
    builder.CreateMemCpy(builder.CreateStructGEP(type, literal, captured_member), kBlockLiteralAlignment,
                         from, parameter_alignment(reader, invocation), captured);
  }
  return {functions.kernel, literal};
}

}  // namespace clcuda::compiler::spirv
