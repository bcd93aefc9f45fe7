// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl_icd.h>

#include <cstdint>

// What cl_khr_icd 2.0 adds and the headers of 2023 lack.
#if !defined(CL_ICD2_TAG_KHR)
#if INTPTR_MAX == INT32_MAX
#define CL_ICD2_TAG_KHR (static_cast<std::intptr_t>(0x434C3331))
#else
#define CL_ICD2_TAG_KHR (static_cast<std::intptr_t>(0x4F50454E434C3331))
#endif

extern "C" {
// The function of that name for objects of the platform, or null.
void* CL_API_CALL clIcdGetFunctionAddressForPlatformKHR(cl_platform_id platform, const char* name);
// Gives the platform what the second word of all its handles shall hold.
cl_int CL_API_CALL clIcdSetPlatformDispatchDataKHR(cl_platform_id platform, void* data);
}
#endif
