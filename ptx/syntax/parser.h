// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "ptx/syntax/ast.h"
#include "ptx/syntax/lexer.h"

namespace clcuda::ptx {

// Parses one PTX unit. `text` may be any bytes; throws ParseError unless they are PTX that the executor supports. Its instructions match
// lines of instructions.def, so the translator need not check that.
//
//   Module module = parse(".version 7.8 .target sm_90 .address_size 64 .visible .entry k() { ret; }");
Module parse(std::string_view text);

}  // namespace clcuda::ptx
