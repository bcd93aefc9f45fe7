// SPDX-License-Identifier: Apache-2.0
#pragma once

// The integers of which layouts consist that device code (OpenCL C) and runtime (C++) share.
#ifdef __OPENCL_VERSION__
typedef ulong clcuda_u64;
typedef uint clcuda_u32;
#else
#include <cstdint>
using clcuda_u64 = std::uint64_t;
using clcuda_u32 = std::uint32_t;
#endif
