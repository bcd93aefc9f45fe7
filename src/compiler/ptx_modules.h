// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace clcuda::compiler {

// The code of a variant (VariantCode::ptx) is one PTX module, or several, one behind the other, each with some of the kernels and all
// that they need.

std::string join_ptx_modules(const std::vector<std::string>& modules);
std::vector<std::string_view> ptx_modules(std::string_view text);

// The entries of the modules: in which module each is.
std::map<std::string_view, std::size_t> ptx_entries(const std::vector<std::string_view>& modules);

}  // namespace clcuda::compiler
