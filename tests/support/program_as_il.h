// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl.h>

#include <string>

namespace test {

// clCreateProgramWithSource or, where CLCUDA_TEST_IL is set, the same program as SPIR-V. Its value is the
// command that makes a module of a source, to which options, input and output are added; what it refuses is
// handed over as source all the same. (With CLCUDA_TEST_IL_LOG its messages are printed.) At the end, a test
// program says how many there were of each.
//
//   CLCUDA_TEST_IL="clang-22 --target=spirv64v1.4 -O2" build/release/tests/kernels/kernels_loops
cl_program create_program(cl_context context, cl_device_id device, const std::string& source,
                          const std::string& options, cl_int* error);

}  // namespace test
