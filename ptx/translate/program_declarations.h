// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/Module.h>

#include <unordered_map>
#include <vector>

#include "ptx/abi/code_object.h"
#include "ptx/translate/layout.h"

namespace clcuda::ptx {

// All units as one LLVM module: what each name means, where variables and parameters lie, and a function for
// each PTX function (not yet one for each region), whose body FunctionTranslator makes.
class ProgramDeclarations {
 public:
  ProgramDeclarations(const std::vector<Module>& units, llvm::Module& module);

  const std::vector<Module>& units() const { return units_; }
  const Layout& layout() const { return layout_; }
  llvm::Module& module() { return module_; }

  llvm::Function* function(const Function* source) { return functions_.at(source); }
  // Every function has the block, the item's x, y and z, and its number; then the addresses of its results
  // and parameters.
  static constexpr unsigned kCommonParameters = 5;
  static llvm::FunctionType* signature(llvm::LLVMContext& context, std::size_t parameters);
  // What device code has as the address of a kernel.
  std::uint64_t address_of_kernel(const Function* kernel) const;
  // Where parameter `index` of a kernel lies in its parameter buffer.
  std::uint32_t parameter_offset(const Function& kernel, std::size_t index) const;
  std::uint32_t parameter_bytes(const Function& kernel) const;

  KernelDescription describe(const Function& kernel) const;

 private:
  void declare_functions();

  const std::vector<Module>& units_;
  llvm::Module& module_;
  Layout layout_;
  std::unordered_map<const Function*, llvm::Function*> functions_;
};

}  // namespace clcuda::ptx
