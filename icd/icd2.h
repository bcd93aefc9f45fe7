// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl_icd.h>

#include <cstdint>

// Declarations of cl_khr_icd 2.0 that OpenCL's headers of 2023 lack.
#if !defined(CL_ICD2_TAG_KHR)
#if INTPTR_MAX == INT32_MAX
#define CL_ICD2_TAG_KHR (static_cast<std::intptr_t>(0x434C3331))
#else
#define CL_ICD2_TAG_KHR (static_cast<std::intptr_t>(0x4F50454E434C3331))
#endif

extern "C" {
// Returns the platform's function `name`, or null.
void* CL_API_CALL clIcdGetFunctionAddressForPlatformKHR(cl_platform_id platform, const char* name);
// Sets the loader's data, which the platform stores in the second word of all of its handles.
cl_int CL_API_CALL clIcdSetPlatformDispatchDataKHR(cl_platform_id platform, void* data);
}
#endif
