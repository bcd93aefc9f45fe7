// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/syntax/ast.h"
#include "ptx/syntax/token_stream.h"

namespace clcuda::ptx {

// The body of `function`, from `{` to its `}`: fills everything below `has_body`.
void parse_body(TokenStream& tokens, Function& function);

}  // namespace clcuda::ptx
