// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/Module.h>

#include <unordered_map>
#include <vector>

#include "ptx/abi/code_object.h"
#include "ptx/translate/function_table.h"
#include "ptx/translate/layout.h"

namespace clcuda::ptx {

// The units of a program as one LLVM module: what each name means, where variables and parameters are, and an LLVM function for each PTX
// function, whose body FunctionTranslator makes. Refers to the units and the module.
class ProgramDeclarations {
 public:
  ProgramDeclarations(const std::vector<Module>& units, llvm::Module& module);

  const std::vector<Module>& units() const { return units_; }
  const Layout& layout() const { return layout_; }
  llvm::Module& module() { return module_; }

  llvm::Function* function(const Function* source) { return functions_.at(source); }
  // Of the functions that are called through pointers. To be completed when all functions have been translated.
  FunctionTable& function_table() { return function_table_; }
  void complete() {
    function_table_.complete([this](const Function* source) { return function(source); });
  }
  // Each function takes the block, the item's x, y and z, and its number; then the addresses of its results and parameters.
  static constexpr unsigned kCommonParameters = 5;
  static llvm::FunctionType* signature(llvm::LLVMContext& context, std::size_t parameters);
  // The address of a kernel in device code (kernel_address()).
  std::uint64_t address_of_kernel(const Function* kernel) const;
  // Offset of a kernel's parameter in its parameter buffer, and the buffer's size; in bytes.
  std::uint32_t parameter_offset(const Function& kernel, std::size_t index) const {
    return parameter_offsets_.at(&kernel).at(index);
  }
  std::uint32_t parameter_bytes(const Function& kernel) const {
    return parameter_offsets_.at(&kernel).back();
  }

  KernelDescription describe(const Function& kernel) const;

 private:
  void declare_functions();
  void place_parameters(const Function& kernel);

  const std::vector<Module>& units_;
  llvm::Module& module_;
  Layout layout_;
  FunctionTable function_table_;
  std::unordered_map<const Function*, llvm::Function*> functions_;
  // Of kernels; the last one is behind all parameters.
  std::unordered_map<const Function*, std::vector<std::uint32_t>> parameter_offsets_;
};

}  // namespace clcuda::ptx
