// SPDX-License-Identifier: Apache-2.0
// The driver's host functions (cuLaunchHostFunc) may not call the driver, so nothing may end there whose destructor does. This program's
// driver counts such calls. It calls host functions late, when others have let go of what they use, and they go on slowly after each lock:
// whatever another thread can do meanwhile is then done.
#include <pthread.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "support/opencl.h"
#include "support/own_driver.h"

namespace {

using clcuda::cuda::DriverTable;

const bool kIsSetUp = setenv("CLCUDA_DEVICES", "cpu", 1) == 0;

thread_local bool is_in_host_function = false;
std::atomic<int> pending = 0, ended = 0, calls_there = 0;
decltype(DriverTable::cuLaunchHostFunc) launch_host_function;
decltype(DriverTable::cuCtxGetCurrent) get_current_context;

// A device's monitor lets go of idle queues every 250 ms.
constexpr std::chrono::milliseconds kLate(700);

struct HostFunction {
  CUhostFn function;
  void* data;
};

CUresult launch_watched(CUstream stream, CUhostFn function, void* data) {
  const auto run = [](void* watched) {
    const std::unique_ptr<HostFunction> one(static_cast<HostFunction*>(watched));
    std::this_thread::sleep_for(kLate);
    is_in_host_function = true;
    one->function(one->data);
    is_in_host_function = false;
    ++ended;
    --pending;
  };
  auto one = std::make_unique<HostFunction>(HostFunction{function, data});
  const CUresult result = launch_host_function(stream, run, one.get());
  if (result != CUDA_SUCCESS) return result;
  (void)one.release();
  ++pending;
  return result;
}

CUresult get_current_counted(CUcontext* context) {
  if (is_in_host_function) ++calls_there;
  return get_current_context(context);
}

// A context whose last reference may be that of a buffer's destructor callback, which waits for the buffer's last use. It has shared memory
// that was not freed.
void leave_to_callback(cl_device_id device, std::atomic<int>& called) {
  cl_int error = CL_SUCCESS;
  const test::Context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  CL_OK(error);
  ASSERT_NE(clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0), nullptr);
  const test::Queue queue = clCreateCommandQueueWithProperties(context, device, nullptr, &error);
  CL_OK(error);
  constexpr std::size_t kSize = 8 << 20;
  test::Buffer buffer = clCreateBuffer(context, 0, kSize, nullptr, &error);
  CL_OK(error);
  CL_OK(clSetMemObjectDestructorCallback(
      buffer, [](cl_mem, void* counter) { ++*static_cast<std::atomic<int>*>(counter); }, &called));
  const cl_uint value = 7;
  for (int i = 0; i < 4; ++i)
    CL_OK(clEnqueueFillBuffer(queue, buffer, &value, sizeof value, 0, kSize, 0, nullptr, nullptr));
  buffer.reset();
  CL_OK(clFinish(queue));
}

TEST(HostFunctions, CallNoDriver) {
  ASSERT_TRUE(kIsSetUp);
  std::atomic<int> called = 0;
  constexpr int kContexts = 5;
  for (int i = 0; i < kContexts; ++i) leave_to_callback(test::devices().front(), called);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while ((called < kContexts || pending > 0) && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(called, kContexts);
  EXPECT_GT(ended, 0);
  EXPECT_EQ(calls_there, 0);
}

}  // namespace

// Replaces pthread_mutex_unlock in this program (CMakeLists.txt).
extern "C" {
int __real_pthread_mutex_unlock(pthread_mutex_t* mutex);
int __wrap_pthread_mutex_unlock(pthread_mutex_t* mutex) {
  const int result = __real_pthread_mutex_unlock(mutex);
  if (is_in_host_function) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  return result;
}
}

const DriverTable& test::own_table(int device_count) {
  return changed_table(device_count, [](DriverTable& made) {
    launch_host_function = made.cuLaunchHostFunc;
    get_current_context = made.cuCtxGetCurrent;
    made.cuLaunchHostFunc = launch_watched;
    made.cuCtxGetCurrent = get_current_counted;
  });
}
