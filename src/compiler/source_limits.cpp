// SPDX-License-Identifier: Apache-2.0
#include "compiler/source_limits.h"

#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/MacroArgs.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

#include "compiler/build_thread.h"
#include "compiler/early_end.h"
#include "compiler/kernel_keyword.h"

namespace clcuda::compiler {
namespace {

constexpr std::size_t kMostTokens = 1'500'000;
constexpr std::size_t kMostOperators = 20'000;  // in one expression
constexpr std::size_t kMostMacroExpansions = 3'000'000;
constexpr std::size_t kMostInclusions = 20'000;
constexpr std::size_t kParserShareOfStack = 128;  // the parser may use 1/128 of the stack

class TokenWatch {
 public:
  TokenWatch(std::shared_ptr<EarlyEnd> end, std::size_t stack_at_start)
      : end_(std::move(end)), stack_bound_(stack_at_start + compiler_stack_size() / kParserShareOfStack) {}

  void operator()(const clang::Token& token) {
    if (!end_->reached()) {
      const char* problem = problem_of(token);
      if (!problem) return;
      end_->refuse(token.getLocation(), problem);
    }
    const auto lacking = cut_ ? KernelKeywordCheck::Completion() : kernel_keyword_.completion();
    cut_ = true;
    end_->cut_source(token, lacking);
  }

 private:
  const char* problem_of(const clang::Token& token) {
    if (++tokens_ > kMostTokens) return "the program has too many tokens";
    if (compiler_stack_used() > stack_bound_) return "the program is nested too deeply";
    if (token.isOneOf(clang::tok::semi, clang::tok::comma, clang::tok::l_brace, clang::tok::r_brace)) {
      operators_ = 0;
    } else if (clang::tok::getPunctuatorSpelling(token.getKind()) && ++operators_ > kMostOperators) {
      return "the expression is too long";
    }
    return kernel_keyword_.accepts(token) ? nullptr : "a kernel must be a function that returns void";
  }

  const std::shared_ptr<EarlyEnd> end_;
  bool cut_ = false;
  KernelKeywordCheck kernel_keyword_;
  const std::size_t stack_bound_;
  std::size_t tokens_ = 0, operators_ = 0;
};

// Macro arguments are expanded into memory before any of their tokens reaches the parser, and nested calls of f(x) = x x double the text at
// every level. The expanded size of an argument is therefore estimated before its expansion. Files that include themselves twice also
// double the text at every level, without producing any token.
class ExpansionWatch final : public clang::PPCallbacks {
 public:
  ExpansionWatch(clang::Preprocessor& preprocessor, std::shared_ptr<EarlyEnd> end)
      : preprocessor_(preprocessor), end_(std::move(end)) {}

  void LexedFileChanged(clang::FileID, LexedFileChangeReason reason, clang::SrcMgr::CharacteristicKind,
                        clang::FileID, clang::SourceLocation where) override {
    if (reason == LexedFileChangeReason::EnterFile && !end_->reached() && ++inclusions_ > kMostInclusions)
      end_->refuse(where, "too many files are included");
    if (end_->reached()) end_->cut_file();
  }

  void MacroExpands(const clang::Token& name, const clang::MacroDefinition& macro, clang::SourceRange,
                    const clang::MacroArgs* arguments) override {
    if (!end_->reached() && (++expansions_ > kMostMacroExpansions ||
                             (arguments && grows_too_large(*macro.getMacroInfo(), *arguments))))
      end_->refuse(name.getLocation(), "too many macro expansions");
    if (end_->reached()) end_->cut_file();
  }

 private:
  bool grows_too_large(const clang::MacroInfo& macro, const clang::MacroArgs& arguments) {
    for (unsigned i = 0; i < macro.getNumParams(); ++i) {
      const clang::Token* first = arguments.getUnexpArgument(i);
      const llvm::ArrayRef<clang::Token> tokens(first, clang::MacroArgs::getArgLength(first));
      double size = 0;
      walk(tokens, [&](const clang::Token&, double copies) { size += copies; });
      if (size > kMostTokens) return true;
    }
    return false;
  }

  // Visits tokens, each with the number of copies that the enclosing macro calls make of it.
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

  // How many times a function-like macro repeats its arguments, including through the macros that it calls.
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
  const std::shared_ptr<EarlyEnd> end_;
  std::size_t expansions_ = 0, inclusions_ = 0;
  llvm::DenseMap<const clang::MacroInfo*, double> growth_;
};

}  // namespace

void watch_source_limits(clang::CompilerInstance& compiler) {
  clang::Preprocessor& preprocessor = compiler.getPreprocessor();
  const auto end = std::make_shared<EarlyEnd>(preprocessor);
  preprocessor.setTokenWatcher(TokenWatch(end, compiler_stack_used()));
  preprocessor.addPPCallbacks(std::make_unique<ExpansionWatch>(preprocessor, end));
}

}  // namespace clcuda::compiler
