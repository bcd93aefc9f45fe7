// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/ADT/StringRef.h>

#include <string>

namespace llvm {
class Module;
}

namespace clcuda::compiler {

// A symbol's name in PTX. It is another than the program's where PTX takes that for something else ("_" is a result that nobody wants,
// WARP_SZ a number, f_param_0 a parameter), where the driver knows it (malloc), and where it has characters that PTX does not allow.
//
//   ptx_name("k") is "k", ptx_name("WARP_SZ") "symbol$WARP_SZ"
std::string ptx_name(llvm::StringRef name);

// Gives all that a module defines these names, in all parts of a program alike.
void give_ptx_names(llvm::Module& module);

}  // namespace clcuda::compiler
