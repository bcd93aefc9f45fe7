// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/abi/resolve_device_enqueue.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>
#include <cstdint>

#include "builtins/launch_record.h"
#include "compiler/compiled_program.h"
#include "compiler/passes/kernel_functions.h"
#include "compiler/passes/names.h"

namespace clcuda::compiler {
namespace {

constexpr std::uint64_t kTaskHead = 128;  // size of the header in builtins/device_tasks.h
constexpr std::uint64_t kSlotAlignment = 64;
constexpr std::uint64_t kLeastSlot = 512;

// The size of the parameters of a block's kernel: literal, local offsets, launch record.
std::uint64_t parameter_size(const llvm::Function& block) {
  std::uint64_t end = 0;
  for (const llvm::Argument& argument : block.args())
    end += argument.hasByValAttr()
               ? block.getDataLayout().getTypeAllocSize(argument.getParamByValType()).getFixedValue()
               : 4;
  return llvm::alignTo(end, 8) + sizeof(clcuda_launch_record);
}

void replace_calls(llvm::Module& module, const char* name,
                   llvm::function_ref<llvm::Constant*(llvm::Type*)> value) {
  llvm::Function* function = module.getFunction(name);
  if (!function) return;
  for (llvm::User* user : llvm::make_early_inc_range(function->users())) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(user);
    if (!call) continue;
    call->replaceAllUsesWith(value(call->getType()));
    call->eraseFromParent();
  }
}

// Whether the kernel was compiled with -cl-uniform-work-group-size. (OpenCL C 1.x requires uniform work-groups too, but cannot enqueue.)
bool asks_for_uniform_groups(const llvm::Function* kernel) {
  return kernel->hasFnAttribute(kEnqueueAttribute) &&
         kernel->getFnAttribute("uniform-work-group-size").getValueAsString() == "true";
}

}  // namespace

llvm::PreservedAnalyses ResolveDeviceEnqueue::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  std::uint64_t parameters = 0;
  for (const llvm::Function* kernel : kernels_of(module))
    if (is_block_kernel(*kernel)) parameters = std::max(parameters, parameter_size(*kernel));
  const auto number = [&](const char* name, std::uint64_t value) {
    replace_calls(module, name, [&](llvm::Type* type) { return llvm::ConstantInt::get(type, value); });
  };
  number(kTaskSizeFunction, std::max(llvm::alignTo(kTaskHead + parameters, kSlotAlignment), kLeastSlot));
  number(kMustDivideFunction, std::ranges::any_of(kernels_of(module), asks_for_uniform_groups));
  number(kDetailedErrorsFunction, module.getNamedMetadata(kDetailedErrorsMetadata) != nullptr);
  replace_calls(module, kTaskSchedulerFunction,
                [&](llvm::Type*) { return module.getFunction(kTaskSchedulerSymbol); });
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
