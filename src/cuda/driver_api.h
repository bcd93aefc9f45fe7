// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda.h>

// cuda.h as CUDA 13 has it, also from an older toolkit (12.4 and newer): what that lacks or calls by another
// name. What the driver lacks at run time is another matter (driver_functions.def).
// scripts/check-cuda-headers compiles against the headers of a given version.

#if CUDA_VERSION < 12040
#error "cuda.h of CUDA 12.4 or newer is needed"
#endif

#if CUDA_VERSION < 13000
// The function that takes a location has the plain name from 13.0 on.
#undef cuMemPrefetchAsync
#define cuMemPrefetchAsync cuMemPrefetchAsync_v2
#endif

#if CUDA_VERSION < 12050
// Streams of green contexts, and parts of a device that ignore which multiprocessors are scheduled together.
constexpr unsigned CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING = 1;
extern "C" CUresult CUDAAPI cuGreenCtxStreamCreate(CUstream* stream, CUgreenCtx context, unsigned flags,
                                                   int priority);
#endif
