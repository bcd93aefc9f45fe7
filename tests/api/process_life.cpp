// SPDX-License-Identifier: Apache-2.0
// Exit with commands in flight, fork, and dlclose of the library.
#include <dlfcn.h>
#include <unistd.h>

#include <atomic>

#include "support/own_process.h"
#include "support/sanitized.h"
#include "support/spin.h"

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class ProcessLife : public test::SpinTest {
 protected:
  // LeakSanitizer in the child does not find memory that only the parent's threads refer to.
  [[noreturn]] static void end_child(bool right, bool with_handlers) {
    if (test::kSanitized || !with_handlers) _exit(right ? 0 : 3);
    std::exit(right ? 0 : 3);
  }
};

// Runs in its own process, which exits within the test.
class ProcessEnds : public ProcessLife {
 protected:
  // Exits like main(), without releasing what the fixture holds.
  [[noreturn]] static void end() { std::exit(HasFailure()); }
  // In the background, of a program that nobody releases.
  void begin_build(int kernels) const {
    std::string source;
    for (int i = 0; i < kernels; ++i)
      source += "kernel void k" + std::to_string(i) + "(global float* a) { a[0] = pow(a[1], sin(a[2])); }\n";
    const char* text = source.c_str();
    cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, nullptr);
    CL_EXPECT(CL_SUCCESS, clBuildProgram(program, 1, &device, "", [](cl_program, void*) {}, nullptr));
  }
};

#define TEST_ENDS(name)                                                             \
  TEST(ProcessEndsAlone, name) {                                                    \
    test::run_alone("ProcessEnds.DISABLED_" #name, seconds(60), test::Ends::early); \
  }                                                                                 \
  TEST_F(ProcessEnds, DISABLED_##name)

TEST_ENDS(WithWorkInFlight) {
  spin_for(queue, 300);
  const test::Event gate = make_user_event();
  static std::vector<std::uint8_t> host(20 << 20);
  const test::Buffer buffer = make_buffer(host.size());
  test::Event held;
  CL_OK(
      clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, host.size(), host.data(), 1, gate.list(), held.out()));
  end();
}

TEST_ENDS(WhileOthersWait) {
  spin_for(queue, 300);
  std::atomic<int> waiting = 0;
  for (int i = 0; i < 3; ++i)
    std::thread([&] {
      ++waiting;
      clFinish(queue);
    }).detach();
  while (waiting < 3) std::this_thread::yield();
  std::this_thread::sleep_for(milliseconds(20));
  end();
}

TEST_ENDS(WhileAProgramIsBuilt) {
  begin_build(100);
  end();
}

// Builds that take long do not keep the process from ending.
TEST(ProcessEndsAlone, WhileALargeProgramIsBuilt) {
  test::run_alone("ProcessEnds.DISABLED_WhileALargeProgramIsBuilt", seconds(20), test::Ends::early);
}
TEST_F(ProcessEnds, DISABLED_WhileALargeProgramIsBuilt) {
  begin_build(600);
  std::this_thread::sleep_for(milliseconds(200));
  end();
}

// The CPU device optimizes kernels that have run for a while, in a thread of its own.
TEST_ENDS(WhileBetterCodeIsMade) {
  std::string source;
  for (int i = 0; i < 8; ++i)
    source += "kernel void k" + std::to_string(i) +
              "(global float* a) { float x = a[get_global_id(0)];"
              "  for (int i = 0; i < 20; ++i) x = pow(fabs(x), sin(x)) + tgamma(x) + atan2(x, lgamma(x));"
              "  a[get_global_id(0)] = x; }\n";
  const test::Program program = build(source);
  const test::Buffer buffer = make_buffer(20'000 * sizeof(float));
  for (int i = 0; i < 8; ++i) {
    const test::Kernel kernel = make_kernel(program, ("k" + std::to_string(i)).c_str());
    set_argument(kernel, 0, buffer);
    const std::size_t items = 20'000;
    CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr));
    CL_OK(clFinish(queue));
  }
  end();
}

// A callback on a thread of the library may terminate the process.
[[noreturn]] void end_process() { std::exit(testing::Test::HasFailure()); }
[[noreturn]] void wait_for_the_end() {
  for (;;) pause();
}

TEST_ENDS(InABuildCallback) {
  const char* text = "kernel void k(global int* a) { a[0] = 1; }";
  static cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, nullptr);
  CL_OK(clBuildProgram(program, 1, &device, "", [](cl_program, void*) { end_process(); }, nullptr));
  wait_for_the_end();
}
TEST_ENDS(InAnEventCallback) {
  static test::Event event = spin_for(queue, 10);
  CL_OK(clSetEventCallback(event, CL_COMPLETE, [](cl_event, cl_int, void*) { end_process(); }, nullptr));
  wait_for_the_end();
}
TEST_ENDS(InADestructorCallback) {
  test::Buffer buffer = make_buffer(100);
  CL_OK(clSetMemObjectDestructorCallback(buffer, [](cl_mem, void*) { end_process(); }, nullptr));
  buffer.reset();
  wait_for_the_end();
}
TEST_ENDS(InANativeKernel) {
  CL_OK(clEnqueueNativeKernel(
      queue, [](void*) { end_process(); }, nullptr, 0, 0, nullptr, nullptr, 0, nullptr, nullptr));
  wait_for_the_end();
}
// Another thread is blocked in a callback for ever.
TEST_ENDS(WhileACallbackWaits) {
  static std::atomic<bool> begun = false;
  static test::Event event = spin_for(queue, 1);
  CL_OK(clSetEventCallback(
      event, CL_COMPLETE,
      [](cl_event, cl_int, void*) {
        begun = true;
        wait_for_the_end();
      },
      nullptr));
  while (!begun) std::this_thread::yield();
  end();
}

// No callback may be called after static objects of the application have been destroyed.
std::atomic<bool> destroyed = false;
struct UsedByCallbacks {
  ~UsedByCallbacks() {
    if (!is_used) return;
    destroyed = true;
    std::this_thread::sleep_for(milliseconds(300));  // time in which callbacks could be called
  }
  bool is_used = false;
} used_by_callbacks;
TEST_ENDS(WithoutCallbacksBehindIt) {
  used_by_callbacks.is_used = true;
  static test::Event gate = make_user_event();
  for (int i = 0; i < 20; ++i)
    CL_OK(clSetEventCallback(
        gate, CL_COMPLETE,
        [](cl_event, cl_int, void*) {
          for (int wait = 0; wait < 10; ++wait) {
            std::this_thread::sleep_for(milliseconds(2));
            if (destroyed) _exit(5);
          }
        },
        nullptr));
  CL_OK(clSetUserEventStatus(gate, CL_COMPLETE));
  std::this_thread::sleep_for(milliseconds(30));
  end();
}

// If the last reference to a context is dropped by then, its destructor callback is not called.
TEST_ENDS(WithoutTheEndOfAContextBehindIt) {
  used_by_callbacks.is_used = true;
  cl_int error = CL_SUCCESS;
  test::Context other = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  CL_OK(error);
  const auto gone = [](cl_context, void*) {
    for (int wait = 0; wait < 100; ++wait) {
      std::this_thread::sleep_for(milliseconds(2));
      if (destroyed) _exit(5);
    }
  };
  CL_OK(clSetContextDestructorCallback(other, gone, nullptr));
  test::Event gate = clCreateUserEvent(other, &error);
  CL_OK(error);
  const auto wait = [](cl_event, cl_int, void*) { std::this_thread::sleep_for(milliseconds(20)); };
  for (int i = 0; i < 20; ++i) CL_OK(clSetEventCallback(gate, CL_COMPLETE, wait, nullptr));
  CL_OK(clSetUserEventStatus(gate, CL_COMPLETE));
  gate.reset();
  other.reset();
  std::this_thread::sleep_for(milliseconds(30));
  end();
}

// Acts when static objects of the application are destroyed, after all exit handlers of the library.
struct Last {
  ~Last() {
    if (act) act();
  }
  void (*act)() = nullptr;
} last;
TEST_ENDS(AndCommandsWhoseFunctionsAreNotCalledFail) {
  static cl_command_queue late = queue;  // never released
  last.act = [] {
    static std::atomic<int> calls = 0;
    const auto native = [](void*) { ++calls; };
    const auto free = [](cl_command_queue, cl_uint, void**, void*) { ++calls; };
    static int memory = 0;
    void* pointers[] = {&memory};
    cl_event events[2] = {};
    const cl_int codes[] = {
        clEnqueueNativeKernel(late, native, nullptr, 0, 0, nullptr, nullptr, 0, nullptr, &events[0]),
        clEnqueueSVMFree(late, 1, pointers, free, nullptr, 0, nullptr, &events[1])};
    bool right = true;
    // A GPU's driver has been shut down by then.
    for (int i = 0; i < 2; ++i)
      right &= codes[i] != CL_INVALID_COMMAND_QUEUE && (codes[i] < 0 || clWaitForEvents(1, &events[i]) < 0);
    _exit(right && calls == 0 ? 0 : 5);
  };
  end();
}

// Calls in the application's exit handlers work or return an error.
TEST_ENDS(AndReleasesAtExit) {
  static test::Queue late = make_queue(0);
  static test::Buffer memory = make_buffer(4096);
  static test::Event last = spin_for(late, 50);
  clRetainContext(context);
  std::atexit([] {
    clFinish(late);
    late.reset();
    memory.reset();
    last.reset();
  });
  end();
}

// A copy on the host that waits for a kernel: one thread of the library waits for the kernel, another one copies.
TEST_ENDS(AndFinishesAtExitWhatOurThreadsDo) {
  static test::Queue late = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  static const auto from = test::random_values(5000);
  static std::vector<std::uint8_t> to(from.size());
  const test::Event spun = spin_for(late, 200);
  CL_OK(clEnqueueSVMMemcpy(late, CL_FALSE, to.data(), from.data(), from.size(), 1, spun.list(), nullptr));
  std::atexit([] {
    if (clFinish(late) != CL_SUCCESS || from != to) _exit(5);
  });
  end();
}

// In a child that was forked after the device was used, calls return errors and the process ends; the parent is not affected.
TEST_F(ProcessLife, ForkAfterUse) {
  const pid_t child = fork();
  if (child == 0) {
    cl_int error = CL_SUCCESS;
    cl_uint count = 0;
    bool right = clCreateBuffer(context, 0, 4, nullptr, &error) == nullptr && error < 0;
    right &= clFinish(queue) < 0;
    right &= clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error) == nullptr && error < 0;
    cl_platform_id platform = nullptr;
    right &= clGetPlatformIDs(1, &platform, nullptr) == CL_SUCCESS;
    right &= clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) < 0;
    end_child(right, true);
  }
  EXPECT_EQ(test::exit_code_of(child, seconds(20)), 0);
  const test::Event event = spin_for(queue, 1);
  CL_OK(clWaitForEvents(1, event.list()));
}

// The fork may happen while other threads hold locks of the library.
TEST_F(ProcessLife, ForkAmongThreads) {
  std::atomic<bool> stop = false;
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&] {
      const test::Kernel kernel = make_kernel(spin_program, "spin");
      set_arguments(kernel, spin_memory, cl_ulong{10});
      const std::size_t one = 1;
      while (!stop) {
        const test::Queue own = make_queue(0);
        const test::Buffer buffer = make_buffer(100);
        test::Event event;
        clEnqueueNDRangeKernel(own, kernel, 1, nullptr, &one, nullptr, 0, nullptr, event.out());
        clSetEventCallback(event, CL_COMPLETE, [](cl_event, cl_int, void*) {}, nullptr);
        clFinish(own);
      }
    });
  for (int i = 0; i < 15; ++i) {
    std::this_thread::sleep_for(milliseconds(3));
    const pid_t child = fork();
    if (child == 0) {
      cl_int error = CL_SUCCESS;
      cl_platform_id platform = nullptr;
      const std::size_t one = 1;
      bool right = clFinish(queue) < 0 && clFlush(queue) < 0;
      right &= clCreateBuffer(context, 0, 4, nullptr, &error) == nullptr && error < 0;
      right &= clCreateUserEvent(context, &error) == nullptr && error < 0;
      right &= clCreateProgramWithSource(context, 1, nullptr, nullptr, &error) == nullptr && error < 0;
      right &= clEnqueueNDRangeKernel(queue, spin_kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr) < 0;
      right &= clReleaseMemObject(spin_memory) < 0 && clReleaseKernel(spin_kernel) < 0;
      right &= clReleaseCommandQueue(queue) < 0 && clReleaseContext(context) < 0;
      right &= clGetPlatformIDs(1, &platform, nullptr) == CL_SUCCESS;
      right &= clUnloadPlatformCompiler(platform) <= 0;
      end_child(right, i % 2);
    }
    EXPECT_EQ(test::exit_code_of(child, seconds(20)), 0);
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
}

// If only platforms were queried before the fork, parent and child can both use the device.
TEST(ProcessForks, BeforeUse) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        cl_platform_id platform = nullptr;
        clGetPlatformIDs(1, &platform, nullptr);
        const auto use = [&] {
          cl_device_id device = nullptr;
          cl_int error = CL_SUCCESS;
          if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr) != CL_SUCCESS) return 2;
          const test::Context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
          const test::Queue queue = clCreateCommandQueueWithProperties(context, device, nullptr, &error);
          return clFinish(queue) == CL_SUCCESS ? 0 : 3;
        };
        const pid_t child = fork();
        if (child == 0) std::exit(use());
        const int own = use();
        std::exit(own ? own : test::exit_code_of(child, seconds(60)));
      },
      testing::ExitedWithCode(0), "");
}

// dlclose does not unload the library, because its threads still run; it works when it is opened again.
class ProcessCloses : public testing::Test {
 protected:
  template <class Function>
  static Function* find(void* library, const char* name) {
    const auto lookup =
        reinterpret_cast<void* (*)(const char*)>(dlsym(library, "clGetExtensionFunctionAddress"));
    return reinterpret_cast<Function*>(lookup(name));
  }
};

TEST_ALONE(ProcessCloses, TheLibrary) {
  const std::string path = test::library_path();
  ASSERT_FALSE(path.empty());
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
#define FIND(function) find<decltype(function)>(library, #function)
  const auto get_platforms = find<decltype(clGetPlatformIDs)>(library, "clIcdGetPlatformIDsKHR");
  const auto release_context = FIND(clReleaseContext);
  const auto finish = FIND(clFinish);
  const auto fill = FIND(clEnqueueFillBuffer);
  const auto create_queue = FIND(clCreateCommandQueueWithProperties);
  const auto create_buffer = FIND(clCreateBuffer);
  cl_platform_id platform = nullptr, again = nullptr;
  cl_device_id device = nullptr;
  cl_int error = CL_SUCCESS;
  CL_OK(get_platforms(1, &platform, nullptr));
  CL_OK(FIND(clGetDeviceIDs)(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr));
  cl_context context = FIND(clCreateContext)(nullptr, 1, &device, nullptr, nullptr, &error);
  CL_OK(error);
  cl_command_queue queue = create_queue(context, device, nullptr, &error);
  CL_OK(error);
  cl_mem memory = create_buffer(context, 0, 1 << 20, nullptr, &error);
  CL_OK(error);
  const cl_uint pattern = 3;
  CL_OK(fill(queue, memory, &pattern, sizeof pattern, 0, 1 << 20, 0, nullptr, nullptr));
  dlclose(library);
  CL_OK(finish(queue));
  library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  CL_OK(find<decltype(clGetPlatformIDs)>(library, "clIcdGetPlatformIDsKHR")(1, &again, nullptr));
  EXPECT_EQ(again, platform);
  CL_OK(FIND(clReleaseMemObject)(memory));
  CL_OK(FIND(clReleaseCommandQueue)(queue));
  dlclose(library);
  CL_OK(release_context(context));
#undef FIND
}

}  // namespace
