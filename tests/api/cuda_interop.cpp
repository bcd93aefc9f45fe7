// SPDX-License-Identifier: Apache-2.0
// cl_clcuda_cuda_interop: CUDA's streams, events, memory and arrays beside OpenCL's. The driver's functions come through the extension, so
// that the same program runs on the CPU device.
#include <CL/cl_clcuda.h>
#include <CL/cl_ext.h>
#include <cuda.h>

#include <array>

#include "support/wait_list.h"

namespace {

#define CUDA_OK(call) ASSERT_EQ(CUDA_SUCCESS, call)
#define CUDA_EXPECT(code, call) EXPECT_EQ(code, call)

constexpr std::size_t kWords = 1 << 16, kBytes = kWords * sizeof(cl_uint);
constexpr char kSource[] =
    "kernel void add(global uint* p, uint v) { p[get_global_id(0)] += v; }\n"
    "kernel void sum(read_only image2d_t image, global uint* out) {\n"
    "  int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "  out[at.y * get_global_size(0) + at.x] = read_imageui(image, at).x;\n"
    "}\n"
    "kernel void hold(global atomic_int* opened) {\n"
    "  while (!atomic_load_explicit(opened, memory_order_acquire, memory_scope_all_svm_devices));\n"
    "}\n";

class CudaInterop : public test::WaitListTest {
 protected:
  void SetUp() override {
    WaitListTest::SetUp();
    if (HasFatalFailure()) return;
    cl_platform_id platform = nullptr;
    CL_OK(clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr));
#define FIND(member, name) \
  member = reinterpret_cast<name##_fn>(clGetExtensionFunctionAddressForPlatform(platform, #name))
    FIND(function, clGetCudaFunctionCLCUDA);
    FIND(acquire, clEnqueueAcquireCudaObjectsCLCUDA);
    FIND(release, clEnqueueReleaseCudaObjectsCLCUDA);
    FIND(wait_for_cuda, clEnqueueWaitForCudaEventCLCUDA);
    FIND(hold_back, clCudaStreamWaitForEventsCLCUDA);
    FIND(pointer_of, clGetMemObjectCudaPointerCLCUDA);
    FIND(array_of, clGetImageCudaArrayCLCUDA);
#undef FIND
    if (!function) GTEST_SKIP() << "not offered";
#define DRIVER(name)                                                          \
  driver.name = reinterpret_cast<decltype(&::name)>(function(device, #name)); \
  ASSERT_NE(driver.name, nullptr)
    DRIVER(cuCtxGetCurrent);
    DRIVER(cuCtxSetCurrent);
    DRIVER(cuStreamCreateWithPriority);
    DRIVER(cuStreamDestroy);
    DRIVER(cuStreamQuery);
    DRIVER(cuStreamSynchronize);
    DRIVER(cuEventCreate);
    DRIVER(cuEventDestroy);
    DRIVER(cuEventRecord);
    DRIVER(cuEventQuery);
    DRIVER(cuMemAlloc);
    DRIVER(cuMemFree);
    DRIVER(cuMemcpyDtoDAsync);
    DRIVER(cuMemcpyDtoHAsync);
    DRIVER(cuMemcpyHtoDAsync);
    DRIVER(cuMemcpy3DAsync);
    DRIVER(cuMemsetD32Async);
#undef DRIVER
    CL_OK(clGetDeviceInfo(device, CL_DEVICE_CUDA_CONTEXT_CLCUDA, sizeof primary, &primary, nullptr));
    CUDA_OK(driver.cuCtxSetCurrent(primary));
    CUDA_OK(driver.cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, 0));
    program = build(kSource);
    add = make_kernel(program, "add");
    opened = static_cast<cl_int*>(clSVMAlloc(
        context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS, sizeof(cl_int), 0));
  }
  void TearDown() override {
    if (stream) {
      CUDA_EXPECT(CUDA_SUCCESS, driver.cuStreamSynchronize(stream));
      CUDA_EXPECT(CUDA_SUCCESS, driver.cuStreamDestroy(stream));
      CUDA_EXPECT(CUDA_SUCCESS, driver.cuCtxSetCurrent(nullptr));
    }
    if (opened) {
      open_gate();
      clFinish(queue);
      clSVMFree(context, opened);
    }
  }

  // Adds `value` to each word of the buffer.
  void launch_add(cl_mem buffer, cl_uint value, cl_command_queue where) const {
    set_arguments(add, buffer, value);
    const std::size_t items = kWords;
    CL_EXPECT(CL_SUCCESS,
              clEnqueueNDRangeKernel(where, add, 1, nullptr, &items, nullptr, 0, nullptr, nullptr));
  }
  // What comes behind this in the queue stays on its way until the gate is opened.
  bool close_gate(cl_command_queue where) {
    if (!opened) return false;
    __atomic_store_n(opened, 0, __ATOMIC_RELEASE);
    hold = make_kernel(program, "hold");
    CL_EXPECT(CL_SUCCESS, clSetKernelArgSVMPointer(hold, 0, opened));
    const std::size_t one = 1;
    CL_EXPECT(CL_SUCCESS,
              clEnqueueNDRangeKernel(where, hold, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
    return true;
  }
  void open_gate() const { __atomic_store_n(opened, 1, __ATOMIC_RELEASE); }
  CUdeviceptr pointer(cl_mem buffer, cl_device_id where = nullptr) const {
    unsigned long long found = 0;
    CL_EXPECT(CL_SUCCESS, pointer_of(buffer, where ? where : device, &found));
    EXPECT_NE(found, 0u);
    return found;
  }
  test::Buffer make(std::size_t size) const {
    cl_int error = 1;
    test::Buffer made = clCreateBuffer(context, CL_MEM_READ_WRITE, size, nullptr, &error);
    CL_EXPECT(CL_SUCCESS, error);
    return made;
  }
  test::Buffer wrap(CUdeviceptr memory, std::size_t size, cl_mem_flags flags = CL_MEM_READ_WRITE) const {
    const cl_mem_properties properties[] = {CL_MEM_CUDA_POINTER_CLCUDA, memory, 0};
    cl_int error = 1;
    test::Buffer made = clCreateBufferWithProperties(context, properties, flags, size, nullptr, &error);
    CL_EXPECT(CL_SUCCESS, error);
    return made;
  }
  void refuses(cl_int code, const cl_mem_properties* properties, std::size_t size, cl_mem_flags flags = 0,
               void* host = nullptr) const {
    cl_int error = 1;
    EXPECT_EQ(nullptr, clCreateBufferWithProperties(context, properties, flags, size, host, &error));
    CL_EXPECT(code, error);
  }

  struct Driver {
    decltype(&::cuCtxGetCurrent) cuCtxGetCurrent;
    decltype(&::cuCtxSetCurrent) cuCtxSetCurrent;
    decltype(&::cuStreamCreateWithPriority) cuStreamCreateWithPriority;
    decltype(&::cuStreamDestroy) cuStreamDestroy;
    decltype(&::cuStreamQuery) cuStreamQuery;
    decltype(&::cuStreamSynchronize) cuStreamSynchronize;
    decltype(&::cuEventCreate) cuEventCreate;
    decltype(&::cuEventDestroy) cuEventDestroy;
    decltype(&::cuEventRecord) cuEventRecord;
    decltype(&::cuEventQuery) cuEventQuery;
    decltype(&::cuMemAlloc) cuMemAlloc;
    decltype(&::cuMemFree) cuMemFree;
    decltype(&::cuMemcpyDtoDAsync) cuMemcpyDtoDAsync;
    decltype(&::cuMemcpyDtoHAsync) cuMemcpyDtoHAsync;
    decltype(&::cuMemcpyHtoDAsync) cuMemcpyHtoDAsync;
    decltype(&::cuMemcpy3DAsync) cuMemcpy3DAsync;
    decltype(&::cuMemsetD32Async) cuMemsetD32Async;
  } driver{};
  clGetCudaFunctionCLCUDA_fn function = nullptr;
  clEnqueueAcquireCudaObjectsCLCUDA_fn acquire = nullptr;
  clEnqueueReleaseCudaObjectsCLCUDA_fn release = nullptr;
  clEnqueueWaitForCudaEventCLCUDA_fn wait_for_cuda = nullptr;
  clCudaStreamWaitForEventsCLCUDA_fn hold_back = nullptr;
  clGetMemObjectCudaPointerCLCUDA_fn pointer_of = nullptr;
  clGetImageCudaArrayCLCUDA_fn array_of = nullptr;
  CUcontext primary = nullptr;
  CUstream stream = nullptr;
  test::Program program;
  test::Kernel add, hold;
  cl_int* opened = nullptr;  // null where the device has no such memory
};

// Device memory of the program's own.
class CudaMemory {
 public:
  CudaMemory(decltype(&::cuMemAlloc) allocate, decltype(&::cuMemFree) free, std::size_t size) : free_(free) {
    CUDA_EXPECT(CUDA_SUCCESS, allocate(&address_, size));
  }
  ~CudaMemory() { CUDA_EXPECT(CUDA_SUCCESS, free_(address_)); }
  CudaMemory(const CudaMemory&) = delete;
  CudaMemory& operator=(const CudaMemory&) = delete;
  operator CUdeviceptr() const { return address_; }

 private:
  decltype(&::cuMemFree) free_;
  CUdeviceptr address_ = 0;
};

std::vector<cl_uint> plus(std::vector<cl_uint> values, cl_uint value) {
  for (cl_uint& one : values) one += value;
  return values;
}

TEST_F(CudaInterop, Queries) {
  EXPECT_EQ(function(device, "cuNoSuchFunction"), nullptr);
  EXPECT_EQ(function(device, nullptr), nullptr);
  EXPECT_EQ(function(nullptr, "cuInit"), nullptr);
  int ordinal = -1;
  std::size_t size = 0;
  CL_OK(clGetDeviceInfo(device, CL_DEVICE_CUDA_DEVICE_CLCUDA, sizeof ordinal, &ordinal, &size));
  EXPECT_EQ(ordinal, 0);
  EXPECT_EQ(size, sizeof(int));
  CUstream own = nullptr;
  CL_OK(clGetCommandQueueInfo(queue, CL_QUEUE_CUDA_STREAM_CLCUDA, sizeof own, &own, &size));
  EXPECT_EQ(size, sizeof own);
  CUDA_EXPECT(CUDA_SUCCESS, driver.cuStreamSynchronize(own));
  const test::Queue unordered = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  CL_EXPECT(CL_INVALID_COMMAND_QUEUE,
            clGetCommandQueueInfo(unordered, CL_QUEUE_CUDA_STREAM_CLCUDA, sizeof own, &own, nullptr));
}

// A kernel of OpenCL's, a copy of CUDA's, and again a kernel, all on their way at once; nobody waits between them.
TEST_F(CudaInterop, StreamsAndQueuesInTurn) {
  CUstream own = nullptr;
  CL_OK(clGetCommandQueueInfo(queue, CL_QUEUE_CUDA_STREAM_CLCUDA, sizeof own, &own, nullptr));
  for (CUstream where : {stream, own, CUstream{}}) {
    const std::vector<cl_uint> values = test::random_values<cl_uint>(kWords);
    const test::Buffer from = make_buffer(values), to = make(kBytes);
    const bool closed = close_gate(queue);
    launch_add(from, 1, queue);
    const cl_mem objects[] = {from, to};
    const cl_mem_flags accesses[] = {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY};
    CL_OK(acquire(queue, 2, objects, accesses, where, 0, nullptr));
    CUDA_OK(driver.cuMemcpyDtoDAsync(pointer(to), pointer(from), kBytes, where));
    if (closed && where) CUDA_EXPECT(CUDA_ERROR_NOT_READY, driver.cuStreamQuery(where));
    CL_OK(release(queue, 2, objects, where, 0, nullptr, nullptr));
    launch_add(to, 2, queue);
    launch_add(from, 4, queue);
    if (closed) open_gate();
    EXPECT_EQ(contents<cl_uint>(to, kWords), plus(values, 3));
    EXPECT_EQ(contents<cl_uint>(from, kWords), plus(values, 5));
  }
}

TEST_F(CudaInterop, PointersStay) {
  const test::Buffer buffer = make(kBytes);
  const CUdeviceptr first = pointer(buffer);
  launch_add(buffer, 1, queue);
  EXPECT_EQ(pointer(buffer), first);
  const cl_buffer_region region{512, 1024};
  cl_int error = 1;
  const test::Buffer part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
  CL_OK(error);
  EXPECT_EQ(pointer(part), first + 512);
}

// What waits for the host cannot be in a stream; nothing has happened then.
TEST_F(CudaInterop, HeldCommands) {
  const test::Buffer buffer = make(kBytes);
  const test::Event gate = make_user_event();
  test::Event marker;
  CL_OK(clEnqueueMarkerWithWaitList(queue, 1, gate.list(), marker.out()));
  CL_EXPECT(CL_INVALID_OPERATION, acquire(queue, 1, buffer.list(), nullptr, stream, 0, nullptr));
  CL_EXPECT(CL_INVALID_OPERATION, hold_back(device, stream, 1, marker.list()));
  CL_EXPECT(CL_INVALID_OPERATION, hold_back(device, stream, 1, gate.list()));
  const test::Queue other = make_queue(0);
  CL_EXPECT(CL_INVALID_OPERATION, acquire(other, 1, buffer.list(), nullptr, stream, 1, marker.list()));
  CUDA_EXPECT(CUDA_SUCCESS, driver.cuStreamQuery(stream));
  CL_OK(clSetUserEventStatus(gate, CL_COMPLETE));
  CL_OK(acquire(queue, 1, buffer.list(), nullptr, stream, 0, nullptr));
  CL_OK(acquire(other, 1, buffer.list(), nullptr, stream, 1, marker.list()));
  CL_OK(hold_back(device, stream, 1, gate.list()));
  CL_OK(release(queue, 1, buffer.list(), stream, 0, nullptr, nullptr));
}

TEST_F(CudaInterop, FailedEvents) {
  const test::Buffer buffer = make(kBytes);
  const test::Event failed = make_user_event();
  CL_OK(clSetUserEventStatus(failed, -5));
  CL_EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
            acquire(queue, 1, buffer.list(), nullptr, stream, 1, failed.list()));
  CL_EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, hold_back(device, stream, 1, failed.list()));
}

TEST_F(CudaInterop, EventsOfOpenCLForStreams) {
  const std::vector<cl_uint> values = test::random_values<cl_uint>(kWords);
  const test::Buffer buffer = make_buffer(values);
  const CUdeviceptr address = pointer(buffer);
  const test::Queue unordered = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const bool closed = close_gate(queue);
  launch_add(buffer, 7, queue);
  test::Event added;
  CL_OK(clEnqueueMarkerWithWaitList(queue, 0, nullptr, added.out()));
  CL_OK(hold_back(device, stream, 1, added.list()));
  std::vector<cl_uint> seen(kWords);
  CUDA_OK(driver.cuMemcpyDtoHAsync(seen.data(), address, closed ? 0 : kBytes, stream));
  if (closed) {
    CUevent reached = nullptr;
    CUDA_OK(driver.cuEventCreate(&reached, CU_EVENT_DISABLE_TIMING));
    CUDA_OK(driver.cuEventRecord(reached, stream));
    CUDA_EXPECT(CUDA_ERROR_NOT_READY, driver.cuEventQuery(reached));
    open_gate();
    CUDA_OK(driver.cuStreamSynchronize(stream));
    CUDA_OK(driver.cuEventDestroy(reached));
    CUDA_OK(driver.cuMemcpyDtoHAsync(seen.data(), address, kBytes, stream));
  }
  CUDA_OK(driver.cuStreamSynchronize(stream));
  EXPECT_EQ(seen, plus(values, 7));
}

// A recording counts as it is when the command is enqueued.
TEST_F(CudaInterop, EventsOfCudaForQueues) {
  const test::Queue other = make_queue(0);
  CUevent recorded = nullptr;
  CUDA_OK(driver.cuEventCreate(&recorded, CU_EVENT_DISABLE_TIMING));
  const test::Buffer buffer = make_buffer(std::vector<cl_uint>(kWords, 1));
  const bool closed = close_gate(queue);
  CL_OK(acquire(queue, 1, buffer.list(), nullptr, stream, 0, nullptr));
  CUDA_OK(driver.cuMemsetD32Async(pointer(buffer), 40, kWords, stream));
  CUDA_OK(driver.cuEventRecord(recorded, stream));
  test::Event event;
  CL_OK(wait_for_cuda(other, recorded, 0, nullptr, event.out()));
  CUDA_OK(driver.cuEventDestroy(recorded));
  launch_add(buffer, 2, other);
  if (closed) {
    EXPECT_GT(status_of(event), CL_COMPLETE);
    open_gate();
  }
  CL_OK(clFinish(other));
  EXPECT_EQ(status_of(event), CL_COMPLETE);
  EXPECT_EQ(contents<cl_uint>(buffer, kWords), std::vector<cl_uint>(kWords, 42));
}

TEST_F(CudaInterop, WaitListOfTheWaitForAnEvent) {
  CUevent recorded = nullptr;
  CUDA_OK(driver.cuEventCreate(&recorded, CU_EVENT_DISABLE_TIMING));
  check_wait_list(CL_COMMAND_WAIT_FOR_CUDA_EVENT_CLCUDA,
                  [&](cl_command_queue where, cl_uint count, const cl_event* waits, cl_event* event) {
                    return wait_for_cuda(where, recorded, count, waits, event);
                  });
  CL_EXPECT(CL_INVALID_VALUE, wait_for_cuda(queue, nullptr, 0, nullptr, nullptr));
  CUDA_OK(driver.cuEventDestroy(recorded));
}

TEST_F(CudaInterop, WaitListOfTheRelease) {
  const test::Buffer buffer = make(kBytes);
  check_wait_list(CL_COMMAND_RELEASE_CUDA_OBJECTS_CLCUDA,
                  [&](cl_command_queue where, cl_uint count, const cl_event* waits, cl_event* event) {
                    return release(where, 1, buffer.list(), stream, count, waits, event);
                  });
}

TEST_F(CudaInterop, Errors) {
  const test::Buffer buffer = make(kBytes);
  cl_int error = CL_SUCCESS;
  const test::Context foreign = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  CL_OK(error);
  const test::Queue elsewhere = clCreateCommandQueueWithProperties(foreign, device, nullptr, &error);
  CL_OK(error);
  const cl_mem no_object = nullptr;
  CL_EXPECT(CL_INVALID_COMMAND_QUEUE, acquire(nullptr, 1, buffer.list(), nullptr, stream, 0, nullptr));
  CL_EXPECT(CL_INVALID_CONTEXT, acquire(elsewhere, 1, buffer.list(), nullptr, stream, 0, nullptr));
  CL_EXPECT(CL_INVALID_CONTEXT, release(elsewhere, 1, buffer.list(), stream, 0, nullptr, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, acquire(queue, 1, nullptr, nullptr, stream, 0, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, acquire(queue, 0, buffer.list(), nullptr, stream, 0, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, release(queue, 1, nullptr, stream, 0, nullptr, nullptr));
  CL_EXPECT(CL_INVALID_MEM_OBJECT, acquire(queue, 1, &no_object, nullptr, stream, 0, nullptr));
  CL_EXPECT(CL_INVALID_MEM_OBJECT, release(queue, 1, &no_object, stream, 0, nullptr, nullptr));
  const cl_mem_flags both = CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY;
  CL_EXPECT(CL_INVALID_VALUE, acquire(queue, 1, buffer.list(), &both, stream, 0, nullptr));
  CL_EXPECT(CL_INVALID_EVENT_WAIT_LIST, acquire(queue, 1, buffer.list(), nullptr, stream, 1, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, hold_back(device, stream, 0, nullptr));
  const cl_event no_event = nullptr;
  CL_EXPECT(CL_INVALID_EVENT, hold_back(device, stream, 1, &no_event));
  const test::Event done = make_user_event();
  CL_OK(clSetUserEventStatus(done, CL_COMPLETE));
  CL_EXPECT(CL_INVALID_DEVICE, hold_back(nullptr, stream, 1, done.list()));
  unsigned long long found = 0;
  CL_EXPECT(CL_INVALID_MEM_OBJECT, pointer_of(nullptr, device, &found));
  CL_EXPECT(CL_INVALID_DEVICE, pointer_of(buffer, nullptr, &found));
  CL_EXPECT(CL_INVALID_VALUE, pointer_of(buffer, device, nullptr));
  CUarray array = nullptr;
  CL_EXPECT(CL_INVALID_MEM_OBJECT, array_of(buffer, device, 0, &array));
  // Nothing at all to acquire is an order all the same.
  CL_EXPECT(CL_SUCCESS, acquire(queue, 0, nullptr, nullptr, stream, 0, nullptr));
  CL_EXPECT(CL_SUCCESS, release(queue, 0, nullptr, stream, 0, nullptr, nullptr));
}

TEST_F(CudaInterop, BuffersInMemoryOfCuda) {
  const CudaMemory memory(driver.cuMemAlloc, driver.cuMemFree, 2 * kBytes);
  const std::vector<cl_uint> values = test::random_values<cl_uint>(2 * kWords);
  CUDA_OK(driver.cuMemcpyHtoDAsync(memory, values.data(), 2 * kBytes, stream));
  std::vector<cl_uint> half(values.begin() + kWords, values.end());
  {
    const test::Buffer buffer = wrap(memory + kBytes, kBytes);
    EXPECT_EQ(pointer(buffer), memory + kBytes);
    CL_OK(release(queue, 0, nullptr, stream, 0, nullptr, nullptr));
    launch_add(buffer, 5, queue);
    EXPECT_EQ(contents<cl_uint>(buffer, kWords), plus(half, 5));
    cl_mem_properties list[8];
    std::size_t size = 0;
    CL_OK(clGetMemObjectInfo(buffer, CL_MEM_PROPERTIES, sizeof list, list, &size));
    EXPECT_EQ(std::vector<cl_mem_properties>(list, list + size / sizeof *list),
              (std::vector<cl_mem_properties>{CL_MEM_CUDA_POINTER_CLCUDA, memory + kBytes, 0}));
  }
  // It is the program's still, with what the kernel left there.
  std::vector<cl_uint> seen(2 * kWords);
  CUDA_OK(driver.cuMemcpyDtoHAsync(seen.data(), memory, 2 * kBytes, stream));
  CUDA_OK(driver.cuStreamSynchronize(stream));
  EXPECT_TRUE(std::equal(seen.begin(), seen.begin() + kWords, values.begin()));
  EXPECT_EQ(std::vector<cl_uint>(seen.begin() + kWords, seen.end()), plus(half, 5));
}

TEST_F(CudaInterop, BuffersInMemoryThatIsNone) {
  const CudaMemory memory(driver.cuMemAlloc, driver.cuMemFree, kBytes);
  int on_stack = 0;
  const cl_mem_properties good[] = {CL_MEM_CUDA_POINTER_CLCUDA, memory, 0},
                          inside[] = {CL_MEM_CUDA_POINTER_CLCUDA, memory + 256, 0},
                          twice[] = {CL_MEM_CUDA_POINTER_CLCUDA, memory, CL_MEM_CUDA_POINTER_CLCUDA, memory,
                                     0},
                          null[] = {CL_MEM_CUDA_POINTER_CLCUDA, 0, 0},
                          host[] = {CL_MEM_CUDA_POINTER_CLCUDA,
                                    reinterpret_cast<cl_mem_properties>(&on_stack), 0};
  refuses(CL_INVALID_BUFFER_SIZE, good, kBytes + (1 << 24));
  refuses(CL_INVALID_BUFFER_SIZE, inside, kBytes + (1 << 24));
  refuses(CL_INVALID_BUFFER_SIZE, good, 0);
  refuses(CL_INVALID_PROPERTY, twice, kBytes);
  refuses(CL_INVALID_PROPERTY, null, kBytes);
  refuses(CL_INVALID_PROPERTY, host, 4);
  std::vector<cl_uint> values(kWords);
  refuses(CL_INVALID_VALUE, good, kBytes, CL_MEM_USE_HOST_PTR, values.data());
  refuses(CL_INVALID_VALUE, good, kBytes, CL_MEM_COPY_HOST_PTR, values.data());
  refuses(CL_INVALID_VALUE, good, kBytes, CL_MEM_ALLOC_HOST_PTR);
}

TEST_F(CudaInterop, ImmutableObjects) {
  constexpr cl_mem_flags kImmutable = 1 << 6;  // cl_ext_immutable_memory_objects
  std::vector<cl_uint> values = test::random_values<cl_uint>(kWords);
  cl_int error = 1;
  const test::Buffer buffer =
      clCreateBuffer(context, kImmutable | CL_MEM_COPY_HOST_PTR, kBytes, values.data(), &error);
  CL_OK(error);
  const cl_mem_flags reads = CL_MEM_READ_ONLY, writes = CL_MEM_WRITE_ONLY;
  CL_EXPECT(CL_INVALID_OPERATION, acquire(queue, 1, buffer.list(), nullptr, stream, 0, nullptr));
  CL_EXPECT(CL_INVALID_OPERATION, acquire(queue, 1, buffer.list(), &writes, stream, 0, nullptr));
  CL_EXPECT(CL_SUCCESS, acquire(queue, 1, buffer.list(), &reads, stream, 0, nullptr));
  CL_EXPECT(CL_SUCCESS, release(queue, 1, buffer.list(), stream, 0, nullptr, nullptr));
}

TEST_F(CudaInterop, ArraysOfImages) {
  constexpr std::size_t kWidth = 61, kHeight = 17;
  const cl_image_format format{CL_R, CL_UNSIGNED_INT32};
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = kWidth;
  desc.image_height = kHeight;
  cl_int error = 1;
  const test::Buffer image = clCreateImage(context, CL_MEM_READ_ONLY, &format, &desc, nullptr, &error);
  CL_OK(error);
  CUarray array = nullptr;
  CL_OK(array_of(image, device, 0, &array));
  ASSERT_NE(array, nullptr);
  CL_EXPECT(CL_INVALID_MIP_LEVEL, array_of(image, device, 1, &array));
  CL_EXPECT(CL_INVALID_DEVICE, array_of(image, nullptr, 0, &array));
  CL_EXPECT(CL_INVALID_VALUE, array_of(image, device, 0, nullptr));
  const std::vector<cl_uint> texels = test::random_values<cl_uint>(kWidth * kHeight);
  CL_OK(acquire(queue, 1, image.list(), nullptr, stream, 0, nullptr));
  CUDA_MEMCPY3D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = texels.data();
  copy.srcPitch = kWidth * sizeof(cl_uint);
  copy.srcHeight = kHeight;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array;
  copy.WidthInBytes = kWidth * sizeof(cl_uint);
  copy.Height = kHeight;
  copy.Depth = 1;
  CUDA_OK(driver.cuMemcpy3DAsync(&copy, stream));
  CL_OK(release(queue, 1, image.list(), stream, 0, nullptr, nullptr));
  const test::Buffer sums = make(kWidth * kHeight * sizeof(cl_uint));
  const test::Kernel sum = make_kernel(program, "sum");
  set_arguments(sum, image, sums);
  const std::size_t size[] = {kWidth, kHeight};
  CL_OK(clEnqueueNDRangeKernel(queue, sum, 2, nullptr, size, nullptr, 0, nullptr, nullptr));
  EXPECT_EQ(contents<cl_uint>(sums, kWidth * kHeight), texels);
}

TEST_F(CudaInterop, ImagesInBuffersHaveNoArray) {
  const test::Buffer buffer = make(64 * sizeof(cl_uint));
  const cl_image_format format{CL_R, CL_UNSIGNED_INT32};
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
  desc.image_width = 64;
  desc.buffer = buffer;
  cl_int error = 1;
  const test::Buffer image = clCreateImage(context, CL_MEM_READ_ONLY, &format, &desc, nullptr, &error);
  CL_OK(error);
  CUarray array = nullptr;
  CL_EXPECT(CL_INVALID_OPERATION, array_of(image, device, 0, &array));
  CL_EXPECT(CL_SUCCESS, acquire(queue, 1, image.list(), nullptr, stream, 0, nullptr));
  CL_EXPECT(CL_SUCCESS, release(queue, 1, image.list(), stream, 0, nullptr, nullptr));
}

// Memory of CUDA's on one device, used by the queue of another, and back: each acquire finds what was written last.
TEST_F(CudaInterop, MemoryOnSeveralDevices) {
  if (test::devices().size() < 2) GTEST_SKIP() << "one device";
  const cl_device_id both[] = {test::devices()[0], test::devices()[1]};
  cl_int error = 1;
  const test::Context shared = clCreateContext(nullptr, 2, both, nullptr, nullptr, &error);
  CL_OK(error);
  test::Queue queues[2];
  for (int i = 0; i < 2; ++i) {
    queues[i] = clCreateCommandQueueWithProperties(shared, both[i], nullptr, &error);
    CL_OK(error);
  }
  test::Program built =
      clCreateProgramWithSource(shared, 1, std::array<const char*, 1>{kSource}.data(), nullptr, &error);
  CL_OK(error);
  CL_OK(clBuildProgram(built, 2, both, "-cl-std=CL3.0", nullptr, nullptr));
  add = make_kernel(built, "add");
  const CudaMemory memory(driver.cuMemAlloc, driver.cuMemFree, kBytes);
  CUDA_OK(driver.cuMemsetD32Async(memory, 100, kWords, stream));
  const cl_mem_properties properties[] = {CL_MEM_CUDA_POINTER_CLCUDA, memory, 0};
  const test::Buffer buffer = clCreateBufferWithProperties(shared, properties, 0, kBytes, nullptr, &error);
  CL_OK(error);
  test::Event released;
  CL_OK(release(queues[0], 1, buffer.list(), stream, 0, nullptr, released.out()));
  set_arguments(add, buffer, cl_uint{11});
  const std::size_t items = kWords;
  test::Event added;
  CL_OK(clEnqueueNDRangeKernel(queues[1], add, 1, nullptr, &items, nullptr, 1, released.list(), added.out()));
  EXPECT_NE(pointer(buffer, both[1]), memory);
  CL_OK(acquire(queues[0], 1, buffer.list(), nullptr, stream, 1, added.list()));
  std::vector<cl_uint> seen(kWords);
  CUDA_OK(driver.cuMemcpyDtoHAsync(seen.data(), memory, kBytes, stream));
  CUDA_OK(driver.cuMemsetD32Async(memory, 7, kWords, stream));
  CL_OK(release(queues[0], 1, buffer.list(), stream, 0, nullptr, released.out()));
  CL_OK(clEnqueueNDRangeKernel(queues[1], add, 1, nullptr, &items, nullptr, 1, released.list(), nullptr));
  std::vector<cl_uint> last(kWords);
  CL_OK(clEnqueueReadBuffer(queues[1], buffer, CL_TRUE, 0, kBytes, last.data(), 0, nullptr, nullptr));
  EXPECT_EQ(seen, std::vector<cl_uint>(kWords, 111));
  EXPECT_EQ(last, std::vector<cl_uint>(kWords, 18));
}

}  // namespace
