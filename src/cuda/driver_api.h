// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda.h>

// Includes cuda.h of CUDA 12.4 or newer and adds what CUDA 13 has in addition or under another name. driver_functions.def tells which
// functions the driver may lack at run time. scripts/check-cuda-headers compiles against the headers of a given version.

#if CUDA_VERSION < 12040
#error "cuda.h of CUDA 12.4 or newer is needed"
#endif

#if CUDA_VERSION < 13000
// From CUDA 13.0 on, cuMemPrefetchAsync is the function that takes a location.
#undef cuMemPrefetchAsync
#define cuMemPrefetchAsync cuMemPrefetchAsync_v2
#endif

#if CUDA_VERSION < 12050
// Streams of green contexts, and parts of a device that ignore which multiprocessors are scheduled together.
constexpr unsigned CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING = 1;
extern "C" CUresult CUDAAPI cuGreenCtxStreamCreate(CUstream* stream, CUgreenCtx context, unsigned flags,
                                                   int priority);
#endif
