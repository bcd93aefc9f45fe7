// SPDX-License-Identifier: Apache-2.0
#include "compiler/early_end.h"

#include <clang/Basic/Diagnostic.h>
#include <clang/Lex/Lexer.h>
#include <clang/Lex/Preprocessor.h>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace clcuda::compiler {
namespace {

// `shown` is the parser's own token. The token watcher's interface makes it const.
void replace(const clang::Token& shown, clang::tok::TokenKind kind) {
  auto& token = const_cast<clang::Token&>(shown);
  const clang::SourceLocation where = token.getLocation();
  token.startToken();
  token.setKind(kind);
  token.setLocation(where);
}

}  // namespace

void EarlyEnd::refuse(clang::SourceLocation where, llvm::StringRef what) {
  reached_ = true;
  clang::DiagnosticsEngine& diagnostics = preprocessor_.getDiagnostics();
  diagnostics.Report(where, diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0")) << what;
  diagnostics.setSuppressAllDiagnostics(true);
  empty_macros(where);
}

// Every file has a clang::Lexer. While a macro is being expanded there is no current lexer.
void EarlyEnd::cut_file() {
  if (auto* lexer = static_cast<clang::Lexer*>(preprocessor_.getCurrentLexer()))
    lexer->seek(static_cast<unsigned>(lexer->getBuffer().size()), /*IsAtStartOfLine=*/true);
}

void EarlyEnd::cut_source(const clang::Token& shown, llvm::ArrayRef<clang::tok::TokenKind> lacking) {
  if (lacking.empty()) return replace(shown, clang::tok::eof);
  const std::size_t count = lacking.size();
  auto rest = std::make_unique<clang::Token[]>(count);
  for (std::size_t i = 0; i < count; ++i) {
    rest[i] = shown;
    replace(rest[i], i + 1 < count ? lacking[i + 1] : clang::tok::eof);
  }
  replace(shown, lacking[0]);
  preprocessor_.EnterTokenStream(std::move(rest), static_cast<unsigned>(count),
                                 /*DisableMacroExpansion=*/true, /*IsReinject=*/true);
}

// Macros whose expansion has begun are still expanded to their ends; macros that they name expand to nothing.
void EarlyEnd::empty_macros(clang::SourceLocation where) {
  std::vector<clang::IdentifierInfo*> names;
  for (const auto& [identifier, state] : preprocessor_.macros(/*IncludeExternalMacros=*/false)) {
    auto* name = const_cast<clang::IdentifierInfo*>(identifier);
    const clang::MacroInfo* macro = preprocessor_.getMacroInfo(name);
    if (macro && !macro->isBuiltinMacro()) names.push_back(name);
  }
  for (clang::IdentifierInfo* name : names)
    preprocessor_.appendDefMacroDirective(name, preprocessor_.AllocateMacroInfo(where));
}

}  // namespace clcuda::compiler
