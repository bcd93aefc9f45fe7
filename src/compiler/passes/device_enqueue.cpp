// SPDX-License-Identifier: Apache-2.0
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include <algorithm>

#include "builtins/launch_record.h"
#include "compiler/passes/passes.h"
#include "compiler/refusal.h"

namespace clcuda::compiler {
namespace {

constexpr std::uint64_t task_head = 128;  // builtins/device_tasks.h
constexpr std::uint64_t slot_alignment = 64;
constexpr std::uint64_t least_slot = 512;

// What of the library adds tasks (builtins/device_enqueue.cl).
bool adds_tasks(llvm::StringRef name) {
  return name.starts_with("__enqueue_kernel_") || name.starts_with("_Z14enqueue_marker") ||
         name.starts_with("_Z17create_user_event");
}

llvm::SetVector<llvm::Function*> functions_that_enqueue(llvm::Module& module) {
  llvm::SetVector<llvm::Function*> found;
  const auto add_callers = [&](llvm::Function& callee) {
    for (llvm::User* user : callee.users())
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(user)) found.insert(call->getFunction());
  };
  for (llvm::Function& function : module)
    if (function.isDeclaration() && adds_tasks(function.getName())) add_callers(function);
  for (unsigned i = 0; i < found.size(); ++i) add_callers(*found[i]);
  return found;
}

// The parameters of a block's kernel: literal, local offsets, launch record.
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

// -cl-uniform-work-group-size. (Units of OpenCL C 1 are uniform too, but do not enqueue.)
bool asks_for_uniform_groups(const llvm::Function* kernel) {
  return kernel->hasFnAttribute(enqueue_attribute) &&
         kernel->getFnAttribute("uniform-work-group-size").getValueAsString() == "true";
}

}  // namespace

bool mark_enqueuing_kernels(llvm::Module& module) {
  const auto enqueuing = functions_that_enqueue(module);
  const auto kernels = kernels_of(module);
  const bool blocks_print = std::ranges::any_of(kernels, [](const llvm::Function* kernel) {
    return is_block_kernel(*kernel) && kernel->hasFnAttribute(printf_attribute);
  });
  for (llvm::Function* kernel : kernels) {
    if (is_block_kernel(*kernel) && kernel->hasFnAttribute(static_local_attribute))
      throw Refusal{"error: a block with more than 44 KB of local variables"};
    if (!enqueuing.contains(kernel)) continue;
    kernel->addFnAttr(enqueue_attribute);
    if (blocks_print) kernel->addFnAttr(printf_attribute);
  }
  return !enqueuing.empty();
}

void want_task_scheduler(llvm::Module& module) {
  if (functions_that_enqueue(module).empty()) return;
  llvm::LLVMContext& context = module.getContext();
  auto scheduler = module.getOrInsertFunction(task_scheduler_symbol, llvm::Type::getVoidTy(context),
                                              llvm::PointerType::get(context, 1));
  llvm::appendToUsed(module, {llvm::cast<llvm::GlobalValue>(scheduler.getCallee())});
}

void resolve_device_enqueue(llvm::Module& module, const Lowering&) {
  std::uint64_t parameters = 0;
  for (const llvm::Function* kernel : kernels_of(module))
    if (is_block_kernel(*kernel)) parameters = std::max(parameters, parameter_size(*kernel));
  const auto number = [&](const char* name, std::uint64_t value) {
    replace_calls(module, name, [&](llvm::Type* type) { return llvm::ConstantInt::get(type, value); });
  };
  number(task_size_function, std::max(llvm::alignTo(task_head + parameters, slot_alignment), least_slot));
  number(must_divide_function, std::ranges::any_of(kernels_of(module), asks_for_uniform_groups));
  number(detailed_errors_function, module.getNamedMetadata(detailed_errors_metadata) != nullptr);
  replace_calls(module, task_scheduler_function,
                [&](llvm::Type*) { return module.getFunction(task_scheduler_symbol); });
}

}  // namespace clcuda::compiler
