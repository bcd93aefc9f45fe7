// SPDX-License-Identifier: Apache-2.0
#pragma once

// Of clcuda itself; what precedes it in version strings says which OpenCL.
#define CLCUDA_VERSION "0.1.0"
