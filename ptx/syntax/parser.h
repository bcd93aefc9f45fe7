// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "ptx/syntax/ast.h"
#include "ptx/syntax/lexer.h"

namespace clcuda::ptx {

// One PTX unit as a tree. Throws ParseError; takes any bytes.
Module parse(std::string_view text);

}  // namespace clcuda::ptx
