// SPDX-License-Identifier: Apache-2.0
#include "compiler/time_macros.h"

#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/MacroInfo.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>

#include <memory>

namespace clcuda::compiler {
namespace {

class TimeWatch final : public clang::PPCallbacks {
 public:
  explicit TimeWatch(bool& used) : used_(used) {}

  void MacroExpands(const clang::Token& name, const clang::MacroDefinition& macro, clang::SourceRange,
                    const clang::MacroArgs*) override {
    if (!macro.getMacroInfo()->isBuiltinMacro()) return;
    const llvm::StringRef word = name.getIdentifierInfo()->getName();
    used_ |= word == "__DATE__" || word == "__TIME__" || word == "__TIMESTAMP__";
  }

 private:
  bool& used_;
};

}  // namespace

void watch_time_macros(clang::CompilerInstance& compiler, bool& used) {
  compiler.getPreprocessor().addPPCallbacks(std::make_unique<TimeWatch>(used));
}

}  // namespace clcuda::compiler
