// SPDX-License-Identifier: Apache-2.0
// The driver errors after which the process has lost its device.
#include <gtest/gtest.h>

#include "cuda/error.h"

namespace {

using clcuda::cuda::is_fatal;

// By number: 226 contained, 700 illegal address, 719 launch failed, 721 tensor memory leaked, 810 MPS client
// ended, 911 external device.
TEST(DriverErrors, ThoseThatEveryLaterCallReturnsAreFatal) {
  for (const int error : {226, 700, 719, 721, 810, 911})
    EXPECT_TRUE(is_fatal(static_cast<CUresult>(error))) << error;
}

// Errors of one call after which the next one may succeed, and errors that each device returns when the process ends.
TEST(DriverErrors, ThoseOfOneCallAreNot) {
  for (const CUresult error :
       {CUDA_SUCCESS, CUDA_ERROR_OUT_OF_MEMORY, CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_NOT_READY,
        CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, CUDA_ERROR_DEINITIALIZED})
    EXPECT_FALSE(is_fatal(error)) << error;
}

}  // namespace
