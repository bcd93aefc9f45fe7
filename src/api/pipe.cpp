// SPDX-License-Identifier: Apache-2.0
// Pipes are not offered (CL_DEVICE_PIPE_SUPPORT is false).
#include "api/entry_point.h"
#include "runtime/context.h"

using namespace clcuda;
using namespace clcuda::api;

cl_mem CL_API_CALL clCreatePipe(cl_context context, cl_mem_flags, cl_uint, cl_uint, const cl_pipe_properties*,
                                cl_int* error) {
  return created(error, [&]() -> cl_mem {
    object_of<Context>(context);
    throw Error(CL_INVALID_OPERATION, "no device of the context supports pipes");
  });
}

cl_int CL_API_CALL clGetPipeInfo(cl_mem, cl_pipe_info, size_t, void*, size_t*) {
  return guarded([] { throw Error(CL_INVALID_MEM_OBJECT, "not a pipe"); });
}
