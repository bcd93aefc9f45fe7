// SPDX-License-Identifier: Apache-2.0
#include "compiler/source_limits.h"

#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/MacroArgs.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>

#include "compiler/build_thread.h"
#include "compiler/kernel_keyword.h"

namespace clcuda::compiler {
namespace {

constexpr std::size_t most_tokens = 1'500'000;
constexpr std::size_t most_operators = 20'000;  // in one expression
constexpr std::size_t most_macro_expansions = 3'000'000;
constexpr std::size_t most_inclusions = 20'000;
constexpr std::size_t parser_share_of_stack = 128;  // the parser may use one part in so many

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
        stack_bound_(stack_at_start + compiler_stack_size() / parser_share_of_stack) {}

  void operator()(const clang::Token& token) {
    if (++tokens_ > most_tokens)
      refuse(preprocessor_, token.getLocation(), "the program has too many tokens");
    if (!kernel_keyword_.accepts(token)) {
      refuse(preprocessor_, token.getLocation(), "a kernel must be a function that returns void");
    }
    if (compiler_stack_used() > stack_bound_)
      refuse(preprocessor_, token.getLocation(), "the program is nested too deeply");
    if (token.isOneOf(clang::tok::semi, clang::tok::comma, clang::tok::l_brace, clang::tok::r_brace)) {
      operators_ = 0;
    } else if (clang::tok::getPunctuatorSpelling(token.getKind()) && ++operators_ > most_operators) {
      refuse(preprocessor_, token.getLocation(), "the expression is too long");
    }
  }

 private:
  clang::Preprocessor& preprocessor_;
  KernelKeywordCheck kernel_keyword_;
  const std::size_t stack_bound_;
  std::size_t tokens_ = 0, operators_ = 0;
};

// Macro arguments are expanded into memory before any of their tokens reaches the parser, and nested calls of
// f(x) = x x double at every level. What an argument will grow to is estimated before it is expanded.
// Files that include themselves twice double at every level, too; that needs no token.
class ExpansionWatch final : public clang::PPCallbacks {
 public:
  explicit ExpansionWatch(clang::Preprocessor& preprocessor) : preprocessor_(preprocessor) {}

  void LexedFileChanged(clang::FileID, LexedFileChangeReason reason, clang::SrcMgr::CharacteristicKind,
                        clang::FileID, clang::SourceLocation where) override {
    if (reason == LexedFileChangeReason::EnterFile && ++inclusions_ > most_inclusions)
      refuse(preprocessor_, where, "too many files are included");
  }

  void MacroExpands(const clang::Token& name, const clang::MacroDefinition& macro, clang::SourceRange,
                    const clang::MacroArgs* arguments) override {
    const auto refuse_it = [&] { refuse(preprocessor_, name.getLocation(), "too many macro expansions"); };
    if (++expansions_ > most_macro_expansions) refuse_it();
    if (!arguments) return;
    for (unsigned i = 0; i < macro.getMacroInfo()->getNumParams(); ++i) {
      const clang::Token* first = arguments->getUnexpArgument(i);
      const llvm::ArrayRef<clang::Token> tokens(first, clang::MacroArgs::getArgLength(first));
      double size = 0;
      walk(tokens, [&](const clang::Token&, double copies) { size += copies; });
      if (size > most_tokens) refuse_it();
    }
  }

 private:
  // Visits tokens with the number of copies that the macro calls around each make of it.
  void walk(llvm::ArrayRef<clang::Token> tokens,
            llvm::function_ref<void(const clang::Token&, double)> visit) {
    llvm::SmallVector<double> outer;
    double copies = 1;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      visit(tokens[i], copies);
      if (tokens[i].is(clang::tok::l_paren)) {
        outer.push_back(copies);
        if (i > 0) copies *= growth(tokens[i - 1]);
      } else if (tokens[i].is(clang::tok::r_paren) && !outer.empty()) {
        copies = outer.pop_back_val();
      }
    }
  }

  // How often a function-like macro repeats its arguments, through the macros that it calls in turn.
  double growth(const clang::Token& name) {
    const clang::IdentifierInfo* identifier = name.getIdentifierInfo();
    const clang::MacroInfo* macro = identifier ? preprocessor_.getMacroInfo(identifier) : nullptr;
    if (!macro || !macro->isFunctionLike()) return 1;
    const auto [known, is_new] = growth_.try_emplace(macro, 1.0);
    if (!is_new) return known->second;
    double uses = 0;
    walk(macro->tokens(), [&](const clang::Token& token, double copies) {
      const clang::IdentifierInfo* parameter = token.getIdentifierInfo();
      if (parameter && macro->getParameterNum(parameter) >= 0) uses += copies;
    });
    return growth_[macro] = std::max(1.0, uses);
  }

  clang::Preprocessor& preprocessor_;
  std::size_t expansions_ = 0, inclusions_ = 0;
  llvm::DenseMap<const clang::MacroInfo*, double> growth_;
};

}  // namespace

void watch_source_limits(clang::CompilerInstance& compiler) {
  clang::Preprocessor& preprocessor = compiler.getPreprocessor();
  preprocessor.setTokenWatcher(TokenWatch(preprocessor, compiler_stack_used()));
  preprocessor.addPPCallbacks(std::make_unique<ExpansionWatch>(preprocessor));
}

}  // namespace clcuda::compiler
