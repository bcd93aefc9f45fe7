// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/frontend/check_program.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

#include <cstdint>
#include <string>

#include "compiler/passes/kernel_functions.h"
#include "compiler/passes/library_names.h"
#include "compiler/passes/names.h"
#include "compiler/program_error.h"

namespace clcuda::compiler {
namespace {

std::string plain_name(const llvm::Function& function) {
  llvm::StringRef name = function.getName();
  name.consume_front(kKernelBodyPrefix);
  return "'" + name.str() + "'";
}

// Types that Clang accepts for every target and that the device cannot support: the code for a vector operation grows with the number of
// elements, and no floating-point type is wider than double.
class TypeCheck {
 public:
  // Empty also if the type has been found before, in which case its problem has been told: the members of a structure of structures may
  // be exponentially many.
  std::string problem_with(llvm::Type* type) {
    if (!checked_.insert(type).second) return {};
    if (type->isArrayTy()) return problem_with(type->getArrayElementType());
    if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
      if (vector->getNumElements() > kMostElements)
        return "a vector of " + std::to_string(vector->getNumElements()) + " elements";
    llvm::Type* element = type->getScalarType();
    if (element->isFP128Ty() || element->isX86_FP80Ty() || element->isPPC_FP128Ty()) return "long double";
    if (const auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
      for (llvm::Type* member : structure->elements())
        if (std::string problem = problem_with(member); !problem.empty()) return problem;
    }
    return {};
  }

 private:
  static constexpr unsigned kMostElements = 4096;
  llvm::DenseSet<const llvm::Type*> checked_;
};

std::string unsupported_types(llvm::Module& module) {
  TypeCheck check;
  for (const llvm::GlobalVariable& variable : module.globals())
    if (const std::string problem = check.problem_with(variable.getValueType()); !problem.empty())
      return "error: variable '" + variable.getName().str() + "': " + problem + " is not supported\n";
  for (const llvm::Function& function : module) {
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      std::string problem = check.problem_with(instruction.getType());
      for (const llvm::Use& operand : instruction.operands())
        if (problem.empty()) problem = check.problem_with(operand->getType());
      if (!problem.empty())
        return "error: function " + plain_name(function) + ": " + problem + " is not supported\n";
    }
  }
  return {};
}

// Initial values are emitted as text many times their size. Those of the largest tables that people write have a tenth of this size.
constexpr std::uint64_t kMostInitialBytes = 8 << 20;
std::string too_many_initial_values(const llvm::Module& module) {
  std::uint64_t bytes = 0;
  for (const llvm::GlobalVariable& variable : module.globals()) {
    if (!variable.hasInitializer() || variable.getInitializer()->isNullValue() ||
        llvm::isa<llvm::UndefValue>(variable.getInitializer()))
      continue;
    bytes += module.getDataLayout().getTypeAllocSize(variable.getValueType());
    if (bytes > kMostInitialBytes)
      return "error: the program's variables have initial values of more than " +
             std::to_string(kMostInitialBytes >> 20) + " MB\n";
  }
  return {};
}

// cl_intel_required_subgroup_size: sub-groups are warps, so 32 is the only size.
std::string unsupported_sub_groups(const llvm::Module& module) {
  constexpr std::uint64_t kSizeOfWarps = 32;
  std::string problems;
  for (const llvm::Function& function : module) {
    const llvm::MDNode* required = function.getMetadata("intel_reqd_sub_group_size");
    if (!required) continue;
    const auto size = llvm::mdconst::extract<llvm::ConstantInt>(required->getOperand(0))->getZExtValue();
    if (size != kSizeOfWarps)
      problems += "error: kernel " + plain_name(function) + " requires sub-groups of " +
                  std::to_string(size) + "; they have " + std::to_string(kSizeOfWarps) + " work-items\n";
  }
  return problems;
}

// OpenCL C §6.11 forbids recursion, also through several functions.
std::string recursion(llvm::Module& module) {
  std::string problems;
  llvm::CallGraph calls(module);
  for (auto component = llvm::scc_begin(&calls); !component.isAtEnd(); ++component) {
    const llvm::Function* function = component->front()->getFunction();
    if (component.hasCycle() && function)
      problems += "error: recursive call of function " + plain_name(*function) + "\n";
  }
  return problems;
}

// Names by which passes and the library know what they look for. (C99 7.1.3 reserves names that begin with two underscores, or one and a
// capital.) A function with the name of one of the library's is renamed (free_library_names), a kernel or variable cannot be.
bool is_taken(const llvm::GlobalValue& value) {
  const llvm::StringRef name = value.getName();
  const auto* function = llvm::dyn_cast<llvm::Function>(&value);
  return name.starts_with(kInternalPrefix) || name.starts_with(kDeviceRuntimePrefix) ||
         name == kLiteralSamplerFunction || name == "__nvvm_reflect" ||
         ((!function || is_kernel(*function)) && is_library_name(name));
}

std::string taken_names(const llvm::Module& module) {
  std::string problems;
  for (const llvm::GlobalValue& value : module.global_values())
    if (!value.isDeclaration() && !value.hasLocalLinkage() && is_taken(value))
      problems += "error: the name '" + value.getName().str() + "' is reserved\n";
  return problems;
}

}  // namespace

llvm::PreservedAnalyses CheckProgram::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  std::string problems = taken_names(module) + unsupported_types(module) + too_many_initial_values(module) +
                         unsupported_sub_groups(module) + recursion(module);
  if (problems.empty()) return llvm::PreservedAnalyses::all();
  problems.pop_back();  // the end of the last line
  throw ProgramError{problems};
}

}  // namespace clcuda::compiler
