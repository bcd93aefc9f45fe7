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

// Ends the compilation of a program that passed a bound. An exception would lose all that Clang's frames own, and what they have left
// half-built could not be destroyed. So Clang finds the end of the source where it stands, as it does once it has completed code for an
// editor: nothing is reported any more, each further token of the parser's is the end of the file, and files and macros have
// nothing more to give. It then winds up like behind any other source that breaks off.
class EarlyEnd {
 public:
  explicit EarlyEnd(clang::Preprocessor& preprocessor) : preprocessor_(preprocessor) {}

  bool reached() const { return reached_; }

  // An error, and the last of the program.
  void refuse(clang::SourceLocation where, llvm::StringRef what);

  // To be called from then on wherever the preprocessor calls back: there is no more in the file that is being read.
  void cut_file();

  // To be called from then on for each token that the preprocessor's token watcher is shown, which is the parser's own: it becomes the end
  // of the source, behind `lacking`.
  void cut_source(const clang::Token& shown, llvm::ArrayRef<clang::tok::TokenKind> lacking);

 private:
  void empty_macros(clang::SourceLocation where);

  clang::Preprocessor& preprocessor_;
  bool reached_ = false;
};

}  // namespace clcuda::compiler
