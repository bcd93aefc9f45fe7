// SPDX-License-Identifier: Apache-2.0
#include "support/opencl.h"

namespace {

class CreateCommandQueueWithProperties : public test::OpenCL {
 protected:
  cl_int error_of(cl_context in, cl_device_id on, std::vector<cl_queue_properties> list) {
    cl_int error = CL_SUCCESS;
    const test::Queue made =
        clCreateCommandQueueWithProperties(in, on, list.empty() ? nullptr : list.data(), &error);
    EXPECT_EQ(made.get() != nullptr, error == CL_SUCCESS);
    return error;
  }
};

TEST_F(CreateCommandQueueWithProperties, TellsWhatItWasMadeWith) {
  for (const cl_command_queue_properties wanted :
       {0, CL_QUEUE_PROFILING_ENABLE, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
        CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}) {
    const test::Queue made = make_queue(wanted);
    cl_context in = nullptr;
    cl_device_id on = nullptr;
    cl_command_queue_properties properties = ~cl_command_queue_properties{0};
    cl_uint references = 0;
    CL_OK(clGetCommandQueueInfo(made, CL_QUEUE_CONTEXT, sizeof in, &in, nullptr));
    CL_OK(clGetCommandQueueInfo(made, CL_QUEUE_DEVICE, sizeof on, &on, nullptr));
    CL_OK(clGetCommandQueueInfo(made, CL_QUEUE_PROPERTIES, sizeof properties, &properties, nullptr));
    CL_OK(clGetCommandQueueInfo(made, CL_QUEUE_REFERENCE_COUNT, sizeof references, &references, nullptr));
    EXPECT_EQ(in, context.get());
    EXPECT_EQ(on, device);
    EXPECT_EQ(properties, wanted);
    EXPECT_EQ(references, 1u);
    std::size_t size = 0;
    cl_queue_properties list[3] = {};
    CL_OK(clGetCommandQueueInfo(made, CL_QUEUE_PROPERTIES_ARRAY, sizeof list, list, &size));
    EXPECT_EQ(size, sizeof list);
    EXPECT_EQ(list[0], static_cast<cl_queue_properties>(CL_QUEUE_PROPERTIES));
    EXPECT_EQ(list[1], static_cast<cl_queue_properties>(wanted));
    EXPECT_EQ(list[2], 0u);
  }
}

TEST_F(CreateCommandQueueWithProperties, NoListIsNoArray) {
  cl_int error = CL_SUCCESS;
  const test::Queue made = clCreateCommandQueueWithProperties(context, device, nullptr, &error);
  CL_OK(error);
  std::size_t size = 1;
  CL_OK(clGetCommandQueueInfo(made, CL_QUEUE_PROPERTIES_ARRAY, 0, nullptr, &size));
  EXPECT_EQ(size, 0u);
}

TEST_F(CreateCommandQueueWithProperties, Errors) {
  CL_EXPECT(CL_INVALID_CONTEXT, error_of(nullptr, device, {}));
  CL_EXPECT(CL_INVALID_DEVICE, error_of(context, nullptr, {}));
  CL_EXPECT(CL_INVALID_DEVICE, error_of(context, reinterpret_cast<cl_device_id>(context.get()), {}));
  CL_EXPECT(CL_INVALID_VALUE, error_of(context, device, {0x12345, 0, 0}));
  CL_EXPECT(CL_INVALID_VALUE, error_of(context, device, {CL_QUEUE_PROPERTIES, 1 << 20, 0}));
  CL_EXPECT(CL_INVALID_VALUE, error_of(context, device, {CL_QUEUE_SIZE, 1024, 0}));
  CL_EXPECT(CL_INVALID_VALUE,
            error_of(context, device, {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE_DEFAULT, 0}));
  CL_EXPECT(CL_INVALID_VALUE, error_of(context, device, {CL_QUEUE_PROPERTIES, 0, CL_QUEUE_PROPERTIES, 0, 0}));
}

TEST_F(CreateCommandQueueWithProperties, InfoErrors) {
  cl_uint value = 0;
  CL_EXPECT(CL_INVALID_COMMAND_QUEUE, clGetCommandQueueInfo(nullptr, CL_QUEUE_CONTEXT, 0, nullptr, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clGetCommandQueueInfo(queue, 0x1, sizeof value, &value, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, 1, &value, nullptr));
  CL_EXPECT(CL_INVALID_COMMAND_QUEUE,
            clGetCommandQueueInfo(queue, CL_QUEUE_SIZE, sizeof value, &value, nullptr));
}

TEST_F(CreateCommandQueueWithProperties, OlderForm) {
  cl_int error = CL_SUCCESS;
  const test::Queue made = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &error);
  CL_OK(error);
  EXPECT_EQ(clCreateCommandQueue(context, device, 1 << 20, &error), nullptr);
  CL_EXPECT(CL_INVALID_VALUE, error);
  EXPECT_EQ(clCreateCommandQueue(nullptr, device, 0, &error), nullptr);
  CL_EXPECT(CL_INVALID_CONTEXT, error);
}

TEST_F(CreateCommandQueueWithProperties, RetainAndRelease) {
  const cl_command_queue made = clCreateCommandQueueWithProperties(context, device, nullptr, nullptr);
  CL_OK(clRetainCommandQueue(made));
  cl_uint references = 0;
  CL_OK(clGetCommandQueueInfo(made, CL_QUEUE_REFERENCE_COUNT, sizeof references, &references, nullptr));
  EXPECT_EQ(references, 2u);
  CL_OK(clReleaseCommandQueue(made));
  CL_OK(clReleaseCommandQueue(made));
  CL_EXPECT(CL_INVALID_COMMAND_QUEUE, clReleaseCommandQueue(made));
  CL_EXPECT(CL_INVALID_COMMAND_QUEUE, clRetainCommandQueue(made));
  CL_EXPECT(CL_INVALID_COMMAND_QUEUE, clFinish(made));
  CL_EXPECT(CL_INVALID_COMMAND_QUEUE, clFlush(nullptr));
}

}  // namespace
