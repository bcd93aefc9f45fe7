// SPDX-License-Identifier: Apache-2.0
#pragma once

// Callbacks, called on threads of the library. They call OpenCL functions that do not block, as section 5.11 and others allow. Their
// handles may be invalid by then.
#include <CL/cl.h>

namespace test {

// Creates and releases a buffer and a user event in the context.
inline void use_context(cl_context context) {
  cl_int error = 0;
  if (const cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 64, nullptr, &error))
    clReleaseMemObject(buffer);
  if (const cl_event user = clCreateUserEvent(context, &error)) {
    clSetUserEventStatus(user, CL_COMPLETE);
    clReleaseEvent(user);
  }
}

inline void CL_CALLBACK after_event(cl_event event, cl_int, void*) {
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  cl_event marker = nullptr;
  clGetEventInfo(event, CL_EVENT_CONTEXT, sizeof context, &context, nullptr);
  clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, nullptr);
  if (context) use_context(context);
  if (!queue || clEnqueueMarkerWithWaitList(queue, 1, &event, &marker) != CL_SUCCESS) return;
  clFlush(queue);
  clReleaseEvent(marker);
}

// The handle is not valid any more (sections 5.5.1 and 5.8.2).
inline void CL_CALLBACK after_release(cl_mem memory, void*) {
  clGetMemObjectInfo(memory, CL_MEM_SIZE, 0, nullptr, nullptr);
}
inline void CL_CALLBACK after_release(cl_program program, void*) {
  clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, nullptr, nullptr);
}

inline void CL_CALLBACK after_context(cl_context context, void*) { use_context(context); }

inline void CL_CALLBACK after_build(cl_program program, void*) {
  cl_uint count = 0;
  cl_context context = nullptr;
  clGetProgramInfo(program, CL_PROGRAM_CONTEXT, sizeof context, &context, nullptr);
  if (context) use_context(context);
  clCreateKernelsInProgram(program, 0, nullptr, &count);
}

inline void CL_CALLBACK free_shared(cl_command_queue queue, cl_uint count, void* pointers[], void*) {
  cl_context context = nullptr;
  clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, nullptr);
  for (cl_uint i = 0; context && i < count; ++i) clSVMFree(context, pointers[i]);
}

}  // namespace test
