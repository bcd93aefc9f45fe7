// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl.h>

#include <string>

namespace test {

// clCreateProgramWithSource or, if CLCUDA_TEST_IL is set, the same program as SPIR-V. The variable's value is a command that compiles a
// source to a module; options, input and output are appended. A source that it rejects is passed to clCreateProgramWithSource.
// (CLCUDA_TEST_IL_LOG prints the command's messages.) At the end, a test program prints how many programs there were of each kind.
//
//   CLCUDA_TEST_IL="clang-22 --target=spirv64v1.4 -O2" build/release/tests/kernels/kernels_loops
cl_program create_program(cl_context context, cl_device_id device, const std::string& source,
                          const std::string& options, cl_int* error);

}  // namespace test
