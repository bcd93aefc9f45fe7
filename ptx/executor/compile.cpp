// SPDX-License-Identifier: Apache-2.0
#include "ptx/executor/compile.h"

#include <llvm/Support/ErrorHandling.h>

#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

#include "base/compiler_thread.h"
#include "base/fault_scope.h"
#include "base/step_budget.h"
#include "ptx/translate/host_target.h"
#include "ptx/translate/translate.h"

namespace clcuda::ptx {
namespace {

// Compilation is limited because PTX may come from anywhere, for example from a program binary.
void within_limits(WorkBudget& budget, const std::function<void()>& work) {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::remove_fatal_error_handler();
    llvm::install_fatal_error_handler(FaultScope::on_fatal_error);
    llvm::remove_bad_alloc_error_handler();
    llvm::install_bad_alloc_error_handler(FaultScope::on_bad_alloc);
  });
  run_on_compiler_thread([&] {
    const WorkBudget::Share share(budget);
    work();
  });
}

}  // namespace

std::optional<std::string> compile(std::span<const std::string_view> units, std::string& log, Tier tier) {
  const std::shared_ptr<WorkBudget> budget = budget_of_step();
  try {
    std::optional<std::string> bytes;
    within_limits(*budget, [&] {
      CodeObjectDescription object = translate(units, {.tier = tier});
      if (tier == Tier::quick) object.units.assign(units.begin(), units.end());
      bytes = serialize(object, host_name());
    });
    return bytes;
  } catch (const CompilerFault& fault) {
    budget->leave_behind();
    if (fault.out_of_memory && !budget->exceeded()) throw std::bad_alloc();
    log += budget->exceeded() ? "the program needs " + budget->reason() : fault.reason;
  } catch (const std::bad_alloc&) {
    budget->leave_behind();
    if (!budget->exceeded()) throw;
    log += "the program needs " + budget->reason();
  } catch (const std::exception& error) {
    log += error.what();
  }
  log += '\n';
  return std::nullopt;
}

CodeObjectDescription compile_kernel(std::span<const std::string> units, std::string_view kernel) {
  const std::vector<std::string_view> texts(units.begin(), units.end());
  CodeObjectDescription object;
  within_limits(*budget_of_step(), [&] { object = translate(texts, {.only_kernel = kernel}); });
  return object;
}

}  // namespace clcuda::ptx
