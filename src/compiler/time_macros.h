// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace clang {
class CompilerInstance;
}

namespace clcuda::compiler {

// Sets `used` when __DATE__, __TIME__ or __TIMESTAMP__ is expanded, however it is written (with ##, or over two lines), so that builds are
// not repeatable. `used` must outlive the compilation.
void watch_time_macros(clang::CompilerInstance& compiler, bool& used);

}  // namespace clcuda::compiler
