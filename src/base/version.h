// SPDX-License-Identifier: Apache-2.0
#pragma once

// The version of clcuda; in version strings it follows that of OpenCL.
#define CLCUDA_VERSION "0.1.0"
