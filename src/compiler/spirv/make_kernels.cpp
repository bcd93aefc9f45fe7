// SPDX-License-Identifier: Apache-2.0
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include <algorithm>

#include "compiler/passes/names.h"
#include "compiler/program_error.h"
#include "compiler/spirv/declarations.h"
#include "compiler/spirv/function_attributes.h"
#include "compiler/spirv/kernel_metadata.h"
#include "compiler/spirv/module_reader.h"
#include "compiler/spirv/refuse.h"
#include "compiler/spirv/symbols.h"

namespace clcuda::compiler::spirv {
namespace {

// Whether an entry point takes structures by value rather than through pointers.
bool takes_composites(const FunctionText& text) {
  return std::ranges::any_of(text.type->members, [](const Type* type) {
    return type->is(TypeKind::structure) || type->is(TypeKind::array) || type->is(TypeKind::boolean);
  });
}

bool is_single_entry(ModuleReader& reader, const FunctionText& text) {
  return std::ranges::count(reader.entry_points(), text.id, &EntryPoint::function) == 1;
}

// Whether a function can become a kernel itself. One that is called, by this module or those that it is exported to, or is the entry point
// of several kernels, is called by a kernel instead.
bool can_be_kernel(ModuleReader& reader, const FunctionText& text) {
  return is_single_entry(reader, text) && !reader.decorations().linkage(text.id) &&
         text.function->use_empty() && !takes_composites(text);
}

// Frees a kernel's name: OpName may have given it to anything. What the module exports or imports by it, such as the kernel's body, gets
// the name that Clang gives to bodies of kernels; other modules find it by that (link.cpp).
void free_name(llvm::Module& module, const std::string& name, const llvm::Function& body) {
  llvm::GlobalValue* known = module.getNamedValue(name);
  if (!known) return;
  if (known != &body && known->hasLocalLinkage()) return known->setName(name + ".internal");
  const auto* function = llvm::dyn_cast<llvm::Function>(known);
  require(!function || function->getCallingConv() != llvm::CallingConv::PTX_Kernel,
          "a kernel's name is given to something else");
  const std::string free = kKernelBodyPrefix + name;
  if (module.getNamedValue(free)) refuse("the name '" + free + "' is given to something else");
  known->setName(free);
}

// Makes a kernel that calls the body: its parameters are the body's, with structures passed in memory.
class Wrapper {
 public:
  Wrapper(ModuleReader& reader, const FunctionText& text, const std::string& name)
      : reader_(reader), text_(text), builder_(reader.context()) {
    std::vector<llvm::Type*> types;
    for (const Type* type : text.type->members)
      types.push_back(is_behind_pointer(*type) ? builder_.getPtrTy() : type->memory);
    kernel_ = llvm::Function::Create(llvm::FunctionType::get(builder_.getVoidTy(), types, false),
                                     llvm::GlobalValue::ExternalLinkage, name, reader.module());
    define_as_clang_does(reader, *kernel_);
  }

  llvm::Function& make() {
    builder_.SetInsertPoint(llvm::BasicBlock::Create(reader_.context(), "", kernel_));
    std::vector<llvm::Value*> arguments;
    for (unsigned i = 0; i < kernel_->arg_size(); ++i) arguments.push_back(argument(i));
    llvm::CallInst* call = builder_.CreateCall(text_.function, arguments);
    call->setAttributes(text_.function->getAttributes().removeFnAttributes(reader_.context()));
    call_as_clang_does(*call);
    builder_.CreateRetVoid();
    return *kernel_;
  }

 private:
  static bool is_behind_pointer(const Type& type) {
    return type.is(TypeKind::structure) || type.is(TypeKind::array);
  }

  llvm::Value* argument(unsigned i) {
    const Type& type = *text_.type->members[i];
    llvm::Argument* given = kernel_->getArg(i);
    if (type.is(TypeKind::boolean)) return builder_.CreateIsNotNull(given);
    if (!is_behind_pointer(type)) {
      llvm::AttrBuilder attributes(reader_.context(), text_.function->getAttributes().getParamAttrs(i));
      given->addAttrs(attributes);
      return given;
    }
    const llvm::Align alignment = reader_.module().getDataLayout().getABITypeAlign(type.memory);
    llvm::AttrBuilder attributes(reader_.context());
    attributes.addByValAttr(type.memory).addAlignmentAttr(alignment);
    given->addAttrs(attributes);
    return builder_.CreateAlignedLoad(type.value, given, alignment);
  }

  ModuleReader& reader_;
  const FunctionText& text_;
  llvm::IRBuilder<> builder_;
  llvm::Function* kernel_;
};

// Whether the function is an initializer or finalizer, which runs once before or after all kernels of the program.
bool is_life_function(ModuleReader& reader, const EntryPoint& entry, const FunctionText& text) {
  const bool first = reader.has_mode(entry.function, ExecutionMode::Initializer);
  const bool last = reader.has_mode(entry.function, ExecutionMode::Finalizer);
  if (!first && !last) return false;
  require(text.type->members.empty(), "an initializer or finalizer takes no arguments");
  if (first) llvm::appendToGlobalCtors(reader.module(), text.function, 0);
  if (last) llvm::appendToGlobalDtors(reader.module(), text.function, 0);
  return true;
}

// A kernel takes no generic pointers. LLVM's translator declares the functions of blocks as entry points too, although only kernels enqueue
// them (block_kernels.h).
bool is_block_function(const FunctionText& text) {
  return std::ranges::any_of(text.type->members, [](const Type* type) {
    return type->is(TypeKind::pointer) && type->storage == StorageClass::Generic;
  });
}

void make_kernel(ModuleReader& reader, const EntryPoint& entry) {
  const FunctionText* text = reader.function(entry.function);
  require(text && !text->body.empty(), "an entry point is no function with a body");
  require(text->type->element->is(TypeKind::void_type), "a kernel gives nothing back");
  check_kernel_name(entry.name);
  if (is_block_function(*text)) return;
  if (is_life_function(reader, entry, *text)) return;
  const bool direct = can_be_kernel(reader, *text);
  if (!direct || text->function->getName() != entry.name)
    free_name(reader.module(), entry.name, *text->function);
  llvm::Function& kernel = direct ? *text->function : Wrapper(reader, *text, entry.name).make();
  kernel.setName(entry.name);
  kernel.setLinkage(llvm::GlobalValue::ExternalLinkage);
  kernel.setCallingConv(llvm::CallingConv::PTX_Kernel);
  for (llvm::Argument& argument : kernel.args()) argument.addAttr(llvm::Attribute::NoUndef);
  describe_kernel(reader, entry, *text, kernel);
}

}  // namespace

void make_kernels(ModuleReader& reader) {
  for (const EntryPoint& entry : reader.entry_points()) {
    try {
      make_kernel(reader, entry);
    } catch (const ProgramError& error) {
      if (error.reason.starts_with("error: ")) throw;
      refuse("error: SPIR-V entry point '" + entry.name + "': " + error.reason);
    }
  }
}

}  // namespace clcuda::compiler::spirv
