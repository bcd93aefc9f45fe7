// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace clang {
class CompilerInstance;
}

namespace clcuda::compiler {

// Limits on the parser's input, checked token by token after macro expansion: the number of tokens, the
// length of one expression (a long chain of operators is a deep tree) and the stack that the recursive parser
// has used (nesting of any other kind). Exceeding one is an error that ends the source. Later stages
// recurse over the same tree with a stack many times this limit.
void watch_source_limits(clang::CompilerInstance& compiler);

}  // namespace clcuda::compiler
