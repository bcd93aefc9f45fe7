// SPDX-License-Identifier: Apache-2.0
#include "compiler/spirv/function_attributes.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/InstrTypes.h>

#include "compiler/spirv/module_reader.h"
#include "compiler/target.h"

namespace clcuda::compiler::spirv {

void declare_as_clang_does(llvm::Function& function, bool pure) {
  function.setConvergent();
  function.setDoesNotThrow();
  function.setDSOLocal(true);
  if (!pure) return;
  function.setDoesNotAccessMemory();
  function.setWillReturn();
}

void define_as_clang_does(const ModuleReader& reader, llvm::Function& function) {
  declare_as_clang_does(function, false);
  function.setDoesNotRecurse();
  function.addFnAttr("no-trapping-math", "true");
  function.addFnAttr("target-cpu", cpu_name(reader.unit().target));
  function.addFnAttr("target-features", ptx_feature(reader.unit().target, 0));
}

void call_as_clang_does(llvm::CallBase& call) {
  call.setConvergent();
  call.setDoesNotThrow();
  const llvm::Function* function = call.getCalledFunction();
  if (!function) return;
  call.setCallingConv(function->getCallingConv());
  if (!function->doesNotAccessMemory()) return;
  call.setDoesNotAccessMemory();
  call.addFnAttr(llvm::Attribute::WillReturn);
}

}  // namespace clcuda::compiler::spirv
