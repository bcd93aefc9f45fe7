// SPDX-License-Identifier: Apache-2.0
// Invalid values for each handle: null, garbage, a handle of another type, one that was released. The ICD loader dereferences a handle, so
// garbage begins with a valid dispatch table.
#include <algorithm>
#include <array>
#include <memory>

#include "support/programs.h"

namespace {

// A value that the ICD loader can dereference: it points to a copy of a valid handle's dispatch table, but is not an object of the library.
struct Foreign {
  explicit Foreign(void* handle) { std::copy_n(static_cast<void**>(handle), 2, words.begin()); }
  std::array<void*, 16> words{};
};

// Calls each function with each of its handles invalid.
class InvalidHandles : public test::Programs {
 protected:
  void SetUp() override {
    Programs::SetUp();
    if (HasFatalFailure()) return;
    foreign = std::make_unique<Foreign>(device);
    buffer = make_buffer(64);
  }
  template <class Handle>
  Handle odd() const {
    return reinterpret_cast<Handle>(foreign.get());
  }
  // For functions that create an object: `make(error)`.
  template <class Make>
  static cl_int error_of(const Make& make) {
    cl_int error = 1;
    EXPECT_EQ(nullptr, make(&error));
    return error;
  }

  // Each command on a buffer, with an invalid queue or buffer.
  void refuse_buffer_commands(cl_int code, cl_command_queue to, cl_mem on) {
    const auto refused = [&](cl_int answer) { CL_EXPECT(code, answer); };
    refused(clEnqueueReadBuffer(to, on, CL_TRUE, 0, 4, bytes, 0, nullptr, nullptr));
    refused(clEnqueueWriteBuffer(to, on, CL_TRUE, 0, 4, bytes, 0, nullptr, nullptr));
    refused(clEnqueueReadBufferRect(to, on, CL_TRUE, kOrigin, kOrigin, kRegion, 0, 0, 0, 0, bytes, 0, nullptr,
                                    nullptr));
    refused(clEnqueueWriteBufferRect(to, on, CL_TRUE, kOrigin, kOrigin, kRegion, 0, 0, 0, 0, bytes, 0,
                                     nullptr, nullptr));
    refused(clEnqueueCopyBuffer(to, on, buffer, 0, 8, 4, 0, nullptr, nullptr));
    refused(
        clEnqueueCopyBufferRect(to, on, buffer, kOrigin, kOrigin, kRegion, 0, 0, 0, 0, 0, nullptr, nullptr));
    refused(clEnqueueFillBuffer(to, on, bytes, 1, 0, 4, 0, nullptr, nullptr));
    refused(clEnqueueMigrateMemObjects(to, 1, &on, 0, 0, nullptr, nullptr));
    refused(clEnqueueUnmapMemObject(to, on, bytes, 0, nullptr, nullptr));
    refused(error_of([&](cl_int* e) {
      return clEnqueueMapBuffer(to, on, CL_TRUE, CL_MAP_READ, 0, 4, 0, nullptr, nullptr, e);
    }));
  }

  std::unique_ptr<Foreign> foreign;
  test::Buffer buffer;
  char bytes[64] = {};
  size_t size = 0;
  cl_uint count = 0;
  static constexpr size_t kOrigin[3] = {}, kRegion[3] = {1, 1, 1};
};

TEST_F(InvalidHandles, Platforms) {
  const auto platform = odd<cl_platform_id>();
  CL_EXPECT(CL_INVALID_PLATFORM, clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof bytes, bytes, &size));
  CL_EXPECT(CL_INVALID_PLATFORM, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count));
  CL_EXPECT(CL_INVALID_PLATFORM, clUnloadPlatformCompiler(platform));
  EXPECT_EQ(nullptr, clGetExtensionFunctionAddressForPlatform(platform, "clIcdGetPlatformIDsKHR"));
}

TEST_F(InvalidHandles, Devices) {
  const auto bad = odd<cl_device_id>();
  cl_ulong time = 0;
  const cl_device_partition_property parts[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  CL_EXPECT(CL_INVALID_DEVICE, clGetDeviceInfo(bad, CL_DEVICE_NAME, sizeof bytes, bytes, &size));
  CL_EXPECT(CL_INVALID_DEVICE, clGetDeviceAndHostTimer(bad, &time, &time));
  CL_EXPECT(CL_INVALID_DEVICE, clGetHostTimer(bad, &time));
  CL_EXPECT(CL_INVALID_DEVICE, clCreateSubDevices(bad, parts, 0, nullptr, &count));
  CL_EXPECT(CL_INVALID_DEVICE, clRetainDevice(bad));
  CL_EXPECT(CL_INVALID_DEVICE, clReleaseDevice(bad));
  const auto refused = [&](auto make) { CL_EXPECT(CL_INVALID_DEVICE, error_of(make)); };
  refused([&](cl_int* e) { return clCreateContext(nullptr, 1, &bad, nullptr, nullptr, e); });
  refused([&](cl_int* e) { return clCreateCommandQueue(context, bad, 0, e); });
  refused([&](cl_int* e) { return clCreateCommandQueueWithProperties(context, bad, nullptr, e); });
  const unsigned char* binary = nullptr;
  refused([&](cl_int* e) { return clCreateProgramWithBinary(context, 1, &bad, &size, &binary, nullptr, e); });
  refused([&](cl_int* e) { return clCreateProgramWithBuiltInKernels(context, 1, &bad, "k", e); });
  const test::Program program = compiled("kernel void k() {}");
  refused(
      [&](cl_int* e) { return clLinkProgram(context, 1, &bad, "", 1, program.list(), nullptr, nullptr, e); });
  CL_EXPECT(CL_INVALID_DEVICE, clSetDefaultDeviceCommandQueue(context, bad, nullptr));
  CL_EXPECT(CL_INVALID_DEVICE, clBuildProgram(program, 1, &bad, "", nullptr, nullptr));
  CL_EXPECT(CL_INVALID_DEVICE, clCompileProgram(program, 1, &bad, "", 0, nullptr, nullptr, nullptr, nullptr));
  CL_EXPECT(CL_INVALID_DEVICE,
            clGetProgramBuildInfo(program, bad, CL_PROGRAM_BUILD_LOG, sizeof bytes, bytes, &size));
  const test::Program built = build("kernel void k() {}");
  const test::Kernel kernel = make_kernel(built, "k");
  CL_EXPECT(CL_INVALID_DEVICE,
            clGetKernelWorkGroupInfo(kernel, bad, CL_KERNEL_WORK_GROUP_SIZE, sizeof bytes, bytes, &size));
  CL_EXPECT(CL_INVALID_DEVICE, clGetKernelSubGroupInfo(kernel, bad, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, nullptr,
                                                       sizeof bytes, bytes, &size));
}

TEST_F(InvalidHandles, Contexts) {
  const auto bad = odd<cl_context>();
  const cl_image_format format{CL_RGBA, CL_FLOAT};
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE1D;
  desc.image_width = 4;
  const char* source = "";
  CL_EXPECT(CL_INVALID_CONTEXT, clGetContextInfo(bad, CL_CONTEXT_DEVICES, sizeof bytes, bytes, &size));
  CL_EXPECT(CL_INVALID_CONTEXT, clRetainContext(bad));
  CL_EXPECT(CL_INVALID_CONTEXT, clReleaseContext(bad));
  CL_EXPECT(CL_INVALID_CONTEXT, clSetContextDestructorCallback(bad, [](cl_context, void*) {}, nullptr));
  CL_EXPECT(CL_INVALID_CONTEXT, clSetDefaultDeviceCommandQueue(bad, device, queue));
  CL_EXPECT(CL_INVALID_CONTEXT,
            clGetSupportedImageFormats(bad, CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE1D, 0, nullptr, &count));
  EXPECT_EQ(nullptr, clSVMAlloc(bad, CL_MEM_READ_WRITE, 64, 0));
  const auto refused = [&](auto make) { CL_EXPECT(CL_INVALID_CONTEXT, error_of(make)); };
  refused([&](cl_int* e) { return clCreateCommandQueue(bad, device, 0, e); });
  refused([&](cl_int* e) { return clCreateCommandQueueWithProperties(bad, device, nullptr, e); });
  refused([&](cl_int* e) { return clCreateBuffer(bad, 0, 64, nullptr, e); });
  refused([&](cl_int* e) { return clCreateBufferWithProperties(bad, nullptr, 0, 64, nullptr, e); });
  refused([&](cl_int* e) { return clCreateImage(bad, 0, &format, &desc, nullptr, e); });
  refused(
      [&](cl_int* e) { return clCreateImageWithProperties(bad, nullptr, 0, &format, &desc, nullptr, e); });
  refused([&](cl_int* e) { return clCreateImage2D(bad, 0, &format, 4, 4, 0, nullptr, e); });
  refused([&](cl_int* e) { return clCreateImage3D(bad, 0, &format, 4, 4, 4, 0, 0, nullptr, e); });
  refused([&](cl_int* e) { return clCreatePipe(bad, 0, 4, 4, nullptr, e); });
  refused([&](cl_int* e) { return clCreateSampler(bad, CL_TRUE, CL_ADDRESS_NONE, CL_FILTER_NEAREST, e); });
  refused([&](cl_int* e) { return clCreateSamplerWithProperties(bad, nullptr, e); });
  refused([&](cl_int* e) { return clCreateProgramWithSource(bad, 1, &source, nullptr, e); });
  refused([&](cl_int* e) { return clCreateProgramWithBinary(bad, 1, &device, &size, nullptr, nullptr, e); });
  refused([&](cl_int* e) { return clCreateProgramWithBuiltInKernels(bad, 1, &device, "k", e); });
  refused([&](cl_int* e) { return clCreateProgramWithIL(bad, source, 1, e); });
  refused([&](cl_int* e) { return clLinkProgram(bad, 1, &device, "", 0, nullptr, nullptr, nullptr, e); });
  refused([&](cl_int* e) { return clCreateUserEvent(bad, e); });
}

TEST_F(InvalidHandles, Queues) {
  const auto bad = odd<cl_command_queue>();
  void* const pointer = bytes;
  cl_command_queue_properties properties = 0;
  const test::Event event = make_user_event();
  cl_event marker = nullptr;
  const auto refused = [](cl_int code) { CL_EXPECT(CL_INVALID_COMMAND_QUEUE, code); };
  refused(clRetainCommandQueue(bad));
  refused(clReleaseCommandQueue(bad));
  refused(clGetCommandQueueInfo(bad, CL_QUEUE_CONTEXT, sizeof bytes, bytes, &size));
  refused(clSetCommandQueueProperty(bad, 0, CL_TRUE, &properties));
  refused(clFlush(bad));
  refused(clFinish(bad));
  refuse_buffer_commands(CL_INVALID_COMMAND_QUEUE, bad, buffer);
  refused(clEnqueueReadImage(bad, buffer, CL_TRUE, kOrigin, kRegion, 0, 0, bytes, 0, nullptr, nullptr));
  refused(clEnqueueWriteImage(bad, buffer, CL_TRUE, kOrigin, kRegion, 0, 0, bytes, 0, nullptr, nullptr));
  refused(clEnqueueCopyImage(bad, buffer, buffer, kOrigin, kOrigin, kRegion, 0, nullptr, nullptr));
  refused(clEnqueueFillImage(bad, buffer, bytes, kOrigin, kRegion, 0, nullptr, nullptr));
  refused(clEnqueueCopyImageToBuffer(bad, buffer, buffer, kOrigin, kRegion, 0, 0, nullptr, nullptr));
  refused(clEnqueueCopyBufferToImage(bad, buffer, buffer, 0, kOrigin, kRegion, 0, nullptr, nullptr));
  refused(clEnqueueNDRangeKernel(bad, nullptr, 1, nullptr, kRegion, nullptr, 0, nullptr, nullptr));
  refused(clEnqueueTask(bad, nullptr, 0, nullptr, nullptr));
  refused(clEnqueueNativeKernel(bad, [](void*) {}, nullptr, 0, 0, nullptr, nullptr, 0, nullptr, nullptr));
  refused(clEnqueueMarkerWithWaitList(bad, 0, nullptr, nullptr));
  refused(clEnqueueBarrierWithWaitList(bad, 0, nullptr, nullptr));
  refused(clEnqueueMarker(bad, &marker));
  refused(clEnqueueBarrier(bad));
  refused(clEnqueueWaitForEvents(bad, 1, event.list()));
  refused(clEnqueueSVMFree(bad, 0, nullptr, nullptr, nullptr, 0, nullptr, nullptr));
  refused(clEnqueueSVMMemcpy(bad, CL_TRUE, bytes, bytes + 32, 4, 0, nullptr, nullptr));
  refused(clEnqueueSVMMemFill(bad, bytes, bytes + 32, 4, 4, 0, nullptr, nullptr));
  refused(clEnqueueSVMMap(bad, CL_TRUE, CL_MAP_READ, bytes, 4, 0, nullptr, nullptr));
  refused(clEnqueueSVMUnmap(bad, bytes, 0, nullptr, nullptr));
  refused(
      clEnqueueSVMMigrateMem(bad, 1, const_cast<const void**>(&pointer), nullptr, 0, 0, nullptr, nullptr));
  refused(error_of([&](cl_int* e) {
    return clEnqueueMapImage(bad, buffer, CL_TRUE, CL_MAP_READ, kOrigin, kRegion, &size, nullptr, 0, nullptr,
                             nullptr, e);
  }));
}

TEST_F(InvalidHandles, MemoryObjects) {
  const cl_buffer_region region{0, 4};
  void* place = bytes;
  const void* location = &place;
  for (const auto bad : {odd<cl_mem>(), cl_mem{nullptr}, reinterpret_cast<cl_mem>(context.get())}) {
    const auto refused = [](cl_int code) { CL_EXPECT(CL_INVALID_MEM_OBJECT, code); };
    if (bad) {
      refused(clRetainMemObject(bad));
      refused(clReleaseMemObject(bad));
      refused(clSetMemObjectDestructorCallback(bad, [](cl_mem, void*) {}, nullptr));
      refused(clGetMemObjectInfo(bad, CL_MEM_SIZE, sizeof bytes, bytes, &size));
      refused(clGetPipeInfo(bad, CL_PIPE_PACKET_SIZE, sizeof bytes, bytes, &size));
      refused(error_of(
          [&](cl_int* e) { return clCreateSubBuffer(bad, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, e); }));
    }
    refuse_buffer_commands(CL_INVALID_MEM_OBJECT, queue, bad);
    refused(clEnqueueCopyBuffer(queue, buffer, bad, 0, 0, 4, 0, nullptr, nullptr));
    refused(clEnqueueCopyBufferRect(queue, buffer, bad, kOrigin, kOrigin, kRegion, 0, 0, 0, 0, 0, nullptr,
                                    nullptr));
    if (bad)  // null is valid: the argument stays a null pointer
      refused(clEnqueueNativeKernel(
          queue, [](void*) {}, &place, sizeof place, 1, &bad, &location, 0, nullptr, nullptr));
  }
}

TEST_F(InvalidHandles, Images) {
  // A buffer is not an image.
  for (const auto bad : {buffer.get(), odd<cl_mem>(), cl_mem{nullptr}}) {
    const auto refused = [](cl_int code) { CL_EXPECT(CL_INVALID_MEM_OBJECT, code); };
    if (bad) refused(clGetImageInfo(bad, CL_IMAGE_WIDTH, sizeof bytes, bytes, &size));
    refused(clEnqueueReadImage(queue, bad, CL_TRUE, kOrigin, kRegion, 0, 0, bytes, 0, nullptr, nullptr));
    refused(clEnqueueWriteImage(queue, bad, CL_TRUE, kOrigin, kRegion, 0, 0, bytes, 0, nullptr, nullptr));
    refused(clEnqueueCopyImage(queue, bad, bad, kOrigin, kOrigin, kRegion, 0, nullptr, nullptr));
    refused(clEnqueueFillImage(queue, bad, bytes, kOrigin, kRegion, 0, nullptr, nullptr));
    refused(clEnqueueCopyImageToBuffer(queue, bad, buffer, kOrigin, kRegion, 0, 0, nullptr, nullptr));
    refused(clEnqueueCopyBufferToImage(queue, buffer, bad, 0, kOrigin, kRegion, 0, nullptr, nullptr));
    refused(error_of([&](cl_int* e) {
      return clEnqueueMapImage(queue, bad, CL_TRUE, CL_MAP_READ, kOrigin, kRegion, &size, nullptr, 0, nullptr,
                               nullptr, e);
    }));
  }
}

TEST_F(InvalidHandles, Samplers) {
  const auto bad = odd<cl_sampler>();
  CL_EXPECT(CL_INVALID_SAMPLER, clRetainSampler(bad));
  CL_EXPECT(CL_INVALID_SAMPLER, clReleaseSampler(bad));
  CL_EXPECT(CL_INVALID_SAMPLER, clGetSamplerInfo(bad, CL_SAMPLER_CONTEXT, sizeof bytes, bytes, &size));
}

TEST_F(InvalidHandles, Programs) {
  const auto bad = odd<cl_program>();
  const auto refused = [](cl_int code) { CL_EXPECT(CL_INVALID_PROGRAM, code); };
  refused(clRetainProgram(bad));
  refused(clReleaseProgram(bad));
  refused(clSetProgramReleaseCallback(bad, [](cl_program, void*) {}, nullptr));
  refused(clSetProgramSpecializationConstant(bad, 0, 4, bytes));
  refused(clBuildProgram(bad, 0, nullptr, nullptr, nullptr, nullptr));
  refused(clCompileProgram(bad, 0, nullptr, nullptr, 0, nullptr, nullptr, nullptr, nullptr));
  refused(clGetProgramInfo(bad, CL_PROGRAM_NUM_DEVICES, sizeof bytes, bytes, &size));
  refused(clGetProgramBuildInfo(bad, device, CL_PROGRAM_BUILD_LOG, sizeof bytes, bytes, &size));
  refused(clCreateKernelsInProgram(bad, 0, nullptr, &count));
  refused(error_of([&](cl_int* e) { return clCreateKernel(bad, "k", e); }));
  refused(error_of(
      [&](cl_int* e) { return clLinkProgram(context, 0, nullptr, "", 1, &bad, nullptr, nullptr, e); }));
  const test::Program program = create("kernel void k() {}");
  const char* name = "header.h";
  refused(clCompileProgram(program, 0, nullptr, nullptr, 1, &bad, &name, nullptr, nullptr));
}

TEST_F(InvalidHandles, Kernels) {
  const auto bad = odd<cl_kernel>();
  const auto refused = [](cl_int code) { CL_EXPECT(CL_INVALID_KERNEL, code); };
  refused(clRetainKernel(bad));
  refused(clReleaseKernel(bad));
  refused(clSetKernelArg(bad, 0, 4, bytes));
  refused(clSetKernelArgSVMPointer(bad, 0, bytes));
  refused(clSetKernelExecInfo(bad, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, nullptr));
  refused(clGetKernelInfo(bad, CL_KERNEL_NUM_ARGS, sizeof bytes, bytes, &size));
  refused(clGetKernelArgInfo(bad, 0, CL_KERNEL_ARG_NAME, sizeof bytes, bytes, &size));
  refused(clGetKernelWorkGroupInfo(bad, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof bytes, bytes, &size));
  refused(clGetKernelSubGroupInfo(bad, device, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, nullptr, sizeof bytes, bytes,
                                  &size));
  refused(clEnqueueNDRangeKernel(queue, bad, 1, nullptr, kRegion, nullptr, 0, nullptr, nullptr));
  refused(clEnqueueTask(queue, bad, 0, nullptr, nullptr));
  refused(error_of([&](cl_int* e) { return clCloneKernel(bad, e); }));
}

TEST_F(InvalidHandles, Events) {
  const auto bad = odd<cl_event>();
  const auto refused = [](cl_int code) { CL_EXPECT(CL_INVALID_EVENT, code); };
  refused(clRetainEvent(bad));
  refused(clReleaseEvent(bad));
  refused(clSetUserEventStatus(bad, CL_COMPLETE));
  refused(clSetEventCallback(bad, CL_COMPLETE, [](cl_event, cl_int, void*) {}, nullptr));
  refused(clGetEventInfo(bad, CL_EVENT_CONTEXT, sizeof bytes, bytes, &size));
  refused(clGetEventProfilingInfo(bad, CL_PROFILING_COMMAND_END, sizeof bytes, bytes, &size));
  refused(clWaitForEvents(1, &bad));
  refused(clEnqueueWaitForEvents(queue, 1, &bad));
}

TEST_F(InvalidHandles, OfAnotherKind) {
  const test::Program program = create("");
  CL_EXPECT(CL_INVALID_KERNEL, clRetainKernel(reinterpret_cast<cl_kernel>(program.get())));
  CL_EXPECT(CL_INVALID_CONTEXT, clRetainContext(reinterpret_cast<cl_context>(program.get())));
  CL_EXPECT(CL_INVALID_PROGRAM, clRetainProgram(reinterpret_cast<cl_program>(context.get())));
}

TEST_F(InvalidHandles, Released) {
  test::Program kept = build("kernel void k() {}");
  cl_kernel kernel = clCreateKernel(kept, "k", nullptr);
  CL_OK(clReleaseKernel(kernel));
  CL_EXPECT(CL_INVALID_KERNEL, clReleaseKernel(kernel));
  CL_EXPECT(CL_INVALID_KERNEL, clRetainKernel(kernel));
  cl_uint count = 0;
  CL_EXPECT(CL_INVALID_KERNEL, clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, nullptr));
  // The released handle is not reused soon for another object.
  std::vector<test::Program> others;
  for (int i = 0; i < 1000; ++i) others.push_back(create(""));
  CL_EXPECT(CL_INVALID_KERNEL, clReleaseKernel(kernel));
}

TEST_F(InvalidHandles, ReleasedOnceTooOften) {
  // The program keeps the context alive, but the application has no reference left to release.
  cl_context other = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  const char* source = "";
  const test::Program program = clCreateProgramWithSource(other, 1, &source, nullptr, nullptr);
  CL_OK(clReleaseContext(other));
  CL_EXPECT(CL_INVALID_CONTEXT, clReleaseContext(other));
}

}  // namespace
