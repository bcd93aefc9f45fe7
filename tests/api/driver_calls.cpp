// SPDX-License-Identifier: Apache-2.0
// What the library must not ask of the driver while other work is under way: the driver of this program watches its calls, and its device
// is of a generation whose kernels may overlap.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <utility>

#include "support/images.h"
#include "support/own_driver.h"
#include "support/spirv.h"

namespace {

using clcuda::cuda::DriverTable;
using std::chrono::milliseconds;

const bool kIsSetUp = setenv("CLCUDA_DEVICES", "cpu", 1) == 0 && setenv("CLCUDA_CACHE", "0", 1) == 0;

DriverTable sound;
std::atomic<bool> overlaps = false;  // the last launch but the scheduler's
std::atomic<int> limits_set = 0, limits_being_set = 0, launches_while_set = 0;
std::atomic<bool> out_of_memory = false;  // at the next allocation
std::function<void()> when_synchronized;
std::atomic<bool> held = false;  // a kernel is on the device
std::atomic<int> ended_early = 0;

std::atomic<std::size_t> stack_limit = 0;  // 0: not set

// While it is not null: f for each fill, r for each event recorded, k for each kernel.
std::string* calls = nullptr;

CUresult fill(CUdeviceptr to, unsigned pattern, std::size_t count, CUstream stream) {
  if (calls) *calls += 'f';
  return sound.cuMemsetD32Async(to, pattern, count, stream);
}
CUresult record(CUevent event, CUstream stream) {
  if (calls) *calls += 'r';
  return sound.cuEventRecord(event, stream);
}

std::atomic<int> stream_waits = 0;
CUresult wait(CUstream stream, CUevent event, unsigned flags) {
  ++stream_waits;
  return sound.cuStreamWaitEvent(stream, event, flags);
}

CUresult launch(const CUlaunchConfig* config, CUfunction function, void** parameters, void** extra) {
  if (calls) *calls += 'k';
  if (limits_being_set) ++launches_while_set;
  if (config->numAttrs || config->gridDimX > 1) overlaps = test::may_overlap(*config);
  return sound.cuLaunchKernelEx(config, function, parameters, extra);
}

CUresult set_limit(CUlimit limit, std::size_t value) {
  if (limit == CU_LIMIT_STACK_SIZE) stack_limit = value;
  ++limits_set;
  ++limits_being_set;
  std::this_thread::sleep_for(milliseconds(200));
  const CUresult result = sound.cuCtxSetLimit(limit, value);
  --limits_being_set;
  return result;
}

CUresult allocate(CUdeviceptr* address, std::size_t size, CUmemoryPool pool, CUstream stream) {
  if (out_of_memory.exchange(false)) return CUDA_ERROR_OUT_OF_MEMORY;
  return sound.cuMemAllocFromPoolAsync(address, size, pool, stream);
}

CUresult synchronize() {
  const CUresult result = sound.cuCtxSynchronize();
  if (const auto then = std::exchange(when_synchronized, nullptr)) then();
  return result;
}

CUresult end_texture(CUtexObject object) {
  if (held) ++ended_early;
  return sound.cuTexObjectDestroy(object);
}
CUresult end_surface(CUsurfObject object) {
  if (held) ++ended_early;
  return sound.cuSurfObjectDestroy(object);
}

constexpr char kSource[] = R"(
kernel void plain(global uint* a) { a[get_global_id(0)] += 1; }
kernel void hold(global atomic_int* go) {
  while (!atomic_load_explicit(go, memory_order_relaxed, memory_scope_all_svm_devices));
}
kernel void spawn(global uint* a) {
  void (^child)(void) = ^{ a[get_global_id(0)] += 1; };
  if (get_global_id(0) == 0)
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(2 * get_global_size(0)), child);
})";

// What a kernel waits for.
class Gate {
 public:
  explicit Gate(cl_context context)
      : context_(context),
        opened_(static_cast<std::atomic<cl_int>*>(
            clSVMAlloc(context, CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS, sizeof(cl_int), 0))) {
    *opened_ = 0;
  }
  ~Gate() { clSVMFree(context_, opened_); }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;
  void* memory() const { return opened_; }
  void open() { *opened_ = 1; }

 private:
  const cl_context context_;
  std::atomic<cl_int>* const opened_;
};

class DriverCalls : public test::ImageTest {
 protected:
  static constexpr std::size_t kItems = 256;

  void SetUp() override {
    ASSERT_TRUE(kIsSetUp);
    ImageTest::SetUp();
  }
  // Whether the launch may overlap what is in front of it.
  bool overlap_of(cl_kernel kernel, cl_uint count = 0, const cl_event* waits = nullptr) const {
    const std::size_t group = 64;
    CL_EXPECT(CL_SUCCESS,
              clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &kItems, &group, count, waits, nullptr));
    CL_EXPECT(CL_SUCCESS, clFlush(queue));
    return overlaps;
  }
};

// The driver moves the memory of pending launches when their number is set. (The first test, since the others load such programs, too.)
TEST_F(DriverCalls, TheNumberOfPendingLaunchesIsSetOnceAndBeforeAllOfThem) {
  const test::Queue tasks =
      make_queue(CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  limits_set = launches_while_set = 0;
  std::array<std::thread, 3> threads;
  for (std::size_t i = 0; i < threads.size(); ++i)
    threads[i] = std::thread([&, i] {
      std::this_thread::sleep_for(milliseconds(100) * i);
      const test::Queue own = make_queue(0);
      const test::Program program = build(kSource, "-cl-std=CL3.0");
      const test::Kernel spawn = make_kernel(program, "spawn");
      const test::Buffer buffer = make_buffer(std::vector<cl_uint>(2 * kItems));
      set_arguments(spawn, buffer);
      CL_EXPECT(CL_SUCCESS,
                clEnqueueNDRangeKernel(own, spawn, 1, nullptr, &kItems, nullptr, 0, nullptr, nullptr));
      CL_EXPECT(CL_SUCCESS, clFinish(own));
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(limits_set, 1);
  EXPECT_EQ(launches_while_set, 0);
}

// Programmatic dependent launch is for a kernel directly behind a kernel.
TEST_F(DriverCalls, AKernelOverlapsOnlyAKernel) {
  const test::Queue tasks =
      make_queue(CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const test::Program program = build(kSource, "-cl-std=CL3.0");
  const test::Kernel plain = make_kernel(program, "plain"), spawn = make_kernel(program, "spawn"),
                     hold = make_kernel(program, "hold");
  std::vector<cl_uint> values = test::random_values<cl_uint>(2 * kItems);
  const test::Buffer buffer = make_buffer(values), other = make_buffer(values);
  for (const test::Kernel& kernel : {std::cref(plain), std::cref(spawn)}) set_arguments(kernel, buffer);
  overlap_of(plain);
  EXPECT_TRUE(overlap_of(plain));
  CL_OK(
      clEnqueueCopyBuffer(queue, other, buffer, 0, 0, sizeof(cl_uint) * values.size(), 0, nullptr, nullptr));
  EXPECT_FALSE(overlap_of(plain));
  EXPECT_TRUE(overlap_of(plain));
  const test::Queue earlier = make_queue(0);
  Gate gate(context);
  const std::size_t one = 1;
  CL_OK(clSetKernelArgSVMPointer(hold, 0, gate.memory()));
  test::Event held_back;
  CL_OK(clEnqueueNDRangeKernel(earlier, hold, 1, nullptr, &one, nullptr, 0, nullptr, held_back.out()));
  CL_OK(clFlush(earlier));
  EXPECT_FALSE(overlap_of(plain, 1, held_back.list()));
  EXPECT_TRUE(overlap_of(plain));
  gate.open();
  overlap_of(spawn);
  EXPECT_FALSE(overlap_of(plain)) << "behind a kernel that enqueues another";
  EXPECT_TRUE(overlap_of(plain));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] += i < kItems ? 7 : 1;
  EXPECT_EQ(contents<cl_uint>(buffer, values.size()), values);
}

// A wait list may have all commands before; for each stream, the last of them stands for the others.
TEST_F(DriverCalls, ACommandWaitsOnceForEachStream) {
  const test::Program program = build(kSource, "-cl-std=CL3.0");
  const test::Kernel hold = make_kernel(program, "hold");
  const std::array<test::Buffer, 2> buffers{make_buffer(std::vector<cl_uint>(1)),
                                            make_buffer(std::vector<cl_uint>(1))};
  Gate gate(context);
  const std::size_t one = 1;
  CL_OK(clSetKernelArgSVMPointer(hold, 0, gate.memory()));
  const std::array<test::Queue, 2> earlier{make_queue(0), make_queue(0)};
  std::vector<test::Event> events;
  for (const test::Queue& each : earlier)
    CL_OK(clEnqueueNDRangeKernel(each, hold, 1, nullptr, &one, nullptr, 0, nullptr,
                                 events.emplace_back().out()));
  for (cl_uint value = 0; value < 100; ++value)
    CL_OK(clEnqueueFillBuffer(earlier[value % 2], buffers[value % 2], &value, sizeof value, 0, sizeof value,
                              0, nullptr, events.emplace_back().out()));
  std::vector<cl_event> list(events.begin(), events.end());
  std::ranges::shuffle(list, test::random_engine());
  stream_waits = 0;
  test::Event marker;
  CL_OK(clEnqueueMarkerWithWaitList(queue, static_cast<cl_uint>(list.size()), list.data(), marker.out()));
  EXPECT_EQ(stream_waits, 2);
  EXPECT_GT(test::status_of(marker), CL_COMPLETE);
  gate.open();
  CL_OK(clWaitForEvents(1, marker.list()));
  for (const test::Event& event : events) EXPECT_EQ(test::status_of(event), CL_COMPLETE);
  for (const test::Queue& each : earlier) CL_OK(clFinish(each));
}

// While memory is reclaimed for an allocation, another thread begins work on an image and releases it.
TEST_F(DriverCalls, TexturesInUseAreNotReclaimed) {
  const test::Program program = build(R"(
kernel void wait_and_read(read_only image2d_t from, global uint* to, global atomic_int* go) {
  while (!atomic_load_explicit(go, memory_order_relaxed, memory_scope_all_svm_devices));
  to[0] = read_imageui(from, (int2)(3, 2)).x;
})",
                                      "-cl-std=CL3.0");
  const test::Kernel kernel = make_kernel(program, "wait_and_read");
  const test::Buffer result = make_buffer(std::vector<cl_uint>(1));
  Gate gate(context);
  std::atomic<bool> is_allocated = false;
  const cl_uint value = test::random_values<cl_uint>(1)[0];
  std::thread opener;
  when_synchronized = [&] {
    std::thread([&] {
      std::vector<cl_uint> texels(64, value);
      const test::Image image =
          make_image({CL_R, CL_UNSIGNED_INT32}, test::image_desc(CL_MEM_OBJECT_IMAGE2D, 8, 8),
                     CL_MEM_COPY_HOST_PTR, texels.data());
      set_arguments(kernel, image.get(), result);
      CL_EXPECT(CL_SUCCESS, clSetKernelArgSVMPointer(kernel, 2, gate.memory()));
      const std::size_t one = 1;
      CL_EXPECT(CL_SUCCESS,
                clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
      CL_EXPECT(CL_SUCCESS, clFlush(queue));
      held = true;
    }).join();
    // In the end also if the allocation waits for the kernel.
    opener = std::thread([&] {
      for (int i = 0; i < 200 && !is_allocated; ++i) std::this_thread::sleep_for(milliseconds(10));
      held = false;
      gate.open();
    });
  };
  out_of_memory = true;
  const std::vector<cl_uint> values = test::random_values<cl_uint>(1000);
  const test::Buffer allocated = make_buffer(values);
  is_allocated = true;
  ASSERT_TRUE(opener.joinable()) << "nothing was reclaimed";
  opener.join();
  EXPECT_EQ(contents<cl_uint>(result, 1), std::vector<cl_uint>{value});
  EXPECT_EQ(contents<cl_uint>(allocated, values.size()), values);
  EXPECT_EQ(ended_early, 0);
}

// The buffer for what a kernel prints is prepared ahead of it. Behind unfinished work, the end of which is usually taken for the start of
// the next kernel, that is not its time.
TEST_F(DriverCalls, WhatIsSubmittedAheadOfAKernelIsNotItsTime) {
  const test::Program program = build(std::string(kSource) + "kernel void say() { printf(\"said\\n\"); }");
  const test::Kernel hold = make_kernel(program, "hold"), plain = make_kernel(program, "plain"),
                     say = make_kernel(program, "say");
  const test::Queue timed = make_queue(CL_QUEUE_PROFILING_ENABLE);
  const test::Buffer buffer = make_buffer(std::vector<cl_uint>(kItems));
  set_arguments(plain, buffer);
  Gate gate(context);
  CL_OK(clSetKernelArgSVMPointer(hold, 0, gate.memory()));
  const std::size_t one = 1;
  std::array<test::Event, 4> events;
  const auto launch_timed = [&](cl_kernel kernel, test::Event& event) {
    CL_EXPECT(CL_SUCCESS,
              clEnqueueNDRangeKernel(timed, kernel, 1, nullptr, &one, nullptr, 0, nullptr, event.out()));
  };
  testing::internal::CaptureStdout();
  launch_timed(hold, events[0]);
  launch_timed(plain, events[1]);
  std::string usual, with_buffer;
  calls = &usual;
  launch_timed(plain, events[2]);
  calls = &with_buffer;
  launch_timed(say, events[3]);
  calls = nullptr;
  gate.open();
  CL_OK(clFinish(timed));
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "said\n");
  EXPECT_EQ(usual, "kr");
  EXPECT_EQ(with_buffer, "ffrkr");
}

// A function that is called through a pointer has a private array, of which nobody else knows.
TEST_F(DriverCalls, CallsThroughPointersGetAStack) {
  const auto build_module = [&](const char* name) {
    const std::string module = test::module(name);
    cl_int error = 1;
    const test::Program program = clCreateProgramWithIL(context, module.data(), module.size(), &error);
    CL_EXPECT(CL_SUCCESS, error);
    CL_EXPECT(CL_SUCCESS, clBuildProgram(program, 1, &device, "", nullptr, nullptr));
    const test::Kernel kernel = make_kernel(program, "k");
    const test::Buffer buffer = make_buffer(std::vector<cl_uint>{5, 2});
    set_arguments(kernel, buffer);
    const std::size_t one = 1;
    CL_EXPECT(CL_SUCCESS,
              clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
    return contents<cl_uint>(buffer, 1)[0];
  };
  EXPECT_EQ(7u, build_module("function_pointers_stack"));
  constexpr std::size_t kBytes = 1000 * sizeof(cl_uint);
  EXPECT_GE(stack_limit, kBytes);
  EXPECT_LT(stack_limit, 2 * kBytes);
  stack_limit = 0;
  EXPECT_EQ(7u, build_module("function_pointers_stack"));
  EXPECT_EQ(stack_limit, 0u);  // it is as high
}

}  // namespace

const DriverTable& test::own_table(int device_count) {
  return changed_table(device_count, [](DriverTable& made) {
    sound = made;
    made.cuLaunchKernelEx = launch;
    made.cuMemsetD32Async = fill;
    made.cuEventRecord = record;
    made.cuStreamWaitEvent = wait;
    made.cuCtxSetLimit = set_limit;
    made.cuMemAllocFromPoolAsync = allocate;
    made.cuCtxSynchronize = synchronize;
    made.cuTexObjectDestroy = end_texture;
    made.cuSurfObjectDestroy = end_surface;
    report_compute_capability<9, 0>(made);
  });
}
