// SPDX-License-Identifier: Apache-2.0
// Calls from unusual application threads: with a small stack, or another floating-point mode.
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/floating_mode.h"
#include "support/opencl.h"
#include "support/own_process.h"
#include "support/sanitized.h"

namespace {

class CallerThreads : public test::OpenCL {};

// Runs `work` on a thread with a stack of this size.
void run_with_stack(std::size_t bytes, std::function<void()> work) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  const auto least = static_cast<std::size_t>(sysconf(_SC_THREAD_STACK_MIN));  // 128 KiB on 64-bit Arm
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, std::max(bytes, least)), 0);
  pthread_t thread;
  const auto main = [](void* data) -> void* {
    (*static_cast<std::function<void()>*>(data))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, main, &work), 0);
  pthread_attr_destroy(&attributes);
  pthread_join(thread, nullptr);
}

// Expressions and calls are deeply nested, so that parser, optimizer and code generation recurse deeply. The launch compiles another
// variant.
TEST_F(CallerThreads, BuildAndLaunchOnLittleStack) {
  std::string sum = "x";
  for (int i = 0; i < 150; ++i) sum = "(" + sum + " * " + std::to_string(i + 3) + "u + x)";
  std::string source = "uint f0(uint x) { return " + sum + "; }\n";
  for (int i = 1; i < 10; ++i)
    source += "uint f" + std::to_string(i) + "(uint x) { if (x & " + std::to_string(1 << i % 20) +
              "u) return f" + std::to_string(i - 1) + "(x * 3u + " + std::to_string(i) + "u); return f" +
              std::to_string(i - 1) + "(x ^ " + std::to_string(i) + "u); }\n";
  source += "kernel void k(global uint* a) { a[get_global_id(0)] = f9(a[get_global_id(0)]); }";
  const std::vector<cl_uint> in = test::random_values<cl_uint>(100);
  std::vector<cl_uint> on_little, on_much;
  const auto run = [&](std::vector<cl_uint>& out) {
    const test::Program program = build(source);
    const test::Kernel kernel = make_kernel(program, "k");
    const test::Buffer buffer = make_buffer(in);
    set_arguments(kernel, buffer);
    const std::size_t count = in.size(), local = 64;  // not a multiple: needs another variant of the code
    CL_EXPECT(CL_SUCCESS,
              clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &count, &local, 0, nullptr, nullptr));
    out = contents<cl_uint>(buffer, count);
  };
  // A GPU's driver and sanitizers need larger stacks.
  cl_device_type type = 0;
  CL_OK(clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, nullptr));
  const std::size_t little = test::kSanitized ? 1 << 20 : type & CL_DEVICE_TYPE_CPU ? 48 << 10 : 256 << 10;
  run_with_stack(little, [&] { run(on_little); });
  run(on_much);
  EXPECT_EQ(on_little, on_much);
}

// Threads that the library starts inherit the floating-point mode of the calling thread; kernels must not compute with it.
TEST(CallerThreadsAlone, FloatingPointModes) {
  test::run_alone("CallerThreadsModes.DISABLED_DoNotReachKernels");
}
TEST(CallerThreadsModes, DISABLED_DoNotReachKernels) {
  const float tiny = std::numeric_limits<float>::denorm_min() * 1000, third = 1.0f / 3, tenth = 0.1f;
  const float sum = tiny + tiny, product = third * tenth;
  test::set_floating_mode(test::kUnusualFloatingMode);
  struct Fixture : test::OpenCL {
    void TestBody() override {
      SetUp();
      const test::Program program = build(
          "kernel void k(global float* a) { a[0] = a[0] + a[0]; a[1] = a[1] * a[2]; a[3] = 0.1f * 3.3f; }");
      const test::Kernel kernel = make_kernel(program, "k");
      const test::Buffer buffer = make_buffer(values);
      set_arguments(kernel, buffer);
      const std::size_t one = 1;
      CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
      values = contents<float>(buffer, 4);
      TearDown();
    }
    std::vector<float> values;
  } fixture;
  fixture.values = {tiny, third, tenth, 0};
  fixture.TestBody();
  EXPECT_EQ(test::floating_mode(), test::kUnusualFloatingMode);
  test::set_floating_mode(test::kUsualFloatingMode);
  cl_device_fp_config config = 0;
  CL_OK(
      clGetDeviceInfo(test::devices().front(), CL_DEVICE_SINGLE_FP_CONFIG, sizeof config, &config, nullptr));
  if (config & CL_FP_DENORM) EXPECT_EQ(fixture.values[0], sum);
  EXPECT_EQ(fixture.values[1], product);
  EXPECT_EQ(fixture.values[3], 0.1f * 3.3f);
}

}  // namespace
