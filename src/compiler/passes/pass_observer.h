// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string_view>

namespace llvm {
class Module;
class PassInstrumentationCallbacks;
}  // namespace llvm

namespace clcuda::compiler {

// Called after each pass of a build, the project's and LLVM's, with the module in which it ran; for tools that show what passes do. Called
// from several threads, unless programs are kept whole (parts.h); the module is to be read during the call only.
//
//   set_pass_observer([](std::string_view pass, const llvm::Module& module) { … });    // before the first build
using PassObserver = std::function<void(std::string_view pass, const llvm::Module& module)>;
void set_pass_observer(PassObserver observer);

// Calls the observer, if there is one.
void observe(std::string_view pass, const llvm::Module& module);
// Has the observer called for LLVM's passes that run with these callbacks.
void observe_passes(llvm::PassInstrumentationCallbacks& callbacks);

}  // namespace clcuda::compiler
