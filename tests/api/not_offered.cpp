// SPDX-License-Identifier: Apache-2.0
// Functions for what no device of ours has: each answers with the error that the specification names for
// that.
#include <CL/cl_ext.h>

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

TEST_F(NotOffered, UnloadingTheCompilerLeavesIt) {
  CL_EXPECT(CL_SUCCESS, clUnloadCompiler());
  build("kernel void k() {}");
}

}  // namespace
