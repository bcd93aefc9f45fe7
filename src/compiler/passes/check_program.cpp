// SPDX-License-Identifier: Apache-2.0
#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CallGraph.h>

#include <string>

#include "compiler/passes/passes.h"

namespace clcuda::compiler {
namespace {

std::string plain_name(const llvm::Function& function) {
  constexpr llvm::StringRef body_prefix = "__clang_ocl_kern_imp_";
  llvm::StringRef name = function.getName();
  name.consume_front(body_prefix);
  return "'" + name.str() + "'";
}

const char* unsupported_type(llvm::StringRef type) {
  if (type.starts_with("image")) return "images";
  if (type == "sampler_t") return "samplers";
  if (type == "queue_t") return "device queues";
  return nullptr;
}

std::string unsupported_arguments(const llvm::Function& kernel) {
  std::string problems;
  const llvm::MDNode* types = kernel.getMetadata("kernel_arg_base_type");
  if (!types) return problems;
  for (unsigned i = 0; i < types->getNumOperands(); ++i) {
    const char* what = unsupported_type(llvm::cast<llvm::MDString>(types->getOperand(i))->getString());
    if (what) {
      problems += "error: kernel " + plain_name(kernel) + ", argument " + std::to_string(i) + ": " + what +
                  " are not supported by this device\n";
    }
  }
  return problems;
}

}  // namespace

std::string find_unsupported(llvm::Module& module) {
  std::string problems;
  for (const llvm::Function* kernel : kernels_of(module)) problems += unsupported_arguments(*kernel);
  // OpenCL C §6.11 rules recursion out, also through several functions.
  llvm::CallGraph calls(module);
  for (auto component = llvm::scc_begin(&calls); !component.isAtEnd(); ++component) {
    const llvm::Function* function = component->front()->getFunction();
    if (component.hasCycle() && function)
      problems += "error: recursive call of function " + plain_name(*function) + "\n";
  }
  return problems;
}

}  // namespace clcuda::compiler
