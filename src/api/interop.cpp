// SPDX-License-Identifier: Apache-2.0
// Sharing with OpenGL and EGL is not supported. The functions are in the dispatch table all the same, so a loader may call them.
#include "api/entry_point.h"
#include "runtime/memory/memory_object.h"
#include "runtime/platform/context.h"

namespace clcuda::api {
namespace {

template <class Handle>
Handle refuse_shared_object(cl_context context, cl_int* error, const char* function = __builtin_FUNCTION()) {
  const auto refuse = [&]() -> Handle {
    object_of<Context>(context);
    throw Error(CL_INVALID_OPERATION, "sharing with OpenGL and EGL is not supported");
  };
  return created(error, context, refuse, function);
}

cl_int refuse_shared_command(cl_command_queue queue, const char* function = __builtin_FUNCTION()) {
  const auto refuse = [&] {
    require(find_object(queue, ObjectType::command_queue) != nullptr, CL_INVALID_COMMAND_QUEUE,
            "not a valid handle");
    throw Error(CL_INVALID_OPERATION, "sharing with OpenGL and EGL is not supported");
  };
  return guarded(queue, refuse, function);
}

cl_int refuse_shared_query(cl_mem memory, const char* function = __builtin_FUNCTION()) {
  const auto refuse = [&] {
    memory_object_of(memory);
    throw Error(CL_INVALID_GL_OBJECT, "not made from an OpenGL object");
  };
  return guarded(memory, refuse, function);
}

}  // namespace
}  // namespace clcuda::api

using namespace clcuda::api;

cl_mem CL_API_CALL clCreateFromGLBuffer(cl_context context, cl_mem_flags, cl_GLuint, cl_int* error) {
  return refuse_shared_object<cl_mem>(context, error);
}

cl_mem CL_API_CALL clCreateFromGLTexture(cl_context context, cl_mem_flags, cl_GLenum, cl_GLint, cl_GLuint,
                                         cl_int* error) {
  return refuse_shared_object<cl_mem>(context, error);
}

cl_mem CL_API_CALL clCreateFromGLTexture2D(cl_context context, cl_mem_flags, cl_GLenum, cl_GLint, cl_GLuint,
                                           cl_int* error) {
  return refuse_shared_object<cl_mem>(context, error);
}

cl_mem CL_API_CALL clCreateFromGLTexture3D(cl_context context, cl_mem_flags, cl_GLenum, cl_GLint, cl_GLuint,
                                           cl_int* error) {
  return refuse_shared_object<cl_mem>(context, error);
}

cl_mem CL_API_CALL clCreateFromGLRenderbuffer(cl_context context, cl_mem_flags, cl_GLuint, cl_int* error) {
  return refuse_shared_object<cl_mem>(context, error);
}

cl_int CL_API_CALL clGetGLObjectInfo(cl_mem memory, cl_gl_object_type*, cl_GLuint*) {
  return refuse_shared_query(memory);
}

cl_int CL_API_CALL clGetGLTextureInfo(cl_mem memory, cl_gl_texture_info, size_t, void*, size_t*) {
  return refuse_shared_query(memory);
}

cl_int CL_API_CALL clEnqueueAcquireGLObjects(cl_command_queue queue, cl_uint, const cl_mem*, cl_uint,
                                             const cl_event*, cl_event*) {
  return refuse_shared_command(queue);
}

cl_int CL_API_CALL clEnqueueReleaseGLObjects(cl_command_queue queue, cl_uint, const cl_mem*, cl_uint,
                                             const cl_event*, cl_event*) {
  return refuse_shared_command(queue);
}

cl_int CL_API_CALL clGetGLContextInfoKHR(const cl_context_properties*, cl_gl_context_info, size_t, void*,
                                         size_t*) {
  return guarded([] { throw clcuda::Error(CL_INVALID_OPERATION, "sharing with OpenGL is not supported"); });
}

cl_event CL_API_CALL clCreateEventFromGLsyncKHR(cl_context context, cl_GLsync, cl_int* error) {
  return refuse_shared_object<cl_event>(context, error);
}

cl_mem CL_API_CALL clCreateFromEGLImageKHR(cl_context context, CLeglDisplayKHR, CLeglImageKHR, cl_mem_flags,
                                           const cl_egl_image_properties_khr*, cl_int* error) {
  return refuse_shared_object<cl_mem>(context, error);
}

cl_int CL_API_CALL clEnqueueAcquireEGLObjectsKHR(cl_command_queue queue, cl_uint, const cl_mem*, cl_uint,
                                                 const cl_event*, cl_event*) {
  return refuse_shared_command(queue);
}

cl_int CL_API_CALL clEnqueueReleaseEGLObjectsKHR(cl_command_queue queue, cl_uint, const cl_mem*, cl_uint,
                                                 const cl_event*, cl_event*) {
  return refuse_shared_command(queue);
}

cl_event CL_API_CALL clCreateEventFromEGLSyncKHR(cl_context context, CLeglSyncKHR, CLeglDisplayKHR,
                                                 cl_int* error) {
  return refuse_shared_object<cl_event>(context, error);
}
