// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <map>
#include <utility>
#include <vector>

#include "ptx/syntax/ast.h"
#include "ptx/translate/layout.h"

namespace clcuda::ptx {

// The functions that device code may call by their addresses, as a table in the module (abi/function_table.h). It is there if something is
// called through a pointer.
//
//   call (r), %rd1, (p), prototype;    →  call (call @clcuda_find_function(@functions, count, %rd1, signature))(…)
class FunctionTable {
 public:
  FunctionTable(llvm::Module& module, const Layout& layout) : module_(module), layout_(layout) {}

  // The code of the function with an address, for a call that passes these results and parameters.
  llvm::Value* find(llvm::IRBuilder<>& builder, llvm::Value* address, const std::vector<Variable>& results,
                    const std::vector<Variable>& parameters);
  // Fills in the table when all functions are known. `code` gives the LLVM function of a PTX function.
  void complete(llvm::function_ref<llvm::Function*(const Function*)> code);

 private:
  using Sizes = std::pair<std::vector<std::uint64_t>, std::vector<std::uint64_t>>;

  llvm::ArrayType* type();
  llvm::ConstantInt* signature(const std::vector<Variable>& results, const std::vector<Variable>& parameters);

  llvm::Module& module_;
  const Layout& layout_;
  llvm::GlobalVariable* table_ = nullptr;
  std::map<Sizes, std::uint64_t> signatures_;
};

}  // namespace clcuda::ptx
