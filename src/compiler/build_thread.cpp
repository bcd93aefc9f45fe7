// SPDX-License-Identifier: Apache-2.0
#include "compiler/build_thread.h"

#include <alloca.h>
#include <clang/Basic/Stack.h>
#include <llvm/InitializePasses.h>
#include <llvm/PassRegistry.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/TargetSelect.h>

#include "base/fault_scope.h"

namespace clcuda::compiler {
namespace {

// std::call_once() would let an exception pass through the C library, whose unwinder may be another one.
void initialise_llvm() {
  static const bool done = [] {
    llvm::remove_fatal_error_handler();
    llvm::install_fatal_error_handler(FaultScope::on_fatal_error);
    llvm::remove_bad_alloc_error_handler();
    llvm::install_bad_alloc_error_handler(FaultScope::on_bad_alloc);
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    // What LLVM would register when it is first used, where a build may run out of its budget: its locks would stay locked.
    llvm::PassRegistry& registry = *llvm::PassRegistry::getPassRegistry();
    llvm::initializeCore(registry);
    llvm::initializeAnalysis(registry);
    llvm::initializeCodeGen(registry);
    llvm::initializeTarget(registry);
    llvm::initializeTransformUtils(registry);
    llvm::initializeScalarOpts(registry);
    return true;
  }();
  (void)done;
}

}  // namespace

// LLVM is initialised on the build thread as well, because a failed allocation is a fatal error to LLVM, which only a fault scope handles.
void run_on_build_thread(const std::function<void()>& body) {
  run_on_compiler_thread([&] {
    initialise_llvm();
    body();
  });
}

__attribute__((noinline)) void keep_recursion_on_this_stack() {
  auto* distance = static_cast<volatile char*>(alloca(compiler_stack_size() / 4 * 3 - compiler_stack_used()));
  clang::noteBottomOfStack(true);
  distance[0] = 0;  // accessed after the call, so that the compiler cannot free `distance` before it
}

}  // namespace clcuda::compiler
