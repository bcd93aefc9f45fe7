// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/driver_table.h"

namespace clcuda::ptx {

// The CUDA driver functions over the PTX executor, with `device_count` identical devices, each with its own
// memory and threads. The first call decides the count. Calls follow CUDA's contract, error codes and
// ordering; launches are asynchronous.
const cuda::DriverTable& driver_table(int device_count);

}  // namespace clcuda::ptx
