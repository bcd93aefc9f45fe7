// SPDX-License-Identifier: Apache-2.0
#include "compiler/ptx_names.h"

#include <llvm/IR/Module.h>

#include <algorithm>

#include "compiler/ptx_identifier.h"

namespace clcuda::compiler {
namespace {

constexpr llvm::StringLiteral kPrefix = "symbol$";  // no other name begins so, so that no two become one

// "$" and "_" alone, WARP_SZ, what begins with a digit, and FUNCTION_param_N.
bool is_mistaken(llvm::StringRef name) {
  const llvm::StringRef without_number = name.rtrim("0123456789");
  return name == "_" || name == "$" || name == "WARP_SZ" || (!name.empty() && llvm::isDigit(name.front())) ||
         (without_number.size() < name.size() && without_number.ends_with("_param_")) ||
         name.starts_with(kPrefix);
}

// The driver's functions, which code calls without defining them, and the variables that ptxas adds.
bool is_of_driver(llvm::StringRef name) {
  constexpr llvm::StringRef kFunctions[] = {"vprintf", "malloc", "free", "__assertfail"};
  return llvm::is_contained(kFunctions, name) || name.starts_with("__cuda") ||
         name.starts_with("__nv_reserved");
}

std::string with_prefix(llvm::StringRef name) {
  std::string safe = kPrefix.str();
  for (const char c : name) safe += is_of_ptx_identifier(c) ? std::string(1, c) : "_$_";
  return safe;
}

}  // namespace

std::string ptx_name(llvm::StringRef name) {
  return is_mistaken(name) || is_of_driver(name) || !llvm::all_of(name, is_of_ptx_identifier)
             ? with_prefix(name)
             : name.str();
}

void give_ptx_names(llvm::Module& module) {
  for (llvm::GlobalValue& symbol : module.global_values()) {
    const llvm::StringRef name = symbol.getName();
    if (name.starts_with("llvm.") || (symbol.isDeclaration() && is_of_driver(name))) continue;
    // In names of internal symbols LLVM's back end replaces characters itself, but does nothing else.
    if (!symbol.hasLocalLinkage() || is_mistaken(name) || is_of_driver(name)) symbol.setName(ptx_name(name));
  }
}

}  // namespace clcuda::compiler
