// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/syntax/ast.h"
#include "ptx/syntax/token_stream.h"

namespace clcuda::ptx {

// Parses the body of `function`, from `{` to its `}`: fills the members below `has_body`. Throws ParseError.
void parse_body(TokenStream& tokens, Function& function);

}  // namespace clcuda::ptx
