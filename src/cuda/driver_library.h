// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cuda/driver_table.h"

namespace clcuda::cuda {

// Whether this machine seems to have an NVIDIA GPU: libcuda.so.1 can be opened and a device node exists.
// Cheap, and without cuInit(), which takes 100–190 ms and must not run before a program forks.
bool gpu_present();

// The functions of libcuda.so.1, opened once per process. Null if the library cannot be opened or is too old for clcuda; `reason`, if
// given, then says why.
const DriverTable* gpu_driver(std::string* reason = nullptr);

}  // namespace clcuda::cuda
