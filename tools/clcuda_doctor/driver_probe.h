// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "child.h"

namespace clcuda::doctor {

// What libcuda.so.1 tells when it is started in a child process, asked once:
//
//   failure   why it cannot be used (not there, or older than what clcuda needs)
//   library   its file
//   version   12080
//   init      code, name, description
//   gpu       a line for each: name, compute capability × 10, compute mode, code and description of making a context, bytes free and in all
const ChildReport& driver_probe();

// What libnvidia-ml.so.1 tells, which sees all GPUs, and starts none:
//
//   version   of the driver
//   failure   code of nvmlInit
//   gpu       a line for each: name, compute mode, MIG mode
const ChildReport& management_probe();

}  // namespace clcuda::doctor
