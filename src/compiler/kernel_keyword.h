// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <clang/Lex/Token.h>
#include <llvm/ADT/SmallVector.h>

namespace clcuda::compiler {

// Clang 22 for NVPTX assumes that `kernel` precedes a function and crashes on anything else: a variable, a
// type, a parameter or a second declarator. This class parses the tokens of each declaration that begins with
// the keyword to detect these.
class KernelKeywordCheck {
 public:
  // False if the declaration that the token belongs to is not that of one function.
  bool accepts(const clang::Token& token);
  // What must follow, if nothing else does, for the declaration to be that of a function.
  using Completion = llvm::SmallVector<clang::tok::TokenKind, 4>;
  Completion completion() const;

 private:
  enum class State { outside, specifiers, attribute, parameters, behind };

  enum class Linkage { none, external, named };  // how much of `extern "C"` the last tokens are

  void follow_braces(const clang::Token& token);
  bool enter(const clang::Token& token);
  bool specifier(const clang::Token& token);
  bool behind(const clang::Token& token);

  State state_ = State::outside, after_attribute_ = State::outside;
  Linkage linkage_ = Linkage::none;
  int scopes_ = 0;  // braces of namespaces and linkage specifications, around all others
  int braces_ = 0, parentheses_ = 0, opened_at_ = 0;
  bool after_identifier_ = false, behind_namespace_ = false;
};

}  // namespace clcuda::compiler
