// SPDX-License-Identifier: Apache-2.0
// Functions for what no device of ours has: each answers with the error that the specification names for
// that.
#include <CL/cl_ext.h>
#include <CL/cl_gl.h>

#include <vector>

#include "support/device_info.h"

namespace {

class NotOffered : public test::OpenCL {};

TEST_F(NotOffered, QueuesOnTheDevice) {
  if (test::device_info<cl_device_device_enqueue_capabilities>(device, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES))
    GTEST_SKIP();
  CL_EXPECT(CL_INVALID_OPERATION, clSetDefaultDeviceCommandQueue(context, device, queue));
  CL_EXPECT(CL_INVALID_CONTEXT, clSetDefaultDeviceCommandQueue(nullptr, device, queue));
  CL_EXPECT(CL_INVALID_DEVICE, clSetDefaultDeviceCommandQueue(context, nullptr, queue));
}

// Section 5.1: properties were changeable in OpenCL 1.0 only.
TEST_F(NotOffered, ChangingAQueue) {
  cl_command_queue_properties before = 1;
  CL_EXPECT(CL_INVALID_OPERATION,
            clSetCommandQueueProperty(queue, CL_QUEUE_PROFILING_ENABLE, CL_TRUE, &before));
  CL_EXPECT(CL_INVALID_COMMAND_QUEUE,
            clSetCommandQueueProperty(nullptr, CL_QUEUE_PROFILING_ENABLE, CL_TRUE, nullptr));
}

// cl_khr_gl_sharing: no memory object is made of one of OpenGL's, and the functions are there because loaders export them.
TEST_F(NotOffered, SharingWithOpenGL) {
  cl_int error = 1;
  const test::Buffer buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 64, nullptr, &error);
  CL_OK(error);
  std::vector<cl_mem> memories = {buffer};
  const cl_image_format format{CL_RGBA, CL_FLOAT};
  cl_image_desc shape{};
  shape.image_type = CL_MEM_OBJECT_IMAGE2D;
  shape.image_width = shape.image_height = 4;
  test::Buffer image;
  if (test::device_info<cl_bool>(device, CL_DEVICE_IMAGE_SUPPORT)) {
    image = clCreateImage(context, CL_MEM_READ_WRITE, &format, &shape, nullptr, &error);
    CL_OK(error);
    memories.push_back(image);
  }
  for (cl_mem memory : memories) {
    CL_EXPECT(CL_INVALID_GL_OBJECT, clGetGLObjectInfo(memory, nullptr, nullptr));
    CL_EXPECT(CL_INVALID_GL_OBJECT, clGetGLTextureInfo(memory, CL_GL_TEXTURE_TARGET, 0, nullptr, nullptr));
  }
  CL_EXPECT(CL_INVALID_MEM_OBJECT, clGetGLObjectInfo(nullptr, nullptr, nullptr));
  EXPECT_EQ(clCreateFromGLBuffer(context, CL_MEM_READ_WRITE, 1, &error), nullptr);
  CL_EXPECT(CL_INVALID_OPERATION, error);
  CL_EXPECT(CL_INVALID_OPERATION, clEnqueueAcquireGLObjects(queue, 0, nullptr, 0, nullptr, nullptr));
}

TEST_F(NotOffered, UnloadingTheCompilerLeavesIt) {
  CL_EXPECT(CL_SUCCESS, clUnloadCompiler());
  build("kernel void k() {}");
}

}  // namespace
