// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "ptx/syntax/ast.h"
#include "ptx/syntax/token_stream.h"

namespace clcuda::ptx {

// `.global`, `.shared` … as a space, taken from the stream; nothing if something else stands there.
std::optional<Space> take_space(TokenStream& tokens);

// What follows the space of a variable, up to and without `;`, `,` or `)`:  .align 4 .b8 name[16] = {1, 2}
Variable parse_variable(TokenStream& tokens, Space space, Linkage linkage);

// `( .param .b32 a, .reg .f32 b )`, or nothing.
std::vector<Variable> parse_parameters(TokenStream& tokens);

}  // namespace clcuda::ptx
