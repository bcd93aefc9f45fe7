// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <clang/Basic/SourceLocation.h>
#include <clang/Basic/TokenKinds.h>
#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>

namespace clang {
class Preprocessor;
class Token;
}  // namespace clang

namespace clcuda::compiler {

// Ends the compilation of a program that exceeds a limit. An exception would leak everything that Clang's
// frames own, and half-constructed objects could not be destroyed. Instead, Clang is made to see the end of
// the source, as after code completion for an editor: further diagnostics are suppressed, each further token
// of the parser is the end of the file, and files and macros yield nothing more. Clang then finishes as for
// any truncated source.
class EarlyEnd {
 public:
  explicit EarlyEnd(clang::Preprocessor& preprocessor) : preprocessor_(preprocessor) {}

  bool reached() const { return reached_; }  // whether refuse() has been called

  // An error, and the last of the program.
  void refuse(clang::SourceLocation where, llvm::StringRef what);

  // To be called from then on in all callbacks of the preprocessor: the current file has ended.
  void cut_file();

  // To be called from then on for each token passed to the preprocessor's token watcher, which is the
  // parser's own object: it becomes the end of the source, after `lacking`.
  void cut_source(const clang::Token& shown, llvm::ArrayRef<clang::tok::TokenKind> lacking);

 private:
  void empty_macros(clang::SourceLocation where);

  clang::Preprocessor& preprocessor_;
  bool reached_ = false;
};

}  // namespace clcuda::compiler
