// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace clcuda::compiler {

// The code of a variant (VariantCode::ptx) is one PTX module, or the concatenation of several, each with some
// of the kernels and all their dependencies.

std::string join_ptx_modules(const std::vector<std::string>& modules);
std::vector<std::string_view> ptx_modules(std::string_view text);

// For each entry, the number of its module.
std::map<std::string_view, std::size_t> ptx_entries(const std::vector<std::string_view>& modules);

}  // namespace clcuda::compiler
