// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string_view>

namespace llvm {
class Module;
class PassInstrumentationCallbacks;
}  // namespace llvm

namespace clcuda::compiler {

// For tools that show what passes do: called after each pass of a build, ours and LLVM's, with the module that it ran in; from several
// threads, unless programs are kept whole (parts.h). To be set before the first build.
using PassObserver = std::function<void(std::string_view pass, const llvm::Module& module)>;
void set_pass_observer(PassObserver observer);

void observe(std::string_view pass, const llvm::Module& module);
// Has LLVM's passes observed that run with these callbacks.
void observe_passes(llvm::PassInstrumentationCallbacks& callbacks);

}  // namespace clcuda::compiler
