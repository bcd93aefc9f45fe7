// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cuda/driver_table.h"

namespace clcuda::cuda {

// The requirements of clcuda: the driver's version in the form of cuDriverGetVersion, and a GPU's compute capability × 10. README.md states
// them, too.
constexpr int kLeastDriverVersion = 12000;
constexpr int kLeastComputeCapability = 75;

// Why the driver, or one of its devices, cannot be used, as a text for the user. Empty if it can be used, or if its version cannot be
// queried.
//   "the driver is for CUDA 11.8; clcuda needs one for CUDA 12.0 or newer"
//   "Quadro P400 has compute capability 6.1; clcuda needs 7.5 (Turing) or newer"
std::string shortcoming_of(const DriverTable& driver);
std::string shortcoming_of(const DriverTable& driver, CUdevice device);

}  // namespace clcuda::cuda
