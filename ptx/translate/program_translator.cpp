// SPDX-License-Identifier: Apache-2.0
#include "ptx/translate/program_translator.h"

#include <llvm/IR/DerivedTypes.h>

#include "ptx/syntax/lexer.h"
#include "ptx/translate/function_translator.h"

namespace clcuda::ptx {
namespace {

constexpr std::uint32_t most_parameter_bytes = 32764;  // as a device of sm_70 and newer takes

}  // namespace

ProgramTranslator::ProgramTranslator(const std::vector<Module>& units, llvm::Module& module)
    : units_(units), module_(module), layout_(units) {}

llvm::FunctionType* ProgramTranslator::signature(llvm::LLVMContext& context, std::size_t parameters) {
  llvm::Type* pointer = llvm::PointerType::get(context, 0);
  llvm::Type* word = llvm::Type::getInt32Ty(context);
  std::vector<llvm::Type*> types{pointer, word, word, word, word};
  types.insert(types.end(), parameters, pointer);
  return llvm::FunctionType::get(llvm::Type::getVoidTy(context), types, false);
}

void ProgramTranslator::run() {
  for (const Module& unit : units_) {
    for (const Function& source : unit.functions) {
      if (!source.has_body) continue;
      const std::size_t passed = source.entry ? 0 : source.results.size() + source.parameters.size();
      const std::string name = "ptx." + std::to_string(&unit - units_.data()) + "." + source.name;
      auto* made = llvm::Function::Create(signature(module_.getContext(), passed),
                                          llvm::Function::InternalLinkage, name, module_);
      made->addParamAttr(
          0, llvm::Attribute::getWithAlignment(module_.getContext(), llvm::Align(alignof(Block))));
      made->addDereferenceableParamAttr(0, sizeof(Block));
      made->setDoesNotThrow();
      functions_[&source] = made;
    }
  }
  for (unsigned unit = 0; unit < units_.size(); ++unit) {
    for (const Function& source : units_[unit].functions) {
      if (!source.has_body) continue;
      FunctionTranslator(*this, unit, source, *functions_.at(&source)).run();
      if (source.entry) kernels_.push_back({&source, functions_.at(&source), describe(source)});
    }
  }
}

std::uint64_t ProgramTranslator::address_of_kernel(const Function* kernel) const {
  std::uint64_t index = 0;
  for (const Module& unit : units_) {
    for (const Function& function : unit.functions) {
      if (&function == kernel) return kernel_address(index);
      if (function.entry && function.has_body) ++index;
    }
  }
  throw Refusal(kernel->line, "'" + kernel->name + "' is no kernel of the program");
}

std::uint32_t ProgramTranslator::parameter_offset(const Function& kernel, std::size_t index) const {
  std::uint64_t offset = 0;
  for (std::size_t i = 0;; ++i) {
    const Variable& parameter = kernel.parameters.at(i);
    offset = (offset + parameter.alignment - 1) / parameter.alignment * parameter.alignment;
    if (i == index) return static_cast<std::uint32_t>(offset);
    offset += parameter.bytes();
    if (offset > most_parameter_bytes)
      throw Refusal(kernel.line, "the parameters of '" + kernel.name + "' are too large");
  }
}

std::uint32_t ProgramTranslator::parameter_bytes(const Function& kernel) const {
  if (kernel.parameters.empty()) return 0;
  const std::size_t last = kernel.parameters.size() - 1;
  return parameter_offset(kernel, last) + static_cast<std::uint32_t>(kernel.parameters[last].bytes());
}

KernelDescription ProgramTranslator::describe(const Function& source) const {
  KernelDescription description{.name = source.name};
  for (std::size_t i = 0; i < source.parameters.size(); ++i) {
    const Variable& parameter = source.parameters[i];
    const std::uint32_t offset = parameter_offset(source, i);
    if (offset + parameter.bytes() > most_parameter_bytes)
      throw Refusal(source.line, "the parameters of '" + source.name + "' are too large");
    description.parameters.push_back(
        {offset, static_cast<std::uint32_t>(parameter.bytes()), parameter.alignment});
    description.parameter_bytes = offset + static_cast<std::uint32_t>(parameter.bytes());
  }
  description.static_shared_bytes = layout_.shared_bytes(&source);
  for (const Variable& variable : source.variables)
    if (variable.space == Space::local)
      description.local_bytes += static_cast<std::uint32_t>(variable.bytes());
  for (const Register& reg : source.registers) description.registers += (reg.type.total_bits() + 31) / 32;
  description.registers = std::min(description.registers, 255u);
  description.required_block = source.required_block;
  const auto& most = source.max_block[0] ? source.max_block : source.required_block;
  if (most[0])
    description.max_threads = std::min<std::uint64_t>(1024, std::uint64_t{most[0]} * most[1] * most[2]);
  return description;
}

}  // namespace clcuda::ptx
