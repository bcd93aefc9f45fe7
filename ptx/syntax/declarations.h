// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "ptx/syntax/ast.h"
#include "ptx/syntax/token_stream.h"

namespace clcuda::ptx {

// Takes `.global`, `.shared` … from the stream; nothing, and takes nothing, if something else is next.
std::optional<Space> take_space(TokenStream& tokens);

// Parses what follows a variable's space, up to `;`, `,` or `)`, which it leaves:  .align 4 .b8 name[16] = {1, 2}
Variable parse_variable(TokenStream& tokens, Space space, Linkage linkage);

// Parses `( .param .b32 a, .reg .f32 b )`; empty if there is no `(`.
std::vector<Variable> parse_parameters(TokenStream& tokens);

}  // namespace clcuda::ptx
