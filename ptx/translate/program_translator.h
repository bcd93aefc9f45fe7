// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/Module.h>

#include <unordered_map>
#include <vector>

#include "ptx/execute/image_format.h"
#include "ptx/translate/layout.h"

namespace clcuda::ptx {

// All units → one LLVM module, with one function per PTX function (not yet one per region).
class ProgramTranslator {
 public:
  ProgramTranslator(const std::vector<Module>& units, llvm::Module& module);
  void run();

  struct Kernel {
    const Function* source;
    llvm::Function* item;  // what one work-item does
    KernelDescription description;
  };
  const std::vector<Kernel>& kernels() const { return kernels_; }
  const Layout& layout() const { return layout_; }
  llvm::Module& module() { return module_; }

  llvm::Function* function(const Function* source) { return functions_.at(source); }
  // Every function has the block, the item's x, y and z, and its number; then the addresses of its results and parameters.
  static constexpr unsigned common_parameters = 5;
  static llvm::FunctionType* signature(llvm::LLVMContext& context, std::size_t parameters);
  // What device code has as the address of a kernel.
  std::uint64_t address_of_kernel(const Function* kernel) const;
  // Where parameter `index` of a kernel lies in its parameter buffer.
  std::uint32_t parameter_offset(const Function& kernel, std::size_t index) const;
  std::uint32_t parameter_bytes(const Function& kernel) const;

 private:
  KernelDescription describe(const Function& source) const;

  const std::vector<Module>& units_;
  llvm::Module& module_;
  Layout layout_;
  std::unordered_map<const Function*, llvm::Function*> functions_;
  std::vector<Kernel> kernels_;
};

// Names that stand, between translation and region forming, for what a single item cannot do itself.
inline constexpr const char* suspend_marker = "clcuda.suspend";  // i64 (i32 wait, i64 × wait_operands)
inline constexpr const char* exit_marker = "clcuda.exit";        // void ()

}  // namespace clcuda::ptx
