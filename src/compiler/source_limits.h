// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace clang {
class CompilerInstance;
}

namespace clcuda::compiler {

// Bounds on what the parser is given, watched token by token after macro expansion: the number of tokens, the
// length of one expression (a long chain of operators is a deep tree) and the stack that the recursive parser
// has used (nesting of any other kind). Passing one is an error, with which the source ends. Everything behind the parser
// recurses over the same tree with a stack many times the bound.
void watch_source_limits(clang::CompilerInstance& compiler);

}  // namespace clcuda::compiler
