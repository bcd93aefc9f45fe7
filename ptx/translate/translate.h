// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "ptx/abi/code_object.h"
#include "ptx/abi/tier.h"

namespace clcuda::ptx {

// Without `only_kernel`, code of all kernels is generated.
struct TranslationOptions {
  Tier tier = Tier::full;
  std::optional<std::string_view> only_kernel = {};  // code of all kernels, if none is named
};

// Links PTX units and compiles them to machine code for this host. Throws std::runtime_error, with unit, line and reason, if the PTX is
// rejected.
//
//   CodeObjectDescription code = translate(std::array{std::string_view(ptx)}, {});
CodeObjectDescription translate(std::span<const std::string_view> units, const TranslationOptions& options);

}  // namespace clcuda::ptx
