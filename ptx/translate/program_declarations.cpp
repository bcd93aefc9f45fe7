// SPDX-License-Identifier: Apache-2.0
#include "ptx/translate/program_declarations.h"

#include <llvm/IR/DerivedTypes.h>

#include "ptx/syntax/parse_error.h"

namespace clcuda::ptx {
namespace {

constexpr std::uint32_t kMostParameterBytes = 32764;  // as on devices of sm_70 and newer

}  // namespace

ProgramDeclarations::ProgramDeclarations(const std::vector<Module>& units, llvm::Module& module)
    : units_(units), module_(module), layout_(units), function_table_(module, layout_) {
  declare_functions();
}

llvm::FunctionType* ProgramDeclarations::signature(llvm::LLVMContext& context, std::size_t parameters) {
  llvm::Type* pointer = llvm::PointerType::get(context, 0);
  llvm::Type* word = llvm::Type::getInt32Ty(context);
  std::vector<llvm::Type*> types{pointer, word, word, word, word};
  types.insert(types.end(), parameters, pointer);
  return llvm::FunctionType::get(llvm::Type::getVoidTy(context), types, false);
}

void ProgramDeclarations::declare_functions() {
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
      if (source.entry) place_parameters(source);
    }
  }
}

std::uint64_t ProgramDeclarations::address_of_kernel(const Function* kernel) const {
  std::uint64_t index = 0;
  for (const Module& unit : units_) {
    for (const Function& function : unit.functions) {
      if (&function == kernel) return kernel_address(index);
      if (function.entry && function.has_body) ++index;
    }
  }
  throw ParseError(kernel->line, "'" + kernel->name + "' is no kernel of the program");
}

void ProgramDeclarations::place_parameters(const Function& kernel) {
  std::vector<std::uint32_t>& offsets = parameter_offsets_[&kernel];
  std::uint64_t end = 0;
  for (const Variable& parameter : kernel.parameters) {
    const std::uint64_t offset = (end + parameter.alignment - 1) / parameter.alignment * parameter.alignment;
    end = offset + parameter.bytes();
    if (end > kMostParameterBytes)
      throw ParseError(kernel.line, "the parameters of '" + kernel.name + "' are too large");
    offsets.push_back(static_cast<std::uint32_t>(offset));
  }
  offsets.push_back(static_cast<std::uint32_t>(end));
}

KernelDescription ProgramDeclarations::describe(const Function& kernel) const {
  KernelDescription description{.name = kernel.name};
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const Variable& parameter = kernel.parameters[i];
    description.parameters.push_back(
        {parameter_offset(kernel, i), static_cast<std::uint32_t>(parameter.bytes()), parameter.alignment});
  }
  description.parameter_bytes = parameter_bytes(kernel);
  description.static_shared_bytes = layout_.shared_bytes(&kernel);
  for (const Variable& variable : kernel.variables)
    if (variable.space == Space::local)
      description.local_bytes += static_cast<std::uint32_t>(variable.bytes());
  for (const Register& reg : kernel.registers) description.registers += (reg.type.total_bits() + 31) / 32;
  description.registers = std::min(description.registers, 255u);
  description.required_block = kernel.required_block;
  const auto& most = kernel.max_block[0] ? kernel.max_block : kernel.required_block;
  if (most[0])
    description.max_threads = std::min<std::uint64_t>(1024, std::uint64_t{most[0]} * most[1] * most[2]);
  return description;
}

}  // namespace clcuda::ptx
