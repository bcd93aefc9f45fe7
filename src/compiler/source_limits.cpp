// SPDX-License-Identifier: Apache-2.0
#include "compiler/source_limits.h"

#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/MacroArgs.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "compiler/build_thread.h"
#include "compiler/early_end.h"
#include "compiler/kernel_keyword.h"

namespace clcuda::compiler {
namespace {

constexpr std::size_t kMostTokens = 1'500'000;
constexpr std::size_t kMostOperators = 20'000;  // in one expression
constexpr std::size_t kMostMacroExpansions = 3'000'000;
constexpr std::size_t kMostArgumentTokens = 10'000'000;  // examined for all calls of macros
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

  void MacroDefined(const clang::Token& name, const clang::MacroDirective*) override { forget(name); }
  void MacroUndefined(const clang::Token& name, const clang::MacroDefinition&,
                      const clang::MacroDirective*) override {
    forget(name);
  }
  void MacroExpands(const clang::Token& name, const clang::MacroDefinition& macro, clang::SourceRange,
                    const clang::MacroArgs* arguments) override {
    if (!end_->reached() && (++expansions_ > kMostMacroExpansions ||
                             (arguments && grows_too_large(*macro.getMacroInfo(), *arguments))))
      end_->refuse(name.getLocation(), "too many macro expansions");
    if (end_->reached()) end_->cut_file();
  }

 private:
  // Growth is remembered for macros as they are, which most new macros do not change.
  void forget(const clang::Token& name) {
    if (!examined_.contains(name.getIdentifierInfo())) return;
    growth_.clear();
    examined_.clear();
  }

  // The macro of that name; null if there is none.
  const clang::MacroInfo* macro_named(const clang::IdentifierInfo* name) {
    if (!name) return nullptr;
    examined_.insert(name);
    return preprocessor_.getMacroInfo(name);
  }

  // Calls of x within each other have all inner ones in each argument, so their sum counts, too.
  bool grows_too_large(const clang::MacroInfo& macro, const clang::MacroArgs& arguments) {
    for (unsigned i = 0; i < macro.getNumParams(); ++i) {
      const clang::Token* first = arguments.getUnexpArgument(i);
      const llvm::ArrayRef<clang::Token> tokens(first, clang::MacroArgs::getArgLength(first));
      argument_tokens_ += tokens.size();
      if (argument_tokens_ > kMostArgumentTokens) return true;
      double size = 0;
      walk(tokens, [&](const clang::Token&, double copies) { size += copies; });
      if (size > kMostTokens || argument_tokens_ > kMostArgumentTokens) return true;
    }
    return false;
  }

  // How many times a function-like macro repeats each of its arguments, including through the macros that it calls.
  using Growth = std::vector<double>;

  // A call in the text, or another pair of parentheses.
  struct Call {
    double copies_outside;
    const Growth* growth;  // of a macro
    std::size_t argument = 0;

    bool may_split = false;  // an argument so far may become several

    double copies() const {
      if (!growth) return copies_outside;
      const auto own = growth->begin() + static_cast<std::ptrdiff_t>(std::min(argument, growth->size() - 1));
      return copies_outside * (may_split ? *std::max_element(own, growth->end()) : *own);
    }
  };

  // Visits tokens, each with the number of copies that the enclosing macro calls make of it.
  void walk(llvm::ArrayRef<clang::Token> tokens,
            llvm::function_ref<void(const clang::Token&, double)> visit) {
    llvm::SmallVector<Call> calls;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (!calls.empty() && may_have_commas(tokens[i])) calls.back().may_split = true;
      visit(tokens[i], calls.empty() ? 1 : calls.back().copies());
      if (tokens[i].is(clang::tok::l_paren)) {
        calls.push_back({calls.empty() ? 1 : calls.back().copies(), i > 0 ? growth(tokens[i - 1]) : nullptr});
      } else if (tokens[i].is(clang::tok::comma) && !calls.empty()) {
        ++calls.back().argument;
      } else if (tokens[i].is(clang::tok::r_paren) && !calls.empty()) {
        calls.pop_back();
      }
    }
  }

  // Whether a name in a call may stand for several arguments: the rest of a macro's own, or a macro without parameters.
  bool may_have_commas(const clang::Token& token) {
    const clang::IdentifierInfo* name = token.getIdentifierInfo();
    if (!name) return false;
    if (name == preprocessor_.getIdentifierInfo("__VA_ARGS__")) return true;
    const clang::MacroInfo* macro = macro_named(name);
    return macro && macro->isObjectLike() && macro->getNumTokens() > 1;
  }

  // Null if the name is none of a macro with parameters.
  const Growth* growth(const clang::Token& name) {
    const clang::MacroInfo* macro = macro_named(name.getIdentifierInfo());
    if (!macro || !macro->isFunctionLike() || macro->getNumParams() == 0) return nullptr;
    // A macro is not expanded in its own expansion, so what it is taken for meanwhile does not matter.
    const auto [known, is_new] = growth_.try_emplace(macro, Growth(macro->getNumParams(), 1.0));
    if (!is_new) return &known->second;
    argument_tokens_ += macro->getNumTokens();  // macros may be defined anew before every call
    Growth uses(macro->getNumParams(), 0.0);
    walk(macro->tokens(), [&](const clang::Token& token, double copies) {
      const clang::IdentifierInfo* parameter = token.getIdentifierInfo();
      const int number = parameter ? macro->getParameterNum(parameter) : -1;
      if (number >= 0) uses[static_cast<std::size_t>(number)] += copies;
    });
    for (double& count : uses) count = std::max(1.0, count);
    known->second = std::move(uses);
    return &known->second;
  }

  clang::Preprocessor& preprocessor_;
  const std::shared_ptr<EarlyEnd> end_;
  std::size_t expansions_ = 0, inclusions_ = 0, argument_tokens_ = 0;
  std::map<const clang::MacroInfo*, Growth> growth_;
  llvm::DenseSet<const clang::IdentifierInfo*>
      examined_;  // names on whose macros, or lack of them, growth_ depends
};

}  // namespace

void watch_source_limits(clang::CompilerInstance& compiler) {
  clang::Preprocessor& preprocessor = compiler.getPreprocessor();
  const auto end = std::make_shared<EarlyEnd>(preprocessor);
  preprocessor.setTokenWatcher(TokenWatch(end, compiler_stack_used()));
  preprocessor.addPPCallbacks(std::make_unique<ExpansionWatch>(preprocessor, end));
}

}  // namespace clcuda::compiler
