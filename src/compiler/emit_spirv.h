// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "compiler/device_features.h"
#include "compiler/outcome.h"
#include "compiler/source.h"

namespace clcuda::compiler {

// For tools: OpenCL C to a SPIR-V module, by Clang and LLVM's SPIR-V back end, which libclcuda does not contain. Nothing is optimised:
// the back end makes mistakes in what LLVM's passes leave.
struct SpirvModule {
  Status status = Status::failure;
  std::string log;
  std::string bytes;
};
// `minor_version`: 4 for SPIR-V 1.4, the newest in which LLVM 22's modules are known to be right.
SpirvModule make_spirv(const Source& source, const std::string& options, const DeviceFeatures& features,
                       int minor_version);

}  // namespace clcuda::compiler
