// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/frontend/mark_enqueuing_kernels.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>

#include "compiler/passes/indirect_calls.h"
#include "compiler/passes/kernel_functions.h"
#include "compiler/passes/names.h"
#include "compiler/program_error.h"

namespace clcuda::compiler {
namespace {

// Library functions that add tasks (builtins/device_enqueue.cl).
bool adds_tasks(llvm::StringRef name) {
  return name.starts_with("__enqueue_kernel_") || name.starts_with("_Z14enqueue_marker") ||
         name.starts_with("_Z17create_user_event");
}

}  // namespace

llvm::SetVector<llvm::Function*> functions_that_enqueue(llvm::Module& module) {
  Callers callers(module);
  llvm::SetVector<llvm::Function*> found;
  // Whoever passes on a function, such as a block, counts as one that calls it.
  const auto add_users = [&](llvm::Function& callee) {
    for (llvm::User* user : callee.users())
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(user)) found.insert(call->getFunction());
    callers.add_through_pointers(callee, found);
  };
  for (llvm::Function& function : module)
    if (function.isDeclaration() && adds_tasks(function.getName())) add_users(function);
  for (unsigned i = 0; i < found.size(); ++i) add_users(*found[i]);
  return found;
}

llvm::PreservedAnalyses MarkEnqueuingKernels::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  const auto enqueuing = functions_that_enqueue(module);
  const auto kernels = kernels_of(module);
  const bool blocks_print = std::ranges::any_of(kernels, [](const llvm::Function* kernel) {
    return is_block_kernel(*kernel) && kernel->hasFnAttribute(kPrintfAttribute);
  });
  for (llvm::Function* kernel : kernels) {
    if (is_block_kernel(*kernel) && kernel->hasFnAttribute(kStaticLocalAttribute))
      throw ProgramError{"error: a block with more than 44 KB of local variables"};
    if (!enqueuing.contains(kernel)) continue;
    kernel->addFnAttr(kEnqueueAttribute);
    if (blocks_print) kernel->addFnAttr(kPrintfAttribute, "0");  // unknown how many times blocks run
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
