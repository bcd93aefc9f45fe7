// SPDX-License-Identifier: Apache-2.0
#include "support/device_info.h"

namespace {

class CreatePipe : public test::OpenCL {
 protected:
  void SetUp() override {
    OpenCL::SetUp();
    if (!test::device_info<cl_bool>(device, CL_DEVICE_PIPE_SUPPORT)) GTEST_SKIP() << "no pipes";
  }
  cl_int create(cl_context in, cl_mem_flags flags, cl_uint packet_size, cl_uint max_packets,
                const cl_pipe_properties* properties = nullptr) {
    cl_int error = 1;
    pipe = clCreatePipe(in, flags, packet_size, max_packets, properties, &error);
    EXPECT_EQ(pipe.get() != nullptr, error == CL_SUCCESS);
    return error;
  }
  test::Buffer pipe;
};

TEST_F(CreatePipe, Limits) {
  EXPECT_GE(test::device_info<cl_uint>(device, CL_DEVICE_MAX_PIPE_ARGS), 16u);
  EXPECT_GE(test::device_info<cl_uint>(device, CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS), 1u);
  EXPECT_GE(test::device_info<cl_uint>(device, CL_DEVICE_PIPE_MAX_PACKET_SIZE), 1024u);
}

TEST_F(CreatePipe, Errors) {
  const cl_uint largest = test::device_info<cl_uint>(device, CL_DEVICE_PIPE_MAX_PACKET_SIZE);
  for (const cl_mem_flags flags :
       {0, CL_MEM_READ_WRITE, CL_MEM_HOST_NO_ACCESS, CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS})
    CL_EXPECT(CL_SUCCESS, create(context, flags, largest, 3));
  CL_EXPECT(CL_INVALID_CONTEXT, create(nullptr, 0, 4, 4));
  for (const cl_mem_flags flags : {cl_mem_flags{CL_MEM_READ_ONLY}, cl_mem_flags{CL_MEM_USE_HOST_PTR},
                                   cl_mem_flags{CL_MEM_HOST_READ_ONLY}, cl_mem_flags{1} << 50})
    CL_EXPECT(CL_INVALID_VALUE, create(context, flags, 4, 4));
  const cl_pipe_properties none[] = {0};
  CL_EXPECT(CL_INVALID_VALUE, create(context, 0, 4, 4, none));
  CL_EXPECT(CL_INVALID_PIPE_SIZE, create(context, 0, 0, 4));
  CL_EXPECT(CL_INVALID_PIPE_SIZE, create(context, 0, 4, 0));
  CL_EXPECT(CL_INVALID_PIPE_SIZE, create(context, 0, largest + 1, 4));
  CL_EXPECT(CL_MEM_OBJECT_ALLOCATION_FAILURE, create(context, 0, largest, ~0u));
}

TEST_F(CreatePipe, Info) {
  CL_OK(create(context, 0, 12, 34));
  cl_uint packet_size = 0, max_packets = 0, references = 0;
  cl_mem_object_type type = 0;
  cl_mem_flags flags = 0;
  std::size_t size = 1, properties = 1;
  CL_OK(clGetPipeInfo(pipe, CL_PIPE_PACKET_SIZE, sizeof packet_size, &packet_size, nullptr));
  CL_OK(clGetPipeInfo(pipe, CL_PIPE_MAX_PACKETS, sizeof max_packets, &max_packets, &size));
  CL_OK(clGetPipeInfo(pipe, CL_PIPE_PROPERTIES, 0, nullptr, &properties));
  CL_OK(clGetMemObjectInfo(pipe, CL_MEM_TYPE, sizeof type, &type, nullptr));
  CL_OK(clGetMemObjectInfo(pipe, CL_MEM_FLAGS, sizeof flags, &flags, nullptr));
  CL_OK(clRetainMemObject(pipe));
  CL_OK(clGetMemObjectInfo(pipe, CL_MEM_REFERENCE_COUNT, sizeof references, &references, nullptr));
  CL_OK(clReleaseMemObject(pipe));
  EXPECT_EQ(packet_size, 12u);
  EXPECT_EQ(max_packets, 34u);
  EXPECT_EQ(size, sizeof(cl_uint));
  EXPECT_EQ(properties, 0u);
  EXPECT_EQ(type, cl_mem_object_type{CL_MEM_OBJECT_PIPE});
  EXPECT_EQ(flags, cl_mem_flags{CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS});
  EXPECT_EQ(references, 2u);
  CL_EXPECT(CL_INVALID_VALUE, clGetPipeInfo(pipe, CL_PIPE_PACKET_SIZE, 3, &packet_size, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clGetPipeInfo(pipe, CL_MEM_TYPE, sizeof packet_size, &packet_size, nullptr));
  CL_EXPECT(CL_INVALID_MEM_OBJECT, clGetPipeInfo(nullptr, CL_PIPE_PACKET_SIZE, 4, &packet_size, nullptr));
  const test::Buffer buffer = make_buffer(64);
  CL_EXPECT(CL_INVALID_MEM_OBJECT, clGetPipeInfo(buffer, CL_PIPE_PACKET_SIZE, 4, &packet_size, nullptr));
}

TEST_F(CreatePipe, IsNoBuffer) {
  CL_OK(create(context, 0, 4, 16));
  char bytes[16] = {};
  cl_int error = CL_SUCCESS;
  const cl_buffer_region region = {0, 4};
  CL_EXPECT(CL_INVALID_MEM_OBJECT,
            clEnqueueReadBuffer(queue, pipe, CL_TRUE, 0, 4, bytes, 0, nullptr, nullptr));
  CL_EXPECT(CL_INVALID_MEM_OBJECT, clEnqueueFillBuffer(queue, pipe, bytes, 1, 0, 4, 0, nullptr, nullptr));
  EXPECT_EQ(nullptr,
            clEnqueueMapBuffer(queue, pipe, CL_TRUE, CL_MAP_READ, 0, 4, 0, nullptr, nullptr, &error));
  CL_EXPECT(CL_INVALID_MEM_OBJECT, error);
  EXPECT_EQ(nullptr, clCreateSubBuffer(pipe, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
  CL_EXPECT(CL_INVALID_MEM_OBJECT, error);
}

TEST_F(CreatePipe, AsKernelArgument) {
  CL_OK(create(context, 0, 4, 16));
  const test::Program program =
      build("kernel void k(read_only pipe int p, global int* b) { read_pipe(p, b); }",
            "-cl-std=CL3.0 -cl-kernel-arg-info");
  const test::Kernel kernel = make_kernel(program, "k");
  const test::Buffer buffer = make_buffer(64);
  const cl_mem as_pipe = pipe, as_buffer = buffer, nothing = nullptr;
  const auto set = [&](cl_uint index, std::size_t size, const void* value) {
    return clSetKernelArg(kernel, index, size, value);
  };
  CL_EXPECT(CL_INVALID_ARG_SIZE, set(0, 4, &as_pipe));
  CL_EXPECT(CL_INVALID_MEM_OBJECT, set(0, sizeof(cl_mem), nullptr));
  CL_EXPECT(CL_INVALID_MEM_OBJECT, set(0, sizeof(cl_mem), &nothing));
  CL_EXPECT(CL_INVALID_MEM_OBJECT, set(0, sizeof(cl_mem), &as_buffer));
  CL_EXPECT(CL_INVALID_MEM_OBJECT, set(1, sizeof(cl_mem), &as_pipe));
  CL_EXPECT(CL_SUCCESS, set(0, sizeof(cl_mem), &as_pipe));
  CL_EXPECT(CL_SUCCESS, set(1, sizeof(cl_mem), &as_buffer));
  cl_kernel_arg_type_qualifier qualifier = 0;
  cl_kernel_arg_access_qualifier access = 0;
  CL_OK(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifier, &qualifier, nullptr));
  CL_OK(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access, nullptr));
  EXPECT_EQ(qualifier, cl_kernel_arg_type_qualifier{CL_KERNEL_ARG_TYPE_PIPE});
  EXPECT_EQ(access, cl_kernel_arg_access_qualifier{CL_KERNEL_ARG_ACCESS_READ_ONLY});
  // A kernel does not keep a reference to a pipe that is its argument.
  pipe.reset();
  const std::size_t one = 1;
  CL_EXPECT(CL_INVALID_KERNEL_ARGS,
            clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
}

}  // namespace
