// SPDX-License-Identifier: Apache-2.0
#include "compiler/spirv/refuse.h"

#include "compiler/refusal.h"

namespace clcuda::compiler::spirv {

void refuse(const std::string& reason) { throw Refusal{reason}; }

}  // namespace clcuda::compiler::spirv
