// SPDX-License-Identifier: Apache-2.0
// A context of two devices: contents are migrated to the device that uses them; programs and kernels are for some or all devices.
#include <algorithm>
#include <chrono>
#include <ctime>
#include <numeric>
#include <thread>

#include "support/gate.h"
#include "support/two_devices.h"

namespace {

using Values = std::vector<cl_uint>;

constexpr char kSource[] =
    "kernel void add(global uint* a, uint b) { a[get_global_id(0)] += b; }\n"
    "kernel void twice(global uint* a) { a[get_global_id(0)] *= 2; }\n"
    "kernel void add_to_const(global const uint* a, uint b) { ((global uint*)a)[get_global_id(0)] += b; }\n";

class SeveralDevices : public test::TwoDevicesTest {
 protected:
  test::Program build_for_both(const char* source = kSource) const {
    test::Program program = create(source);
    CL_EXPECT(CL_SUCCESS, clBuildProgram(program, 0, nullptr, "", nullptr, nullptr));
    return program;
  }
  void run(int on, cl_kernel kernel, size_t count, size_t offset = 0) const {
    test::Event done;
    CL_EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(queues[on], kernel, 1, &offset, &count, nullptr, 0, nullptr,
                                                 done.out()));
    CL_EXPECT(CL_SUCCESS, clWaitForEvents(1, done.list()));
  }
};

TEST_F(SeveralDevices, ContentsFollowTheCommands) {
  Values expected = test::random_values<cl_uint>(5000);
  const test::Buffer buffer = make_buffer(expected);
  const test::Program program = build_for_both();
  for (const char* name : {"add", "add_to_const"}) {
    const test::Kernel add = make_kernel(program, name);
    for (cl_uint round = 0; round < 10; ++round) {
      set_arguments(add, buffer, round);
      run(static_cast<int>(round % 2), add, expected.size());
      for (cl_uint& value : expected) value += round;
    }
    EXPECT_EQ(expected, read(0, buffer, expected.size())) << name;
    EXPECT_EQ(expected, read(1, buffer, expected.size())) << name;
  }
}

// What a write costs does not depend on how many places of the buffer have been written.
TEST_F(SeveralDevices, ScatteredWritesCostTheSameThroughout) {
  const auto processor_time = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
  };
  constexpr size_t kPlaces = 128'000, kPart = kPlaces / 8, kDistance = 4;
  std::vector<size_t> places(kPlaces);
  std::iota(places.begin(), places.end(), 0);
  std::ranges::shuffle(places, test::random_engine());
  cl_int error = 1;
  const test::Context alone = clCreateContext(nullptr, 1, &both[0], nullptr, nullptr, &error);
  CL_OK(error);
  const test::Queue queue_alone = clCreateCommandQueueWithProperties(alone, both[0], nullptr, &error);
  CL_OK(error);
  for (const auto& [where, on] :
       {std::pair(context.get(), queues[0].get()), {alone.get(), queue_alone.get()}}) {
    const test::Buffer buffer =
        clCreateBuffer(where, CL_MEM_READ_WRITE, kPlaces * kDistance * sizeof(cl_uint), nullptr, &error);
    CL_OK(error);
    std::vector<double> times;
    for (size_t part = 0; part < kPlaces / kPart; ++part) {
      const double begin = processor_time();
      for (size_t i = part * kPart; i < (part + 1) * kPart; ++i) {
        const auto value = static_cast<cl_uint>(places[i]);
        CL_OK(clEnqueueWriteBuffer(on, buffer, CL_FALSE, places[i] * kDistance * sizeof value, sizeof value,
                                   &value, 0, nullptr, nullptr));
      }
      times.push_back(processor_time() - begin);
    }
    CL_OK(clFinish(on));
    EXPECT_LT(times.back(), 4 * times.front());
    if (where == context) {
      const auto values = read(1, buffer, kPlaces * kDistance);
      for (size_t i = 0; i < kPlaces; ++i) ASSERT_EQ(values[i * kDistance], i);
    }
  }
}

// Many commands read contents that are being migrated to their device by another queue; none may read them too early.
TEST_F(SeveralDevices, ReadersWaitForWhatIsOnItsWay) {
  constexpr size_t kReaders = 20;
  const test::Program program = create(std::string(test::Gate::kSource) +
                                       "kernel void copy(global const uint* a, global uint* b) { "
                                       "b[get_global_id(0)] = a[get_global_id(0)]; }");
  CL_OK(clBuildProgram(program, 0, nullptr, "-cl-std=CL3.0", nullptr, nullptr));
  const test::Kernel copy = make_kernel(program, "copy"), hold = make_kernel(program, "hold");
  const Values expected = test::random_values<cl_uint>(5000);
  const size_t count = expected.size(), size = count * sizeof(cl_uint);
  const test::Buffer buffer = make_buffer(size);
  CL_OK(clEnqueueWriteBuffer(queues[0], buffer, CL_TRUE, 0, size, expected.data(), 0, nullptr, nullptr));
  std::vector<test::Queue> readers;
  std::vector<test::Buffer> copies;
  for (size_t i = 0; i < kReaders; ++i) {
    cl_int error = 1;
    readers.emplace_back(clCreateCommandQueueWithProperties(context, both[1], nullptr, &error));
    CL_OK(error);
    // Allocated before, so that only the reads remain.
    copies.push_back(make_buffer(size));
    const cl_uint none = 0;
    CL_OK(clEnqueueFillBuffer(readers[i], copies[i], &none, sizeof none, 0, size, 0, nullptr, nullptr));
    CL_OK(clFinish(readers[i]));
  }
  test::Gate gate(context, hold, readers[0]);
  if (!gate) GTEST_SKIP() << "needs fine-grained shared virtual memory with atomics";
  for (size_t i = 0; i < kReaders; ++i) {
    set_arguments(copy, buffer, copies[i]);
    CL_OK(clEnqueueNDRangeKernel(readers[i], copy, 1, nullptr, &count, nullptr, 0, nullptr, nullptr));
    CL_OK(clFlush(readers[i]));
  }
  // Time in which a reader that does not wait would read old contents.
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  gate.open();
  for (size_t i = 0; i < kReaders; ++i) {
    CL_OK(clFinish(readers[i]));
    EXPECT_EQ(expected, read(1, copies[i], count)) << "reader " << i;
  }
}

// Each device writes a part of a buffer; the parts are merged when the buffer is read.
TEST_F(SeveralDevices, PartsComeTogether) {
  Values expected = test::random_values<cl_uint>(3000);
  const test::Buffer buffer = make_buffer(expected.size() * sizeof(cl_uint));
  for (int part = 0; part < 3; ++part) {
    const size_t first = static_cast<size_t>(part) * 1000;
    CL_OK(clEnqueueWriteBuffer(queues[part % 2], buffer, CL_TRUE, first * sizeof(cl_uint),
                               1000 * sizeof(cl_uint), expected.data() + first, 0, nullptr, nullptr));
  }
  EXPECT_EQ(expected, read(1, buffer, expected.size()));
  const cl_uint pattern = 77;
  CL_OK(clEnqueueFillBuffer(queues[0], buffer, &pattern, sizeof pattern, 400, 800, 0, nullptr, nullptr));
  CL_OK(clFinish(queues[0]));
  std::fill(expected.begin() + 100, expected.begin() + 300, pattern);
  EXPECT_EQ(expected, read(1, buffer, expected.size()));
}

TEST_F(SeveralDevices, SubBuffersOfDifferentDevices) {
  constexpr size_t kCount = 4096;
  Values expected = test::random_values<cl_uint>(kCount);
  const test::Buffer buffer = make_buffer(expected);
  const test::Kernel twice = make_kernel(build_for_both(), "twice");
  for (int i : {0, 1}) {
    const cl_buffer_region region = {static_cast<size_t>(i) * kCount / 2 * sizeof(cl_uint),
                                     kCount / 2 * sizeof(cl_uint)};
    cl_int error = 1;
    const test::Buffer half = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    CL_OK(error);
    set_arguments(twice, half);
    run(i, twice, kCount / 2);
  }
  for (cl_uint& value : expected) value *= 2;
  EXPECT_EQ(expected, read(0, buffer, kCount));
  EXPECT_EQ(expected, read(1, buffer, kCount));
}

TEST_F(SeveralDevices, MapsAndCopies) {
  Values expected = test::random_values<cl_uint>(1000);
  const size_t bytes = expected.size() * sizeof(cl_uint);
  const test::Buffer first = make_buffer(expected), second = make_buffer(bytes);
  const test::Kernel add = make_kernel(build_for_both(), "add");
  set_arguments(add, first, cl_uint{5});
  run(0, add, expected.size());
  for (cl_uint& value : expected) value += 5;
  cl_int error = 1;
  auto* mapped = static_cast<cl_uint*>(clEnqueueMapBuffer(
      queues[1], first, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0, nullptr, nullptr, &error));
  CL_OK(error);
  EXPECT_EQ(expected, Values(mapped, mapped + expected.size()));
  mapped[3] = expected[3] = 33;
  CL_OK(clEnqueueUnmapMemObject(queues[1], first, mapped, 0, nullptr, nullptr));
  CL_OK(clFinish(queues[1]));
  run(0, add, expected.size());
  for (cl_uint& value : expected) value += 5;
  CL_OK(clEnqueueCopyBuffer(queues[1], first, second, 0, 0, bytes, 0, nullptr, nullptr));
  CL_OK(clFinish(queues[1]));
  EXPECT_EQ(expected, read(0, second, expected.size()));
}

// Section 5.2.2, clEnqueueCopyBuffer, in a queue of one device: copies of contents on the other device, of contents of which each device
// has a part, and within one buffer.
TEST_F(SeveralDevices, CopiesReachAcross) {
  constexpr size_t kCount = 3000, kBytes = sizeof(cl_uint), kAll = kCount * kBytes;
  const auto copy = [&](int on, cl_mem from, cl_mem to, size_t from_word, size_t to_word, size_t words) {
    CL_OK(clEnqueueCopyBuffer(queues[on], from, to, from_word * kBytes, to_word * kBytes, words * kBytes, 0,
                              nullptr, nullptr));
    CL_OK(clFinish(queues[on]));
  };
  Values first = test::random_values<cl_uint>(kCount), second = test::random_values<cl_uint>(kCount);
  const test::Buffer a = make_buffer(kAll), b = make_buffer(kAll);
  CL_OK(clEnqueueWriteBuffer(queues[0], a, CL_TRUE, 0, kAll, first.data(), 0, nullptr, nullptr));
  CL_OK(clEnqueueWriteBuffer(queues[1], b, CL_TRUE, 0, kAll, second.data(), 0, nullptr, nullptr));
  copy(1, a, b, 100, 700, 1000);
  std::copy_n(first.begin() + 100, 1000, second.begin() + 700);
  copy(0, b, a, 500, 0, 2000);
  std::copy_n(second.begin() + 500, 2000, first.begin());
  // Each device has a part of `a` now.
  CL_OK(clEnqueueWriteBuffer(queues[1], a, CL_TRUE, 0, 900 * kBytes, second.data(), 0, nullptr, nullptr));
  std::copy_n(second.begin(), 900, first.begin());
  copy(1, a, b, 800, 1500, 200);
  std::copy_n(first.begin() + 800, 200, second.begin() + 1500);
  copy(0, a, a, 0, 2000, 900);
  std::copy_n(first.begin(), 900, first.begin() + 2000);
  const cl_buffer_region region = {1024 * kBytes, 1000 * kBytes};
  cl_int error = 1;
  const test::Buffer part = clCreateSubBuffer(b, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
  CL_OK(error);
  copy(0, part, a, 10, 1000, 300);
  std::copy_n(second.begin() + 1034, 300, first.begin() + 1000);
  for (int on : {0, 1}) {
    EXPECT_EQ(first, read(on, a, kCount));
    EXPECT_EQ(second, read(on, b, kCount));
  }
}

// All mip levels are migrated. Each buffer has memory on both devices. The migration needs a stream of the source device, the first time a
// new one.
TEST_F(SeveralDevices, ImagesFollowTheCommands) {
  constexpr cl_image_format kFormat = {CL_R, CL_UNSIGNED_INT32};
  for (const cl_uint levels : {0u, 4u}) {
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = desc.image_height = 32;
    desc.num_mip_levels = levels;
    cl_int error = 1;
    const test::Buffer image = clCreateImage(context, 0, &kFormat, &desc, nullptr, &error);
    CL_OK(error);
    for (int round = 0; round < 4; ++round)
      for (size_t level = 0; level < std::max(levels, 1u); ++level) {
        const size_t side = size_t{32} >> level, origin[3] = {0, 0, level}, region[3] = {side, side, 1};
        const Values texels = test::random_values<cl_uint>(side * side);
        Values found(texels.size());
        CL_OK(clEnqueueWriteImage(queues[round % 2], image, CL_TRUE, origin, region, 0, 0, texels.data(), 0,
                                  nullptr, nullptr));
        CL_OK(clEnqueueReadImage(queues[1 - round % 2], image, CL_TRUE, origin, region, 0, 0, found.data(), 0,
                                 nullptr, nullptr));
        EXPECT_EQ(texels, found) << "level " << level;
      }
  }
}

// An image is copied to a device that has room for it, but not for twice its texels.
TEST_F(SeveralDevices, ImagesMoveThroughLittleMemory) {
  cl_device_type type = 0;
  CL_OK(clGetDeviceInfo(both[1], CL_DEVICE_TYPE, sizeof type, &type, nullptr));
  if (!(type & CL_DEVICE_TYPE_CPU)) GTEST_SKIP() << "others may need the memory of a GPU";
  cl_ulong most = 0;
  CL_OK(clGetDeviceInfo(both[1], CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, nullptr));
  const test::Buffer full = make_buffer(most - (224 << 20));
  const cl_uint one = 1;
  CL_OK(clEnqueueFillBuffer(queues[1], full, &one, sizeof one, 0, sizeof one, 0, nullptr, nullptr));
  constexpr size_t kWidth = 4096, kHeight = 2048, kRow[3] = {kWidth, 1, 1};  // 128 MiB
  constexpr cl_image_format kFormat{CL_RGBA, CL_UNSIGNED_INT32};
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = kWidth;
  desc.image_height = kHeight;
  cl_int error = 1;
  const test::Buffer image = clCreateImage(context, 0, &kFormat, &desc, nullptr, &error);
  CL_OK(error);
  const size_t rows[] = {0, kHeight / 2, kHeight - 1};
  const Values texels = test::random_values<cl_uint>(std::size(rows) * kWidth * 4);
  for (size_t i = 0; i < std::size(rows); ++i) {
    const size_t origin[3] = {0, rows[i], 0};
    CL_OK(clEnqueueWriteImage(queues[0], image, CL_TRUE, origin, kRow, 0, 0, &texels[i * kWidth * 4], 0,
                              nullptr, nullptr));
  }
  Values found(texels.size());
  for (size_t i = 0; i < std::size(rows); ++i) {
    const size_t origin[3] = {0, rows[i], 0};
    CL_OK(clEnqueueReadImage(queues[1], image, CL_TRUE, origin, kRow, 0, 0, &found[i * kWidth * 4], 0,
                             nullptr, nullptr));
  }
  EXPECT_EQ(found, texels);
}

TEST_F(SeveralDevices, MemoryOnBothIsFreed) {
  cl_ulong all = 0, most = 0;
  CL_OK(clGetDeviceInfo(both[0], CL_DEVICE_GLOBAL_MEM_SIZE, sizeof all, &all, nullptr));
  CL_OK(clGetDeviceInfo(both[0], CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, nullptr));
  const size_t bytes = std::min(all / 3, most);
  for (cl_uint round = 0; round < 8; ++round) {
    const test::Buffer buffer = make_buffer(bytes);
    CL_OK(clEnqueueWriteBuffer(queues[0], buffer, CL_TRUE, 0, sizeof round, &round, 0, nullptr, nullptr));
    ASSERT_EQ(Values{round}, read(1, buffer, 1));
  }
}

// A user event holds a command of one device, for whose event a command of the other device waits.
TEST_F(SeveralDevices, EventsReachAcross) {
  Values expected(100);
  std::iota(expected.begin(), expected.end(), 0u);
  const test::Buffer buffer = make_buffer(expected);
  const test::Program program = build_for_both();
  const test::Kernel add = make_kernel(program, "add"), twice = make_kernel(program, "twice");
  set_arguments(add, buffer, cl_uint{1});
  set_arguments(twice, buffer);
  const size_t count = expected.size();
  const test::Event gate = make_user_event();
  test::Event added, doubled;
  CL_OK(clEnqueueNDRangeKernel(queues[0], add, 1, nullptr, &count, nullptr, 1, gate.list(), added.out()));
  CL_OK(
      clEnqueueNDRangeKernel(queues[1], twice, 1, nullptr, &count, nullptr, 1, added.list(), doubled.out()));
  CL_OK(clSetUserEventStatus(gate, CL_COMPLETE));
  CL_OK(clWaitForEvents(1, doubled.list()));
  for (cl_uint& value : expected) value = (value + 1) * 2;
  EXPECT_EQ(expected, read(0, buffer, count));
}

TEST_F(SeveralDevices, ProgramsAreBuiltForSome) {
  const test::Program program = create(kSource);
  CL_OK(clBuildProgram(program, 1, &both[1], "-D X", nullptr, nullptr));
  cl_build_status status = 1;
  CL_OK(clGetProgramBuildInfo(program, both[0], CL_PROGRAM_BUILD_STATUS, sizeof status, &status, nullptr));
  EXPECT_EQ(CL_BUILD_NONE, status);
  CL_OK(clGetProgramBuildInfo(program, both[1], CL_PROGRAM_BUILD_STATUS, sizeof status, &status, nullptr));
  EXPECT_EQ(CL_BUILD_SUCCESS, status);
  size_t sizes[2] = {1, 0};
  CL_OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof sizes, sizes, nullptr));
  EXPECT_EQ(0u, sizes[0]);
  EXPECT_GT(sizes[1], 0u);

  const test::Kernel twice = make_kernel(program, "twice");
  const Values ones(10, 1);
  const test::Buffer buffer = make_buffer(ones);
  set_arguments(twice, buffer);
  const size_t count = 10;
  // Section 5.10: there is no executable for the queue's device.
  CL_EXPECT(CL_INVALID_PROGRAM_EXECUTABLE,
            clEnqueueNDRangeKernel(queues[0], twice, 1, nullptr, &count, nullptr, 0, nullptr, nullptr));
  run(1, twice, count);
  EXPECT_EQ(Values(10, 2), read(1, buffer, 10));
  size_t size = 0;
  CL_EXPECT(CL_INVALID_DEVICE,
            clGetKernelWorkGroupInfo(twice, both[0], CL_KERNEL_WORK_GROUP_SIZE, sizeof size, &size, nullptr));
  CL_EXPECT(CL_SUCCESS,
            clGetKernelWorkGroupInfo(twice, nullptr, CL_KERNEL_WORK_GROUP_SIZE, sizeof size, &size, nullptr));
}

// Section 5.9.1: a kernel whose signatures differ between devices cannot be created.
TEST_F(SeveralDevices, KernelsThatDifferAreNone) {
  const test::Program program = create("kernel void k(global T* a) { *a = 1; } kernel void same(int a) {}");
  CL_OK(clBuildProgram(program, 1, &both[0], "-D T=int", nullptr, nullptr));
  CL_OK(clBuildProgram(program, 1, &both[1], "-D T=float", nullptr, nullptr));
  cl_int error = 1;
  EXPECT_EQ(nullptr, clCreateKernel(program, "k", &error));
  CL_EXPECT(CL_INVALID_KERNEL_DEFINITION, error);
  EXPECT_NE(nullptr, make_kernel(program, "same").get());
  // Nor are they counted, named and created among all.
  EXPECT_EQ("same", program_text(program, CL_PROGRAM_KERNEL_NAMES));
  std::size_t number = 0;
  CL_OK(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof number, &number, nullptr));
  EXPECT_EQ(1u, number);
  cl_uint count = 0;
  cl_kernel kernel = nullptr;
  CL_OK(clCreateKernelsInProgram(program, 1, &kernel, &count));
  EXPECT_EQ(1u, count);
  CL_OK(clReleaseKernel(kernel));
}

TEST_F(SeveralDevices, AKernelOfAllNeedsToBeToldWhich) {
  const test::Kernel add = make_kernel(build_for_both(), "add");
  size_t size = 0;
  CL_EXPECT(CL_INVALID_DEVICE,
            clGetKernelWorkGroupInfo(add, nullptr, CL_KERNEL_WORK_GROUP_SIZE, sizeof size, &size, nullptr));
  for (cl_device_id one : both)
    CL_EXPECT(CL_SUCCESS,
              clGetKernelWorkGroupInfo(add, one, CL_KERNEL_WORK_GROUP_SIZE, sizeof size, &size, nullptr));
}

TEST_F(SeveralDevices, BinariesOfBoth) {
  const test::Program program = build_for_both();
  size_t sizes[2];
  CL_OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof sizes, sizes, nullptr));
  std::vector<unsigned char> bytes[2] = {std::vector<unsigned char>(sizes[0]),
                                         std::vector<unsigned char>(sizes[1])};
  unsigned char* places[2] = {bytes[0].data(), bytes[1].data()};
  CL_OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof places, places, nullptr));
  const unsigned char* given[2] = {places[0], places[1]};
  cl_int error = 1, states[2] = {1, 1};
  const test::Program loaded =
      clCreateProgramWithBinary(context, 2, both.data(), sizes, given, states, &error);
  CL_OK(error);
  EXPECT_EQ(CL_SUCCESS, states[0]);
  EXPECT_EQ(CL_SUCCESS, states[1]);
  CL_OK(clBuildProgram(loaded, 0, nullptr, nullptr, nullptr, nullptr));
  const test::Kernel add = make_kernel(loaded, "add");
  const Values ones(10, 1);
  const test::Buffer buffer = make_buffer(ones);
  set_arguments(add, buffer, cl_uint{2});
  run(0, add, 10);
  run(1, add, 10);
  EXPECT_EQ(Values(10, 5), read(0, buffer, 10));

  bytes[1][bytes[1].size() / 2] ^= 1;
  EXPECT_EQ(nullptr, clCreateProgramWithBinary(context, 2, both.data(), sizes, given, states, &error));
  CL_EXPECT(CL_INVALID_BINARY, error);
  CL_EXPECT(CL_SUCCESS, states[0]);
  CL_EXPECT(CL_INVALID_BINARY, states[1]);
}

// Section 5.8.5: for each device either all inputs are compiled or none.
TEST_F(SeveralDevices, LinkingForSome) {
  const test::Program caller = create("int f(void); kernel void k(global int* a) { a[0] = f(); }");
  const test::Program callee = create("int f(void) { return 42; }");
  CL_OK(clCompileProgram(caller, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr));
  CL_OK(clCompileProgram(callee, 1, &both[1], "", 0, nullptr, nullptr, nullptr, nullptr));
  const cl_program inputs[] = {caller, callee};
  cl_int error = 1;
  EXPECT_EQ(nullptr, clLinkProgram(context, 0, nullptr, "", 2, inputs, nullptr, nullptr, &error));
  CL_EXPECT(CL_INVALID_OPERATION, error);
  const test::Program linked = clLinkProgram(context, 1, &both[1], "", 2, inputs, nullptr, nullptr, &error);
  CL_OK(error);
  const test::Kernel kernel = make_kernel(linked, "k");
  const test::Buffer buffer = make_buffer(sizeof(cl_uint));
  set_arguments(kernel, buffer);
  run(1, kernel, 1);
  EXPECT_EQ(Values{42}, read(1, buffer, 1));
}

TEST_F(SeveralDevices, OfTwoContextsNothingMixes) {
  cl_int error = 1;
  const test::Context other = clCreateContext(nullptr, 1, &both[1], nullptr, nullptr, &error);
  CL_OK(error);
  EXPECT_EQ(nullptr, clCreateCommandQueueWithProperties(other, both[0], nullptr, &error));
  CL_EXPECT(CL_INVALID_DEVICE, error);
  const char* source = kSource;
  const test::Program program = clCreateProgramWithSource(other, 1, &source, nullptr, &error);
  CL_OK(error);
  CL_EXPECT(CL_INVALID_DEVICE, clBuildProgram(program, 2, both.data(), "", nullptr, nullptr));
  cl_build_status status = 1;
  CL_EXPECT(CL_INVALID_DEVICE, clGetProgramBuildInfo(program, both[0], CL_PROGRAM_BUILD_STATUS, sizeof status,
                                                     &status, nullptr));
  const test::Event of_other = clCreateUserEvent(other, &error), ours = make_user_event();
  CL_EXPECT(CL_INVALID_CONTEXT, clEnqueueMarkerWithWaitList(queues[0], 1, of_other.list(), nullptr));
  const cl_event events[] = {ours, of_other};
  CL_EXPECT(CL_INVALID_CONTEXT, clWaitForEvents(2, events));
  const test::Buffer theirs = clCreateBuffer(other, 0, 4, nullptr, &error);
  cl_uint value = 0;
  CL_EXPECT(CL_INVALID_CONTEXT,
            clEnqueueReadBuffer(queues[1], theirs, CL_TRUE, 0, 4, &value, 0, nullptr, nullptr));
  CL_EXPECT(CL_SUCCESS, clSetUserEventStatus(of_other, CL_COMPLETE));
  CL_EXPECT(CL_SUCCESS, clSetUserEventStatus(ours, CL_COMPLETE));
}

// cl_ext_immutable_memory_objects: the contents never change, even where a migration may leave others undefined.
TEST_F(SeveralDevices, ImmutableContentsSurviveMigration) {
  constexpr cl_mem_flags kImmutable = cl_mem_flags{1}
                                      << 6;  // CL_MEM_IMMUTABLE_EXT, which the headers of 2023 lack
  const Values values = test::random_values<cl_uint>(64 * 64);
  const test::Buffer buffer = make_buffer(values, kImmutable);
  constexpr cl_image_format kFormat{CL_R, CL_UNSIGNED_INT32};
  cl_image_desc shape{};
  shape.image_type = CL_MEM_OBJECT_IMAGE2D;
  shape.image_width = shape.image_height = 64;
  const test::Buffer image = clCreateImage(context, kImmutable | CL_MEM_COPY_HOST_PTR, &kFormat, &shape,
                                           const_cast<cl_uint*>(values.data()), nullptr);
  const cl_mem memories[] = {buffer, image};
  for (const int on : {1, 0}) {
    CL_OK(clEnqueueMigrateMemObjects(queues[on], 2, memories, CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED, 0,
                                     nullptr, nullptr));
    CL_OK(clFinish(queues[on]));
    EXPECT_EQ(values, read(on, buffer, values.size()));
    Values texels(values.size());
    const size_t origin[3] = {}, region[3] = {64, 64, 1};
    CL_OK(clEnqueueReadImage(queues[on], image, CL_TRUE, origin, region, 0, 0, texels.data(), 0, nullptr,
                             nullptr));
    EXPECT_EQ(values, texels);
  }
}

// Only the packets of a pipe may be left undefined, not its shape. Memory of the second device that was used before has other bytes.
TEST_F(SeveralDevices, ShapesOfPipesSurviveMigration) {
  cl_uint pipes = 0;
  CL_OK(clGetDeviceInfo(device, CL_DEVICE_MAX_PIPE_ARGS, sizeof pipes, &pipes, nullptr));
  if (!pipes) GTEST_SKIP() << "the device has no pipes";
  const test::Program program =
      create("kernel void shape(read_only pipe int p, global uint* out) { *out = get_pipe_max_packets(p); }");
  CL_OK(clBuildProgram(program, 0, nullptr, "-cl-std=CL2.0", nullptr, nullptr));
  const test::Kernel kernel = make_kernel(program, "shape");
  constexpr cl_uint kPattern = 0x01010101, kPackets = 8;
  {
    const test::Buffer used = make_buffer(Values(1024, 0));
    CL_OK(clEnqueueFillBuffer(queues[1], used, &kPattern, 4, 0, 4096, 0, nullptr, nullptr));
    CL_OK(clFinish(queues[1]));
  }
  cl_int error = CL_SUCCESS;
  const test::Buffer pipe = clCreatePipe(context, 0, 4, kPackets, nullptr, &error);
  CL_OK(error);
  const cl_mem memory = pipe;
  CL_OK(clEnqueueMigrateMemObjects(queues[1], 1, &memory, CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED, 0, nullptr,
                                   nullptr));
  const test::Buffer out = make_buffer(Values(1, 0));
  set_arguments(kernel, pipe, out);
  run(1, kernel, 1);
  EXPECT_EQ(Values{kPackets}, read(1, out, 1));
}

}  // namespace
