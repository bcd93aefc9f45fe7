// SPDX-License-Identifier: Apache-2.0
#include <llvm/Plugins/PassPlugin.h>

// Debian's LLVM refers to Polly from Clang's own optimisation pipeline, which this compiler does not run. This stub saves linking several
// megabytes of Polly.
llvm::PassPluginLibraryInfo getPollyPluginInfo();
llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "none", "", [](llvm::PassBuilder&) {}, nullptr};
}
