// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compiler/device_features.h"
#include "compiler/spirv/enumerants.h"

namespace clcuda::compiler::spirv {

// True if a module may declare the capability: the reader implements it, and the device has what it needs.
bool is_supported(Capability capability, const DeviceFeatures& features);

}  // namespace clcuda::compiler::spirv
