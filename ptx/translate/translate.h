// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "ptx/abi/code_object.h"
#include "ptx/abi/tier.h"

namespace clcuda::ptx {

struct TranslationOptions {
  Tier tier = Tier::full;
  std::optional<std::string_view> only_kernel = {};  // code of all kernels, if none is named
};

// PTX units linked together → machine code for this host. Throws std::runtime_error with unit, line and
// reason if the PTX is refused.
CodeObjectDescription translate(std::span<const std::string_view> units, const TranslationOptions& options);

}  // namespace clcuda::ptx
