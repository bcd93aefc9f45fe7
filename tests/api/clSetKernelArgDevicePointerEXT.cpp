// SPDX-License-Identifier: Apache-2.0
// cl_ext_buffer_device_address and cl_intel_create_buffer_with_properties: buffers whose addresses the application knows, as arguments and
// as data of kernels.
#include <CL/cl_ext.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "support/opencl.h"
#include "support/two_devices.h"

namespace {

// The headers of 2023 lack these.
using Address = cl_ulong;
constexpr cl_mem_properties kPrivateAddress = 0x5000;
constexpr cl_mem_info kDeviceAddress = 0x5001;
constexpr cl_kernel_exec_info kDevicePointers = 0x5002;
using SetArgument = cl_int(CL_API_CALL*)(cl_kernel, cl_uint, Address);
constexpr cl_mem_properties kWithAddress[] = {kPrivateAddress, CL_TRUE, 0};

constexpr char kSource[] =
    "kernel void add(global uint* p, uint v) { p[get_global_id(0)] += v; }\n"
    "kernel void constants(constant uint* c, global uint* p) { *p = *c; }\n"
    "kernel void add_to_all(global const ulong* list, uint count, uint v) {\n"
    "  for (uint i = 0; i < count; ++i) ((global uint*)list[i])[get_global_id(0)] += v;\n"
    "}\n";

class BufferAddress : public test::OpenCL {
 protected:
  void SetUp() override {
    OpenCL::SetUp();
    if (HasFatalFailure()) return;
    cl_platform_id platform = nullptr;
    CL_OK(clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr));
    set_pointer = reinterpret_cast<SetArgument>(
        clGetExtensionFunctionAddressForPlatform(platform, "clSetKernelArgDevicePointerEXT"));
    create_intel = reinterpret_cast<clCreateBufferWithPropertiesINTEL_fn>(
        clGetExtensionFunctionAddressForPlatform(platform, "clCreateBufferWithPropertiesINTEL"));
    if (!set_pointer || !create_intel) GTEST_SKIP() << "not offered";
  }
  test::Buffer make(std::size_t size, cl_mem_flags flags = 0, void* host = nullptr,
                    const cl_mem_properties* properties = kWithAddress) const {
    cl_int error = 1;
    test::Buffer made = clCreateBufferWithProperties(context, properties, flags, size, host, &error);
    CL_EXPECT(CL_SUCCESS, error);
    return made;
  }
  template <class T>
  test::Buffer make(const std::vector<T>& values) const {
    return make(values.size() * sizeof(T), CL_MEM_COPY_HOST_PTR, const_cast<T*>(values.data()));
  }
  static std::vector<Address> addresses(cl_mem buffer, std::size_t devices = 1) {
    std::vector<Address> found(devices);
    std::size_t size = 0;
    CL_EXPECT(CL_SUCCESS,
              clGetMemObjectInfo(buffer, kDeviceAddress, devices * sizeof(Address), found.data(), &size));
    EXPECT_EQ(size, devices * sizeof(Address));
    for (const Address address : found) EXPECT_NE(address, 0u);
    return found;
  }
  void launch(cl_kernel kernel, std::size_t items, cl_command_queue where = nullptr) const {
    CL_EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(where ? where : queue.get(), kernel, 1, nullptr, &items,
                                                 nullptr, 0, nullptr, nullptr));
  }
  SetArgument set_pointer = nullptr;
  clCreateBufferWithPropertiesINTEL_fn create_intel = nullptr;
};

// Buffers may contain each other where they share memory. An address behind the inner one is the outer one's, which lives until the launch
// has ended.
TEST_F(BufferAddress, BehindABufferInAnother) {
  constexpr std::size_t kBytes = 4096, kBegin = 1024, kPart = 256, kItems = 16;
  const test::Program program = build(kSource);
  const test::Kernel kernel = make_kernel(program, "add");
  auto* memory = static_cast<cl_uint*>(clSVMAlloc(context, CL_MEM_READ_WRITE, kBytes, 0));
  ASSERT_NE(memory, nullptr);
  std::atomic<bool> destroyed = false;
  {
    test::Buffer outer = make(kBytes, CL_MEM_USE_HOST_PTR, memory);
    const test::Buffer inner = make(kPart, CL_MEM_USE_HOST_PTR, reinterpret_cast<char*>(memory) + kBegin);
    const auto notify = [](cl_mem, void* flag) { *static_cast<std::atomic<bool>*>(flag) = true; };
    CL_OK(clSetMemObjectDestructorCallback(outer, notify, &destroyed));
    CL_OK(set_pointer(kernel, 0, addresses(outer)[0] + kBegin + kPart));
    const cl_uint amount = 1;
    CL_OK(clSetKernelArg(kernel, 1, sizeof amount, &amount));
    cl_int error = 1;
    const test::Event gate = clCreateUserEvent(context, &error);
    CL_OK(error);
    CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &kItems, nullptr, 1, gate.list(), nullptr));
    outer = test::Buffer();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_FALSE(destroyed);
    CL_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    CL_OK(clFinish(queue));
  }
  while (!destroyed) std::this_thread::yield();
  clSVMFree(context, memory);
}

TEST_F(BufferAddress, Properties) {
  const cl_mem_properties unknown[] = {0x1234, 0, 0},
                          twice[] = {kPrivateAddress, CL_TRUE, kPrivateAddress, CL_TRUE, 0},
                          no_bool[] = {kPrivateAddress, 2, 0}, off[] = {kPrivateAddress, CL_FALSE, 0},
                          none[] = {0};
  cl_int error = 1;
  for (const auto* properties : {unknown, twice, no_bool}) {
    EXPECT_EQ(nullptr, clCreateBufferWithProperties(context, properties, 0, 64, nullptr, &error));
    CL_EXPECT(CL_INVALID_PROPERTY, error);
    EXPECT_EQ(nullptr, create_intel(context, properties, 0, 64, nullptr, &error));
    CL_EXPECT(CL_INVALID_VALUE, error);
  }
  for (const auto* properties : {kWithAddress, off, none}) {
    const test::Buffer buffer = make(64, 0, nullptr, properties),
                       other = create_intel(context, properties, 0, 64, nullptr, &error);
    CL_OK(error);
    for (cl_mem made : {buffer.get(), other.get()}) {
      cl_mem_properties list[8];
      std::size_t size = 0;
      CL_OK(clGetMemObjectInfo(made, CL_MEM_PROPERTIES, sizeof list, list, &size));
      EXPECT_EQ(std::vector<cl_mem_properties>(list, list + size / sizeof *list),
                std::vector<cl_mem_properties>(properties, properties + (properties == none ? 1 : 3)));
      Address address = 0;
      CL_EXPECT(properties == kWithAddress ? CL_SUCCESS : CL_INVALID_OPERATION,
                clGetMemObjectInfo(made, kDeviceAddress, sizeof address, &address, nullptr));
    }
  }
}

TEST_F(BufferAddress, IntelsFunctionRefusesTheRest) {
  cl_int error = 1;
  int host = 0;
  const auto refuses = [&](cl_int code, cl_context in, cl_mem_flags flags, std::size_t size, void* pointer) {
    EXPECT_EQ(nullptr, create_intel(in, nullptr, flags, size, pointer, &error));
    CL_EXPECT(code, error);
  };
  refuses(CL_INVALID_CONTEXT, nullptr, 0, 64, nullptr);
  refuses(CL_INVALID_VALUE, context, CL_MEM_READ_ONLY | CL_MEM_READ_WRITE, 64, nullptr);
  refuses(CL_INVALID_BUFFER_SIZE, context, 0, 0, nullptr);
  refuses(CL_INVALID_HOST_PTR, context, 0, 64, &host);
  refuses(CL_INVALID_HOST_PTR, context, CL_MEM_COPY_HOST_PTR, 64, nullptr);
}

TEST_F(BufferAddress, OfWhatHasNone) {
  const test::Buffer plain = make_buffer(64), buffer = make(64);
  Address address = 0;
  CL_EXPECT(CL_INVALID_OPERATION,
            clGetMemObjectInfo(plain, kDeviceAddress, sizeof address, &address, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clGetMemObjectInfo(buffer, kDeviceAddress, 4, &address, nullptr));
  CL_EXPECT(CL_INVALID_MEM_OBJECT,
            clGetMemObjectInfo(nullptr, kDeviceAddress, sizeof address, &address, nullptr));
  const cl_image_format format{CL_RGBA, CL_UNORM_INT8};
  cl_image_desc shape{};
  shape.image_type = CL_MEM_OBJECT_IMAGE2D;
  shape.image_width = shape.image_height = 4;
  cl_int error = 1;
  const test::Buffer image = clCreateImage(context, 0, &format, &shape, nullptr, &error);
  CL_OK(error);
  CL_EXPECT(CL_INVALID_OPERATION,
            clGetMemObjectInfo(image, kDeviceAddress, sizeof address, &address, nullptr));
}

TEST_F(BufferAddress, StaysAndSubBuffersLieInIt) {
  auto values = test::random_values<cl_uint>(5000);
  const test::Buffer buffer = make(values);
  const Address address = addresses(buffer)[0];
  const cl_buffer_region region{1024, 2048};
  cl_int error = 1;
  const test::Buffer part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
  CL_OK(error);
  EXPECT_EQ(addresses(part)[0], address + region.origin);
  EXPECT_EQ(contents<cl_uint>(buffer, 5000), values);
  const test::Kernel add = make_kernel(build(kSource), "add");
  for (const std::size_t offset : {std::size_t{0}, test::random_engine()() % 4000}) {
    const cl_uint added = test::random_engine()();
    CL_OK(set_pointer(add, 0, address + offset * sizeof(cl_uint)));
    set_argument(add, 1, added);
    launch(add, 500);
    for (std::size_t i = 0; i < 500; ++i) values[offset + i] += added;
  }
  EXPECT_EQ(contents<cl_uint>(buffer, 5000), values);
  EXPECT_EQ(addresses(buffer)[0], address);
}

TEST_F(BufferAddress, ArgumentErrors) {
  const test::Program program = build(kSource);
  const test::Kernel add = make_kernel(program, "add"), constants = make_kernel(program, "constants");
  const test::Buffer buffer = make(64);
  const Address address = addresses(buffer)[0];
  CL_EXPECT(CL_INVALID_KERNEL, set_pointer(nullptr, 0, address));
  CL_EXPECT(CL_INVALID_KERNEL, set_pointer(reinterpret_cast<cl_kernel>(queue.get()), 0, address));
  CL_EXPECT(CL_INVALID_ARG_INDEX, set_pointer(add, 2, address));
  CL_EXPECT(CL_INVALID_ARG_INDEX, set_pointer(add, 1, address));
  CL_EXPECT(CL_INVALID_ARG_INDEX, set_pointer(constants, 0, address));
  for (const Address any : {Address{0}, address, Address{0x1234}, ~Address{0}})
    CL_EXPECT(CL_SUCCESS, set_pointer(add, 0, any));
  CL_EXPECT(CL_SUCCESS, clSetKernelExecInfo(add, kDevicePointers, sizeof address, &address));
  CL_EXPECT(CL_SUCCESS, clSetKernelExecInfo(add, kDevicePointers, 0, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clSetKernelExecInfo(add, kDevicePointers, 7, &address));
  CL_EXPECT(CL_INVALID_VALUE, clSetKernelExecInfo(add, kDevicePointers, sizeof address, nullptr));
  // A buffer takes the argument over, and the other way round; one that is gone is only an address.
  set_argument(add, 0, buffer);
  CL_EXPECT(CL_SUCCESS, set_pointer(add, 0, address));
}

// A list of addresses in memory; the buffers were written just before, some through another queue.
TEST_F(BufferAddress, KernelsFollowThem) {
  const test::Kernel kernel = make_kernel(build(kSource), "add_to_all");
  const test::Queue other = make_queue(0);
  constexpr std::size_t kCount = 3000;
  std::vector<test::Buffer> buffers;
  std::vector<Address> list;
  std::vector<std::vector<cl_uint>> expected;
  for (int i = 0; i < 5; ++i) {
    buffers.push_back(make(kCount * sizeof(cl_uint)));
    list.push_back(addresses(buffers.back())[0]);
    expected.push_back(test::random_values<cl_uint>(kCount));
    CL_OK(clEnqueueWriteBuffer(i % 2 ? queue : other, buffers.back(), CL_TRUE, 0, kCount * sizeof(cl_uint),
                               expected.back().data(), 0, nullptr, nullptr));
  }
  const test::Buffer addresses_in_memory = make_buffer(list);
  CL_OK(clSetKernelExecInfo(kernel, kDevicePointers, list.size() * sizeof(Address), list.data()));
  const cl_uint count = 5, added = test::random_engine()();
  set_arguments(kernel, addresses_in_memory, count, added);
  cl_int error = 1;
  const test::Kernel copy = clCloneKernel(kernel, &error);
  CL_OK(error);
  launch(kernel, kCount);
  launch(copy, kCount);
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    for (cl_uint& value : expected[i]) value += 2 * added;
    EXPECT_EQ(contents<cl_uint>(buffers[i], kCount), expected[i]) << i;
  }
}

TEST_F(BufferAddress, OfSharedMemoryIsThePointer) {
  void* const shared = clSVMAlloc(context, 0, 4096, 0);
  ASSERT_NE(shared, nullptr);
  {
    const test::Buffer buffer = make(4096, CL_MEM_USE_HOST_PTR, shared);
    EXPECT_EQ(addresses(buffer)[0], reinterpret_cast<Address>(shared));
  }
  clSVMFree(context, shared);
}

// Each device has its copy; a launch has it brought up to date, as an argument would.
TEST_F(BufferAddress, SeveralDevices) {
  if (!test::TwoDevices::offered()) GTEST_SKIP() << "one device only";
  test::TwoDevices both;
  context = std::move(both.context);
  queue = make_queue(0);
  cl_int error = 1;
  const char* source = kSource;
  const test::Program program(clCreateProgramWithSource(context, 1, &source, nullptr, &error));
  CL_OK(clBuildProgram(program, 0, nullptr, "-cl-std=CL3.0", nullptr, nullptr));
  const test::Kernel add = make_kernel(program, "add"), follow = make_kernel(program, "add_to_all");
  constexpr std::size_t kCount = 2000;
  auto expected = test::random_values<cl_uint>(kCount);
  const test::Buffer buffer = make(expected);
  const std::vector<Address> found = addresses(buffer, 2);
  for (int round = 0; round < 6; ++round) {
    const int on = round % 2;
    const cl_uint added = test::random_engine()(), one = 1;
    CL_OK(set_pointer(add, 0, found[on]));
    set_argument(add, 1, added);
    launch(add, kCount, both.queues[on]);
    CL_OK(clFinish(both.queues[on]));
    const int next = 1 - on;
    const test::Buffer list = make_buffer(std::vector<Address>{found[next]});
    CL_OK(clSetKernelExecInfo(follow, kDevicePointers, sizeof(Address), &found[next]));
    set_arguments(follow, list, one, added);
    launch(follow, kCount, both.queues[next]);
    CL_OK(clFinish(both.queues[next]));
    for (cl_uint& value : expected) value += 2 * added;
    ASSERT_EQ(contents<cl_uint>(buffer, kCount), expected) << round;
  }
}

}  // namespace
