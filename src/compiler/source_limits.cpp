// SPDX-License-Identifier: Apache-2.0
#include "compiler/source_limits.h"

#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/MacroArgs.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>

#include <cstddef>
#include <memory>
#include <string>

#include "compiler/build_thread.h"

namespace clcuda::compiler {
namespace {

constexpr std::size_t most_tokens = 6'000'000;
constexpr std::size_t most_operators = 20'000;  // in one expression
constexpr std::size_t most_macro_expansions = 3'000'000;
constexpr std::size_t parser_share_of_stack = 32;  // the parser may use one part in so many

[[noreturn]] void refuse(clang::Preprocessor& preprocessor, clang::SourceLocation where,
                         const std::string& what) {
  const clang::PresumedLoc at = preprocessor.getSourceManager().getPresumedLoc(where);
  const std::string place = at.isValid()
                                ? std::string(at.getFilename()) + ":" + std::to_string(at.getLine()) + ": "
                                : std::string();
  throw CompilerFault{place + "error: " + what};
}

class TokenWatch {
 public:
  TokenWatch(clang::Preprocessor& preprocessor, std::size_t stack_at_start)
      : preprocessor_(preprocessor),
        stack_bound_(stack_at_start + build_stack_size() / parser_share_of_stack) {}

  void operator()(const clang::Token& token) {
    if (++tokens_ > most_tokens)
      refuse(preprocessor_, token.getLocation(), "the program has too many tokens");
    if (build_stack_used() > stack_bound_)
      refuse(preprocessor_, token.getLocation(), "the program is nested too deeply");
    if (token.isOneOf(clang::tok::semi, clang::tok::comma, clang::tok::l_brace, clang::tok::r_brace)) {
      operators_ = 0;
    } else if (clang::tok::getPunctuatorSpelling(token.getKind()) && ++operators_ > most_operators) {
      refuse(preprocessor_, token.getLocation(), "the expression is too long");
    }
  }

 private:
  clang::Preprocessor& preprocessor_;
  const std::size_t stack_bound_;
  std::size_t tokens_ = 0, operators_ = 0;
};

// Macro arguments are expanded into memory before any of their tokens reaches the parser.
class ExpansionWatch final : public clang::PPCallbacks {
 public:
  explicit ExpansionWatch(clang::Preprocessor& preprocessor) : preprocessor_(preprocessor) {}

  void MacroExpands(const clang::Token& name, const clang::MacroDefinition&, clang::SourceRange,
                    const clang::MacroArgs*) override {
    if (++expansions_ > most_macro_expansions)
      refuse(preprocessor_, name.getLocation(), "too many macro expansions");
  }

 private:
  clang::Preprocessor& preprocessor_;
  std::size_t expansions_ = 0;
};

}  // namespace

void watch_source_limits(clang::CompilerInstance& compiler) {
  clang::Preprocessor& preprocessor = compiler.getPreprocessor();
  preprocessor.setTokenWatcher(TokenWatch(preprocessor, build_stack_used()));
  preprocessor.addPPCallbacks(std::make_unique<ExpansionWatch>(preprocessor));
}

}  // namespace clcuda::compiler
