// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "compiler/device_features.h"

namespace clcuda::compiler {

// An extension or an optional feature of OpenCL C, and its version as CL_MAKE_VERSION encodes it.
struct LanguageFeature {
  const char* name;
  std::uint32_t version;
};

// What OpenCL C programs may use: the compiler declares it, builtins/ implements it. The one table of it, from which devices report. An
// entry is added in the change that makes it work.
std::span<const LanguageFeature> language_extensions();
std::span<const LanguageFeature> language_features();  // __opencl_c_…
// Those that depend on the device or on the user.
std::span<const LanguageFeature> intel_extensions();
inline constexpr LanguageFeature kDeviceEnqueueFeature{"__opencl_c_device_enqueue", 3u << 22};

// The extensions and features of such a device, for the compiler.
DeviceFeatures features_for(const LanguageChoice& choice);

}  // namespace clcuda::compiler
