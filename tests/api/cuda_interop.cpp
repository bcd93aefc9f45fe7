// SPDX-License-Identifier: Apache-2.0
// cl_clcuda_cuda_interop: OpenCL commands and CUDA's streams, events, memory and arrays. The driver's functions are obtained through the
// extension, so that the same program runs on the CPU device.
#include <array>
#include <future>

#include "cuda_interop_test.h"
#include "support/two_devices.h"

namespace {

using test::CudaInterop;
using test::CudaMemory;
using test::kBytes;
using test::kWords;
using test::LateWork;
using test::plus;

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

// An OpenCL kernel, a CUDA copy and another kernel are in flight together; the host does not wait between them.
TEST_F(CudaInterop, StreamsAndQueuesInTurn) {
  CUstream own = stream_of(queue);
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

// Commands that are held on the host cannot be synchronized with a stream: the call fails without an effect.
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

// The command waits for the CUDA event's record at the time of the enqueue; the event may be destroyed then.
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

// What follows a release sees work that the stream has yet to do: later commands of the queue, commands of another queue that wait for the
// release's event, and clFinish.
TEST_F(CudaInterop, ReleasesOfUnfinishedWork) {
  CUstream own = stream_of(queue);
  const test::Queue other = make_queue(0), unordered = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const auto check = [&](cl_command_queue releasing, CUstream where, bool with_event) {
    const test::Buffer buffer = make_buffer(std::vector<cl_uint>(kWords, 1));
    CL_OK(acquire(releasing, 1, buffer.list(), nullptr, where, 0, nullptr));
    LateWork late(driver.cuLaunchHostFunc, where);
    CUDA_OK(driver.cuMemsetD32Async(pointer(buffer), 40, kWords, where));
    test::Event released, added;
    CL_OK(release(releasing, 1, buffer.list(), where, 0, nullptr, with_event ? released.out() : nullptr));
    const cl_command_queue after = with_event ? other.get() : releasing;
    CL_OK(clEnqueueBarrierWithWaitList(after, with_event, with_event ? released.list() : nullptr, nullptr));
    launch_add(buffer, 2, after);
    CL_OK(clEnqueueMarkerWithWaitList(after, 0, nullptr, added.out()));
    if (with_event) EXPECT_GT(test::status_of(released), CL_COMPLETE);
    EXPECT_GT(test::status_of(added), CL_COMPLETE);
    const auto end = std::async(std::launch::async, [&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      late.end();
    });
    CL_OK(clFinish(after));
    EXPECT_TRUE(late.has_been_ended());
    EXPECT_EQ(contents<cl_uint>(buffer, kWords), std::vector<cl_uint>(kWords, 42));
  };
  for (const bool with_event : {false, true}) {
    check(queue, own, with_event);
    for (const CUstream each : {stream, CUstream{}, CU_STREAM_LEGACY, CU_STREAM_PER_THREAD}) {
      check(queue, each, with_event);
      check(unordered, each, with_event);
    }
  }
}

void CL_CALLBACK set(cl_mem, void* flag) { *static_cast<std::atomic<bool>*>(flag) = true; }

bool is_set_soon(const std::atomic<bool>& flag) {
  for (const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
       !flag && std::chrono::steady_clock::now() < end;)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return flag;
}

// An object that is released as soon as CUDA's work has been: its memory, and its destructor callbacks, wait for that work, in whatever
// queue and however late the command of the release is submitted, and also if it fails.
TEST_F(CudaInterop, ObjectsThatAreGoneBeforeTheirWork) {
  enum class Release { now, late, never };
  const test::Queue other = make_queue(0), third = make_queue(0),
                    unordered = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const auto check = [&](cl_command_queue acquiring, cl_command_queue releasing, CUstream where,
                         Release when) {
    test::Buffer buffer = make(kBytes);
    std::atomic<bool> gone = false;
    CL_OK(clSetMemObjectDestructorCallback(buffer, set, &gone));
    CL_OK(acquire(acquiring, 1, buffer.list(), nullptr, where, 0, nullptr));
    const CUdeviceptr address = pointer(buffer);
    LateWork late(driver.cuLaunchHostFunc, where);
    CUDA_OK(driver.cuMemsetD32Async(address, 40, kWords, where));
    const test::Event gate = clCreateUserEvent(context, nullptr);
    CL_OK(release(releasing, 1, buffer.list(), where, when != Release::now,
                  when == Release::now ? nullptr : gate.list(), nullptr));
    buffer = {};
    if (when == Release::never) CL_OK(clSetUserEventStatus(gate, -1));
    std::vector<test::Buffer> later;
    const cl_uint seven = 7;
    for (int i = 0; i < 40; ++i) {
      later.push_back(make(kBytes));
      CL_OK(clEnqueueFillBuffer(third, later.back(), &seven, sizeof seven, 0, kBytes, 0, nullptr, nullptr));
    }
    EXPECT_FALSE(gone);
    late.end();
    CL_OK(clFinish(third));
    CUDA_OK(driver.cuStreamSynchronize(where));
    if (when == Release::late) CL_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    for (const test::Buffer& each : later)
      EXPECT_EQ(contents<cl_uint>(each, kWords), std::vector<cl_uint>(kWords, 7));
    clFinish(releasing);
    EXPECT_TRUE(is_set_soon(gone));
  };
  for (const Release when : {Release::now, Release::late, Release::never}) {
    SCOPED_TRACE(static_cast<int>(when));
    check(queue, queue, stream, when);
    check(queue, other, stream, when);
    check(queue, other, stream_of(other), when);
    check(unordered, unordered, stream, when);
  }
}

TEST_F(CudaInterop, ImagesThatAreGoneBeforeTheirWork) {
  const test::Queue unordered = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const cl_image_format format{CL_R, CL_UNSIGNED_INT32};
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = desc.image_height = 64;
  for (const bool in_buffer : {false, true}) {
    SCOPED_TRACE(in_buffer);
    const test::Buffer buffer = make(kBytes);
    desc.mem_object = in_buffer ? buffer.get() : nullptr;
    cl_int error = 1;
    test::Buffer image = clCreateImage(context, CL_MEM_READ_ONLY, &format, &desc, nullptr, &error);
    CL_OK(error);
    std::atomic<bool> gone = false;
    CL_OK(clSetMemObjectDestructorCallback(image, set, &gone));
    CL_OK(acquire(unordered, 1, image.list(), nullptr, stream, 0, nullptr));
    LateWork late(driver.cuLaunchHostFunc, stream);
    CL_OK(release(unordered, 1, image.list(), stream, 0, nullptr, nullptr));
    image = {};
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_FALSE(gone);
    late.end();
    EXPECT_TRUE(is_set_soon(gone));
  }
}

TEST_F(CudaInterop, FinishAfterARelease) {
  CUstream own = stream_of(queue);
  for (CUstream where : {own, stream}) {
    LateWork late(driver.cuLaunchHostFunc, where);
    CL_OK(release(queue, 0, nullptr, where, 0, nullptr, nullptr));
    const auto end = std::async(std::launch::async, [&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      late.end();
    });
    CL_OK(clFinish(queue));
    EXPECT_TRUE(late.has_been_ended());
  }
}

// The release is held, and the stream is gone when it is submitted.
TEST_F(CudaInterop, HeldReleaseOfAStreamThatIsGone) {
  CUstream brief = nullptr;
  CUDA_OK(driver.cuStreamCreateWithPriority(&brief, CU_STREAM_NON_BLOCKING, 0));
  const test::Buffer buffer = make_buffer(std::vector<cl_uint>(kWords, 1));
  CL_OK(acquire(queue, 1, buffer.list(), nullptr, brief, 0, nullptr));
  LateWork late(driver.cuLaunchHostFunc, brief);
  CUDA_OK(driver.cuMemsetD32Async(pointer(buffer), 40, kWords, brief));
  const test::Event gate = make_user_event();
  CL_OK(release(queue, 1, buffer.list(), brief, 1, gate.list(), nullptr));
  launch_add(buffer, 2, queue);
  CUDA_OK(driver.cuStreamDestroy(brief));
  CL_OK(clSetUserEventStatus(gate, CL_COMPLETE));
  late.end();
  EXPECT_EQ(contents<cl_uint>(buffer, kWords), std::vector<cl_uint>(kWords, 42));
}

// Work of CUDA's between two commands in the queue's own stream counts as neither's time.
TEST_F(CudaInterop, TimesBesideForeignWork) {
  constexpr std::chrono::milliseconds kLong(60);
  const test::Queue timed = make_queue(CL_QUEUE_PROFILING_ENABLE);
  CUstream own = stream_of(timed);
  const test::Buffer buffer = make_buffer(std::vector<cl_uint>(kWords, 1));
  LateWork before(driver.cuLaunchHostFunc, own);
  test::Event first, second;
  CL_OK(clEnqueueFillBuffer(timed, buffer, &"\1\2\3", 4, 0, kBytes, 0, nullptr, first.out()));
  CL_OK(acquire(timed, 1, buffer.list(), nullptr, own, 0, nullptr));
  LateWork between(driver.cuLaunchHostFunc, own);
  CL_OK(release(timed, 1, buffer.list(), own, 0, nullptr, nullptr));
  CL_OK(clEnqueueFillBuffer(timed, buffer, &"\1\2\3", 4, 0, kBytes, 0, nullptr, second.out()));
  before.end();
  CL_OK(clWaitForEvents(1, first.list()));
  std::this_thread::sleep_for(kLong);
  between.end();
  CL_OK(clFinish(timed));
  cl_ulong ended = 0, started = 0;
  CL_OK(clGetEventProfilingInfo(first, CL_PROFILING_COMMAND_END, sizeof ended, &ended, nullptr));
  CL_OK(clGetEventProfilingInfo(second, CL_PROFILING_COMMAND_START, sizeof started, &started, nullptr));
  EXPECT_GT(started, ended + std::chrono::nanoseconds(kLong / 2).count());
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
  // A list of no objects is valid and still orders queue and stream.
  CL_EXPECT(CL_SUCCESS, acquire(queue, 0, nullptr, nullptr, stream, 0, nullptr));
  CL_EXPECT(CL_SUCCESS, release(queue, 0, nullptr, stream, 0, nullptr, nullptr));
}

// The compiler must not use a vector store, which needs an aligned address.
TEST_F(CudaInterop, BuffersAtAddressesOfAnyAlignment) {
  const CudaMemory memory(driver.cuMemAlloc, driver.cuMemFree, kBytes);
  const test::Program program = build(
      "kernel void fours(global uint* p, uint v) {"
      "  p += 4 * get_global_id(0); p[0] = v; p[1] = v + 1; p[2] = v + 2; p[3] = v + 3; }");
  const test::Kernel kernel = make_kernel(program, "fours");
  const std::size_t items = 16;
  for (const std::size_t offset : {0, 4, 8, 12}) {
    const test::Buffer buffer = wrap(memory + offset, kBytes - offset);
    const auto v = test::random_values<cl_uint>(1)[0];
    set_arguments(kernel, buffer, v);
    CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr));
    std::vector<cl_uint> expected;
    for (cl_uint i = 0; i < 4 * items; ++i) expected.push_back(v + i % 4);
    EXPECT_EQ(contents<cl_uint>(buffer, expected.size()), expected) << "offset " << offset;
  }
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
  // Releasing the buffer does not free the application's memory, which has the kernel's results.
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

// The first level of a mipmap is written between acquire and release, before and after a launch that reads it in the same stream.
TEST_F(CudaInterop, ArraysOfMipmaps) {
  constexpr std::size_t kSize = 16, kLayers = 3, kCount = kSize * kSize * kLayers;
  const cl_image_format format{CL_R, CL_UNSIGNED_INT32};
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY;
  desc.image_width = desc.image_height = kSize;
  desc.image_array_size = kLayers;
  desc.num_mip_levels = 2;
  cl_int error = 1;
  const test::Buffer image = clCreateImage(context, 0, &format, &desc, nullptr, &error);
  CL_OK(error);
  const test::Program reading = build(
      "kernel void read(read_only image2d_array_t image, global uint* out) {"
      "  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);"
      "  out[(z * get_global_size(1) + y) * get_global_size(0) + x] = read_imageui(image, (int4)(x, y, z, "
      "0)).x; }");
  const test::Kernel read = make_kernel(reading, "read");
  const test::Buffer out = make(kCount * sizeof(cl_uint));
  set_arguments(read, image, out);
  CUDA_MEMCPY3D copy{};
  CL_OK(array_of(image, device, 0, &copy.dstArray));
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.srcPitch = copy.WidthInBytes = kSize * sizeof(cl_uint);
  copy.srcHeight = copy.Height = kSize;
  copy.Depth = kLayers;
  const CUstream own = stream_of(queue);
  const std::vector<cl_uint> first = test::random_values<cl_uint>(kCount),
                             second = test::random_values<cl_uint>(kCount);
  const std::size_t size[] = {kSize, kSize, kLayers};
  CL_OK(acquire(queue, 1, image.list(), nullptr, own, 0, nullptr));
  for (const auto* texels : {&first, &second}) {
    copy.srcHost = texels->data();
    CUDA_OK(driver.cuMemcpy3DAsync(&copy, own));
    if (texels == &second) CL_OK(release(queue, 1, image.list(), own, 0, nullptr, nullptr));
    CL_OK(clEnqueueNDRangeKernel(queue, read, 3, nullptr, size, nullptr, 0, nullptr, nullptr));
    EXPECT_EQ(contents<cl_uint>(out, kCount), *texels);
  }
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

// Texture units need an aligned address: without one, a 2D image is refused (section 5.3.1.2), and an image1d_buffer_t read without them.
TEST_F(CudaInterop, ImagesAtAddressesOfAnyAlignment) {
  const CudaMemory memory(driver.cuMemAlloc, driver.cuMemFree, kBytes);
  const std::vector<cl_uint> texels = test::random_values<cl_uint>(kWords);
  CUDA_OK(driver.cuMemcpyHtoDAsync(memory, texels.data(), kBytes, stream));
  CUDA_OK(driver.cuStreamSynchronize(stream));
  const test::Program reading = build(
      "kernel void line(read_only image1d_buffer_t image, global uint* out) {"
      "  int x = get_global_id(0); out[x] = read_imageui(image, x).x; }"
      "kernel void rows(read_only image2d_t image, global uint* out) {"
      "  int x = get_global_id(0); out[x] = read_imageui(image, (int2)(x % 32, x / 32)).x; }");
  constexpr std::size_t kTexels = 128;
  const test::Buffer out = make(kTexels * sizeof(cl_uint));
  cl_image_desc line{}, rows{};
  line.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
  line.image_width = kTexels;
  rows.image_type = CL_MEM_OBJECT_IMAGE2D;
  rows.image_width = 32;
  rows.image_height = kTexels / 32;
  for (const std::size_t offset : {0, 64, 4, 2}) {
    SCOPED_TRACE("offset " + std::to_string(offset));
    const test::Buffer buffer = wrap(memory + offset, kBytes / 2);
    const auto check = [&](cl_image_desc desc, const char* name, bool aligned) {
      const cl_image_format format{CL_R, CL_UNSIGNED_INT32};
      desc.buffer = buffer;
      cl_int error = 1;
      const test::Buffer image = clCreateImage(context, 0, &format, &desc, nullptr, &error);
      CL_EXPECT(aligned ? CL_SUCCESS : CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, error);
      if (!image) return;
      const test::Kernel kernel = make_kernel(reading, name);
      set_arguments(kernel, image, out);
      CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &kTexels, nullptr, 0, nullptr, nullptr));
      const auto first = texels.begin() + offset / sizeof(cl_uint);
      EXPECT_EQ(contents<cl_uint>(out, kTexels), std::vector<cl_uint>(first, first + kTexels));
    };
    check(line, "line", offset % sizeof(cl_uint) == 0);
    check(rows, "rows", offset == 0);
  }
}

// CUDA memory on one device, used by a queue of another device, and back: each acquire makes the latest contents visible.
TEST_F(CudaInterop, MemoryOnSeveralDevices) {
  if (!test::TwoDevices::offered()) GTEST_SKIP() << "one device";
  const test::TwoDevices both;
  cl_int error = 1;
  test::Program built = clCreateProgramWithSource(
      both.context, 1, std::array<const char*, 1>{test::kSource}.data(), nullptr, &error);
  CL_OK(error);
  CL_OK(clBuildProgram(built, 2, both.devices.data(), "-cl-std=CL3.0", nullptr, nullptr));
  add = make_kernel(built, "add");
  const CudaMemory memory(driver.cuMemAlloc, driver.cuMemFree, kBytes);
  CUDA_OK(driver.cuMemsetD32Async(memory, 100, kWords, stream));
  const cl_mem_properties properties[] = {CL_MEM_CUDA_POINTER_CLCUDA, memory, 0};
  const test::Buffer buffer =
      clCreateBufferWithProperties(both.context, properties, 0, kBytes, nullptr, &error);
  CL_OK(error);
  test::Event released;
  CL_OK(release(both.queues[0], 1, buffer.list(), stream, 0, nullptr, released.out()));
  set_arguments(add, buffer, cl_uint{11});
  const std::size_t items = kWords;
  test::Event added;
  CL_OK(clEnqueueNDRangeKernel(both.queues[1], add, 1, nullptr, &items, nullptr, 1, released.list(),
                               added.out()));
  EXPECT_NE(pointer(buffer, both.devices[1]), memory);
  CL_OK(acquire(both.queues[0], 1, buffer.list(), nullptr, stream, 1, added.list()));
  std::vector<cl_uint> seen(kWords);
  CUDA_OK(driver.cuMemcpyDtoHAsync(seen.data(), memory, kBytes, stream));
  CUDA_OK(driver.cuMemsetD32Async(memory, 7, kWords, stream));
  CL_OK(release(both.queues[0], 1, buffer.list(), stream, 0, nullptr, released.out()));
  CL_OK(
      clEnqueueNDRangeKernel(both.queues[1], add, 1, nullptr, &items, nullptr, 1, released.list(), nullptr));
  std::vector<cl_uint> last(kWords);
  CL_OK(clEnqueueReadBuffer(both.queues[1], buffer, CL_TRUE, 0, kBytes, last.data(), 0, nullptr, nullptr));
  EXPECT_EQ(seen, std::vector<cl_uint>(kWords, 111));
  EXPECT_EQ(last, std::vector<cl_uint>(kWords, 18));
}

}  // namespace
