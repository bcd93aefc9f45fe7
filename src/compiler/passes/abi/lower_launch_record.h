// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace clcuda::compiler {

// The launch record (builtins/launch_record.h: offsets and sizes of the ND-range, printf's buffer, …) becomes a hidden last parameter of
// the kernels that use it and of the functions through which they do:
//
//   %r = call ptr @__clcuda_launch_record()  in f()    →  f(ptr %launch_record)
//   define ptx_kernel void @k(…)                       →  @k(…, ptr byval([n x i8]) "clcuda-launch-record" %launch_record)
//
// If one of the functions may be called through a pointer, all whose addresses are taken get the parameter, and all calls through pointers
// pass it. Runs after optimisation, so that kernels that turn out not to use the record have no such parameter; kernels of blocks always
// have it, as who enqueues one does not know. Does nothing in modules without __clcuda_launch_record.
struct LowerLaunchRecord : llvm::PassInfoMixin<LowerLaunchRecord> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clcuda::compiler
