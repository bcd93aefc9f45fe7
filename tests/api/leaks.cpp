// SPDX-License-Identifier: Apache-2.0
// Thousands of objects of all types are created, used and released; the memory of the process and of the device must not grow.
#include <malloc.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "refused_sources.h"
#include "support/device_memory.h"
#include "support/opencl.h"
#include "support/process_memory.h"
#include "support/sanitized.h"

namespace {

class Leaks : public test::OpenCL {
 protected:
  static constexpr const char* kSource =
      "kernel void add(global uint* a, uint v) { a[get_global_id(0)] += v; }";

  void SetUp() override {
    OpenCL::SetUp();
    clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof images, &images, nullptr);
    clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, nullptr);
    program = build(kSource);
    std::size_t size = 0;
    CL_OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr));
    binary.resize(size);
    unsigned char* place = binary.data();
    CL_OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof place, &place, nullptr));
  }

  // Freed memory that malloc keeps is not a leak.
  static long resident_kib() {
    malloc_trim(0);
    return test::resident_kib();
  }
  // Memory used on a GPU. The CPU device uses the memory of the process.
  long used_kib() const {
    if (type != CL_DEVICE_TYPE_GPU) return 0;
    static const test::DeviceMemory memory;
    EXPECT_TRUE(memory.is_known());
    return memory.used_kib();
  }

  // Waits until all other threads of the process have slept for a while. A thread that waits for a processor is not asleep, so this works
  // on a busy machine. (A cache that is emptied when the device is idle needs several of the library's checks for that.)
  static void wait_for_rest() {
    const auto pause = std::chrono::milliseconds(50);
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(100);
    for (int rests = 0; rests < 20 && std::chrono::steady_clock::now() < end;
         rests = others_sleep() ? rests + 1 : 0)
      std::this_thread::sleep_for(pause);
  }
  static bool others_sleep() {
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
      if (entry.path().filename() == std::to_string(gettid())) continue;
      std::ifstream file(entry.path() / "stat");
      const std::string line(std::istreambuf_iterator<char>(file), {});
      const std::size_t name_end = line.rfind(')');  // the state follows the name
      if (name_end != std::string::npos && line.compare(name_end + 2, 1, "S") != 0) return false;
    }
    return true;
  }

  void refuse(const test::RefusedSource& refused, int times) const {
    const char* text = refused.source.c_str();
    for (int i = 0; i < times; ++i) {
      cl_int error = CL_SUCCESS;
      const test::Program broken = clCreateProgramWithSource(context, 1, &text, nullptr, &error);
      CL_OK(error);
      EXPECT_EQ(clBuildProgram(broken, 1, &device, refused.options, nullptr, nullptr),
                CL_BUILD_PROGRAM_FAILURE);
      std::size_t size = 0;
      CL_OK(clGetProgramBuildInfo(broken, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size));
      std::string log(size, '\0');
      CL_OK(clGetProgramBuildInfo(broken, device, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr));
      EXPECT_NE(log.find(refused.reason), std::string::npos) << refused.source.substr(0, 200) << log;
    }
  }

  // Creates one object of each type and more, in a combination that depends on i.
  void round(int i) {
    cl_int error = CL_SUCCESS;
    const test::Context own = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
    CL_OK(error);
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, static_cast<cl_queue_properties>(i % 4), 0};
    const test::Queue local = clCreateCommandQueueWithProperties(own, device, list, &error);
    CL_OK(error);
    std::vector<cl_uint> words(2048, 1);
    const std::size_t bytes = words.size() * sizeof(cl_uint);
    const test::Buffer buffer = clCreateBuffer(own, CL_MEM_COPY_HOST_PTR, bytes, words.data(), &error);
    CL_OK(error);
    const cl_buffer_region region{4096, 4096};
    const test::Buffer part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    CL_OK(error);
    if (images) make_image(own, local, i);
    test::Event filled, read, gate = clCreateUserEvent(own, &error), held;
    const cl_uint word = 7;
    CL_OK(clEnqueueFillBuffer(local, part, &word, 4, 0, 4096, 0, nullptr, filled.out()));
    CL_OK(clEnqueueReadBuffer(local, buffer, i % 3 == 0, 0, bytes, words.data(), 0, nullptr, read.out()));
    CL_OK(clEnqueueMarkerWithWaitList(local, 1, gate.list(), held.out()));
    CL_OK(clSetEventCallback(held, CL_COMPLETE, [](cl_event, cl_int, void*) {}, nullptr));
    CL_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    const unsigned char* code = binary.data();
    const std::size_t size = binary.size();
    const test::Program loaded = clCreateProgramWithBinary(own, 1, &device, &size, &code, nullptr, &error);
    CL_OK(error);
    test::Kernel kernel = make_kernel(program, "add");
    set_arguments(kernel, shared, word);
    const std::size_t items = 16;
    CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr));
    if (i % 100 == 0) {
      CL_OK(clBuildProgram(loaded, 1, &device, nullptr, nullptr, nullptr));
      kernel = make_kernel(loaded, "add");
      set_arguments(kernel, part, word);
      CL_OK(clEnqueueNDRangeKernel(local, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr));
    }
    if (i % 500 == 0) build("kernel void k" + std::to_string(i) + "(global int* a) { *a = 1; }");
    if (i % 5) CL_OK(clFinish(local));
    CL_OK(clWaitForEvents(1, read.list()));
  }

  // Creates an image whose shape usually differs from the previous ones.
  void make_image(cl_context own, cl_command_queue local, int i) const {
    const auto size = static_cast<std::size_t>(i);
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = 1 + size % 300;
    desc.image_height = 1 + size / 7 % 40;
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    cl_int error = CL_SUCCESS;
    const test::Buffer image = clCreateImage(own, 0, &format, &desc, nullptr, &error);
    CL_OK(error);
    const float color[4] = {1, 0, 0, 1};
    const std::size_t origin[3] = {}, region[3] = {desc.image_width, desc.image_height, 1};
    CL_OK(clEnqueueFillImage(local, image, color, origin, region, 0, nullptr, nullptr));
  }

  cl_bool images = CL_FALSE;
  cl_device_type type = 0;
  test::Program program;
  test::Buffer shared = nullptr;
  std::vector<unsigned char> binary;
};

TEST_F(Leaks, NothingStaysOfTenThousandObjectsOfEachKind) {
  shared = make_buffer(std::vector<cl_uint>(16, 0));
  // Under sanitizers freed memory stays resident for a while; LeakSanitizer finds leaks there.
  const int settled = test::kSanitized ? 100 : 2000, measured = test::kSanitized ? 400 : 8000;
  int i = 0;
  const auto rounds = [&](int count) {
    for (const int end = i + count; i < end; ++i) round(i);
    wait_for_rest();
  };
  rounds(settled);
  const long allocated = test::allocated_kib(), used = used_kib();
  constexpr long kMostResident = 16 << 10;
  long resident = 0, more_resident = 0;
  // The peak of malloc's arenas, whose free memory stays in part, rises now and then for as long as threads meet in new ways. A leak
  // takes as much each time.
  do {
    resident = resident_kib();
    rounds(measured);
    more_resident = resident_kib() - resident;
  } while (more_resident >= kMostResident && i < 4 * measured && !test::kSanitized);
  const long more_allocated = test::allocated_kib() - allocated, more_used = used_kib() - used;
  std::printf("KiB more: %ld allocated, %ld resident, %ld on the device\n", more_allocated, more_resident,
              more_used);
  EXPECT_GT(resident, 0);
  if (!test::kSanitized) {
    EXPECT_LT(more_allocated, 2 << 10) << "KiB more than " << allocated;
    EXPECT_LT(more_resident, kMostResident) << "KiB more than " << resident;
  }
  // The driver allocates memory for itself in units of megabytes; if each of 8000 rounds lost the smallest possible allocation, that would
  // be more than the limit. Memory pools keep unused memory, up to 32 MiB after the device has been idle for a while.
  EXPECT_LT(more_used, 48 << 10) << "KiB more than " << used << " on the device";
}

// Programs built from source are kept in the program cache; programs built from a binary must be freed.
TEST_F(Leaks, ProgramsOfBinariesGoWhole) {
  const std::size_t size = binary.size();
  const unsigned char* given = binary.data();
  const auto build_some = [&](int count) {
    for (int i = 0; i < count; ++i) {
      cl_int error = CL_SUCCESS;
      const test::Program loaded =
          clCreateProgramWithBinary(context, 1, &device, &size, &given, nullptr, &error);
      CL_OK(error);
      CL_OK(clBuildProgram(loaded, 1, &device, nullptr, nullptr, nullptr));
    }
  };
  build_some(20);
  wait_for_rest();
  const long allocated = test::allocated_kib();
  build_some(test::kSanitized ? 20 : 200);
  wait_for_rest();
  if (!test::kSanitized)
    EXPECT_LT(test::allocated_kib() - allocated, 1 << 10) << "KiB more than " << allocated;
}

// Built programs that are kept for reuse are limited by their whole memory: an executable on its device is larger than its code.
TEST_F(Leaks, ProgramsThatAreKeptAreFew) {
  if (test::kSanitized) GTEST_SKIP() << "sanitizers keep what was freed";
  int number = 0;
  const auto run_some = [&](int count) {
    for (int i = 0; i < count; ++i) {
      const test::Program program =
          build("kernel void scale(global uint* a) { *a *= " + std::to_string(++number) + "; }");
      const test::Kernel kernel = make_kernel(program, "scale");
      set_arguments(kernel, shared);
      const std::size_t one = 1;
      CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
      CL_OK(clFinish(queue));
    }
    wait_for_rest();
  };
  shared = make_buffer(std::vector<cl_uint>(1));
  run_some(1);
  const long first_resident = resident_kib(), first_used = used_kib();
  run_some(500);
  const long more_resident = resident_kib() - first_resident, more_used = used_kib() - first_used;
  std::printf("KiB more: %ld resident, %ld on the device\n", more_resident, more_used);
  EXPECT_LT(more_resident, 64 << 10) << "KiB more than " << first_resident;
  EXPECT_LT(more_used, 64 << 10) << "KiB more than " << first_used << " on the device";
  const long allocated = test::allocated_kib();
  run_some(200);
  EXPECT_LT(test::allocated_kib() - allocated, 200 * 24) << "KiB more than " << allocated;
}

// A rejected source must not leak memory. Only a build that ends by a crash in Clang or LLVM, or at its time or memory limit, may.
TEST_F(Leaks, RefusedSourcesGoWhole) {
  const std::string twice = testing::TempDir() + "twice" + std::to_string(getpid()) + ".h";
  const std::string include = "#include \"" + twice + "\"\n";
  std::ofstream(twice) << "#if __INCLUDE_LEVEL__ < 190\n" << include << include << "#endif\n";
  for (const auto& list : {test::wrong_sources(),
                           test::unbounded_sources(),
                           test::untranslatable_sources(),
                           {{"too many files are included", include}}})
    for (const test::RefusedSource& refused : list) {
      refuse(refused, 1);
      if (test::kSanitized) continue;  // which finds leaks itself
      const long allocated = test::allocated_kib();
      refuse(refused, 3);
      EXPECT_LT(test::allocated_kib() - allocated, 512) << "KiB more for " << refused.source.substr(0, 200);
    }
  std::filesystem::remove(twice);
}

// Device-side enqueue needs 16 MB for each stream. Streams of released queues are kept for reuse, but not this memory.
TEST_F(Leaks, MemoryForTasksGoesWithItsQueue) {
  cl_device_device_enqueue_capabilities able = 0;
  CL_OK(clGetDeviceInfo(device, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, sizeof able, &able, nullptr));
  if (!(able & CL_DEVICE_QUEUE_SUPPORTED)) GTEST_SKIP() << "no queues on the device";
  const test::Queue on_device =
      make_queue(CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const test::Program enqueueing = build(
      "kernel void parent(global uint* a) { enqueue_kernel(get_default_queue(), "
      "CLK_ENQUEUE_FLAGS_WAIT_KERNEL,"
      " ndrange_1D(1), ^{ *a = 1; }); }");
  const test::Kernel parent = make_kernel(enqueueing, "parent");
  shared = make_buffer(std::vector<cl_uint>(1));
  set_arguments(parent, shared);
  const test::Program plain = build("kernel void write(global uint* a) { *a = 1; }");
  const test::Kernel write = make_kernel(plain, "write");
  set_arguments(write, shared);
  const std::size_t one = 1;
  const auto in_queues = [&](int count, cl_kernel kernel) {
    std::vector<test::Queue> queues;
    for (int i = 0; i < count; ++i) {
      queues.push_back(make_queue(0));
      CL_OK(clEnqueueNDRangeKernel(queues.back(), kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
    }
    for (const test::Queue& each : queues) CL_OK(clFinish(each));
  };
  // The driver's own memory for this number of streams is allocated before the measurement.
  in_queues(60, write);
  in_queues(1, parent);
  wait_for_rest();
  const long before = resident_kib() + used_kib();
  in_queues(60, parent);
  const auto more = [&] { return resident_kib() + used_kib() - before; };
  // Unused memory is freed when the device has been idle for a while.
  constexpr long kMost = 48 << 10;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (more() > kMost && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  if (!test::kSanitized) EXPECT_LT(more(), kMost) << "KiB more than " << before;
}

// An idle process frees unused device memory.
TEST_F(Leaks, MemoryIsGivenBackAfterAPeak) {
  wait_for_rest();
  const auto used = [&] { return resident_kib() + used_kib(); };
  const long before = used();
  for (const std::size_t size : {300 << 20, 1 << 20}) {
    std::vector<test::Buffer> buffers;
    for (std::size_t all = 0; all < std::size_t{600} << 20; all += size) {
      const cl_uint word = 1;
      buffers.push_back(make_buffer(size));
      CL_OK(clEnqueueFillBuffer(queue, buffers.back(), &word, sizeof word, 0, size, 0, nullptr, nullptr));
    }
    CL_OK(clFinish(queue));
  }
  constexpr long kMost = 128 << 10;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (used() > before + kMost && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  if (!test::kSanitized) EXPECT_LT(used() - before, kMost) << "KiB more than " << before;
}

// A limited amount of page-locked memory is kept for later maps, and none while the device is idle.
TEST_F(Leaks, WhatWasMappedIsGivenBack) {
  constexpr std::size_t kSize = 200 << 20;
  const test::Buffer buffer = make_buffer(kSize);
  const cl_uint word = 1;
  CL_OK(clEnqueueFillBuffer(queue, buffer, &word, sizeof word, 0, kSize, 0, nullptr, nullptr));
  CL_OK(clFinish(queue));
  const long before = resident_kib();
  std::vector<void*> maps(3);
  for (void*& map : maps) {
    cl_int error = CL_SUCCESS;
    map = clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0, kSize, 0, nullptr, nullptr, &error);
    CL_OK(error);
  }
  for (void* map : maps) CL_OK(clEnqueueUnmapMemObject(queue, buffer, map, 0, nullptr, nullptr));
  CL_OK(clFinish(queue));
  const auto more = [&] { return resident_kib() - before; };
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  constexpr long kMost = 300 << 10;
  while (more() > kMost && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  if (!test::kSanitized) EXPECT_LT(more(), kMost) << "KiB more than " << before;
}

}  // namespace
