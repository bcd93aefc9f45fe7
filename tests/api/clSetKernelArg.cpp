// SPDX-License-Identifier: Apache-2.0
#include "support/device_info.h"
#include "support/programs.h"

namespace {

class SetKernelArg : public test::Programs {
 protected:
  void SetUp() override {
    Programs::SetUp();
    program = build(
        "typedef struct { int a; float4 b; } pair;\n"
        "kernel void k(global int* out, constant int* in, local int* shared, int number, float4 vector, pair "
        "both) {\n"
        "  shared[0] = number; out[0] = shared[0] + in[0] + (int)vector.w + both.a + (int)both.b.x; }\n"
        "kernel void two_locals(global ulong* out, local char* a, local double* b, local int* c) {\n"
        "  out[0] = (ulong)(uintptr_t)a; out[1] = (ulong)(uintptr_t)b; out[2] = (ulong)(uintptr_t)c; }\n"
        "kernel void none(global ulong* out, local int* a, int wanted, local double2* b) {\n"
        "  local int* held = a; local double2* end = b + get_global_size(0);\n"
        "  if (wanted) held[get_local_id(0)] = (int)get_global_id(0);\n"
        "  barrier(CLK_LOCAL_MEM_FENCE);\n"
        "  out[4 * get_global_id(0)] = wanted ? (ulong)held[0] : 77;\n"
        "  out[4 * get_global_id(0) + 1] = (ulong)(end - b);\n"
        "  out[4 * get_global_id(0) + 2] = (ulong)(uintptr_t)a;\n"
        "  out[4 * get_global_id(0) + 3] = (ulong)(uintptr_t)b; }\n"
        "kernel void null(global int* out, global int* a) { out[0] = a == 0; }\n");
    kernel = make_kernel(program, "k");
  }
  void launch(cl_kernel launched, cl_int code = CL_SUCCESS) const {
    const size_t one = 1;
    CL_EXPECT(code, clEnqueueNDRangeKernel(queue, launched, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
  }
  test::Program program;
  test::Kernel kernel;
};

struct alignas(16) Pair {
  cl_int a;
  alignas(16) cl_float4 b;
};

TEST_F(SetKernelArg, PassesEveryKind) {
  const test::Buffer out = make_buffer(std::vector<cl_int>{0}), in = make_buffer(std::vector<cl_int>{1});
  const cl_float4 vector = {{0, 0, 0, 100}};
  const Pair pair = {1000, {{10000, 0, 0, 0}}};
  set_argument(kernel, 0, out);
  set_argument(kernel, 1, in);
  CL_EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 2, 64, nullptr));
  set_argument(kernel, 3, cl_int{10});
  set_argument(kernel, 4, vector);
  set_argument(kernel, 5, pair);
  launch(kernel);
  EXPECT_EQ(std::vector<cl_int>{11111}, contents<cl_int>(out, 1));
  // The next launch uses the changed argument and the previous values of the others.
  set_argument(kernel, 3, cl_int{20});
  launch(kernel);
  EXPECT_EQ(std::vector<cl_int>{11121}, contents<cl_int>(out, 1));
}

TEST_F(SetKernelArg, RefusesBadArguments) {
  const test::Buffer buffer = make_buffer(4);
  const cl_mem handle = buffer;
  const cl_mem garbage = reinterpret_cast<cl_mem>(static_cast<std::uintptr_t>(0x1234));
  const cl_mem no_memory = reinterpret_cast<cl_mem>(kernel.get());
  const cl_int number = 1;
  CL_EXPECT(CL_INVALID_ARG_INDEX, clSetKernelArg(kernel, 6, 4, &number));
  CL_EXPECT(CL_INVALID_ARG_INDEX, clSetKernelArg(kernel, ~0u, 4, &number));
  CL_EXPECT(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 3, 3, &number));
  CL_EXPECT(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 3, 8, &number));
  CL_EXPECT(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 3, 0, &number));
  CL_EXPECT(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 3, 4, nullptr));
  CL_EXPECT(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 0, sizeof(cl_mem) - 1, &handle));
  CL_EXPECT(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, 0, sizeof(cl_mem), &garbage));
  CL_EXPECT(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, 0, sizeof(cl_mem), &no_memory));
  CL_EXPECT(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 2, 0, &number));
  CL_EXPECT(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 2, 4, &number));
}

TEST_F(SetKernelArg, BuffersOfOtherContextsAreRefused) {
  const test::Context other = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  const test::Buffer foreign = clCreateBuffer(other, 0, 4, nullptr, nullptr);
  const cl_mem handle = foreign;
  CL_EXPECT(CL_INVALID_CONTEXT, clSetKernelArg(kernel, 0, sizeof handle, &handle));
}

// Images and samplers are checked like buffers, and a rejected value does not replace the previous one.
TEST_F(SetKernelArg, ImagesAndSamplers) {
  const test::Program images = build(
      "kernel void k(read_only image2d_t image, sampler_t sampler, global float4* out) {\n"
      "  *out = read_imagef(image, sampler, (float2)(0.5f)); }\n"
      "kernel void flat(read_only image1d_t image, read_only image2d_depth_t depth) {}");
  const test::Kernel reads = make_kernel(images, "k");
  const test::Context other = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  const cl_image_format format{CL_RGBA, CL_FLOAT};
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = desc.image_height = 4;
  const auto make_image = [&](cl_context in) -> test::Buffer {
    return clCreateImage(in, 0, &format, &desc, nullptr, nullptr);
  };
  const auto make_sampler = [&](cl_context in) -> test::Owned<cl_sampler, clReleaseSampler> {
    return clCreateSampler(in, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, nullptr);
  };
  test::Buffer own = make_image(context);
  const test::Buffer foreign = make_image(other), out = make_buffer(16);
  const auto sampler = make_sampler(context), foreign_sampler = make_sampler(other);
  const cl_sampler none = nullptr;
  const auto set = [&](cl_uint index, auto handle) {
    return clSetKernelArg(reads, index, sizeof handle, &handle);
  };
  CL_EXPECT(CL_SUCCESS, set(0, own.get()));
  CL_EXPECT(CL_SUCCESS, set(1, sampler.get()));
  CL_EXPECT(CL_SUCCESS, set(2, out.get()));
  CL_EXPECT(CL_INVALID_CONTEXT, set(0, foreign.get()));
  CL_EXPECT(CL_INVALID_MEM_OBJECT, set(0, out.get()));
  CL_EXPECT(CL_INVALID_MEM_OBJECT, set(2, own.get()));
  CL_EXPECT(CL_INVALID_ARG_SIZE, set(0, cl_uint{}));
  CL_EXPECT(CL_INVALID_MEM_OBJECT, clSetKernelArg(reads, 0, sizeof(cl_mem), nullptr));
  const test::Kernel flat = make_kernel(images, "flat");
  for (const cl_uint index : {0u, 1u}) {
    const cl_mem handle = own;
    CL_EXPECT(CL_INVALID_MEM_OBJECT, clSetKernelArg(flat, index, sizeof handle, &handle));
  }
  CL_EXPECT(CL_INVALID_CONTEXT, set(1, foreign_sampler.get()));
  CL_EXPECT(CL_INVALID_SAMPLER, set(1, none));
  CL_EXPECT(CL_INVALID_SAMPLER, clSetKernelArg(reads, 1, sizeof(cl_sampler), nullptr));
  CL_EXPECT(CL_INVALID_ARG_SIZE, set(1, cl_uint{}));
  launch(reads);
  own.reset();
  launch(reads, CL_INVALID_KERNEL_ARGS);
}

TEST_F(SetKernelArg, LocalSizesThatAreNoMemory) {
  const test::Kernel locals = make_kernel(program, "two_locals");
  CL_EXPECT(CL_OUT_OF_RESOURCES, clSetKernelArg(locals, 1, ~size_t{0}, nullptr));
  CL_EXPECT(CL_OUT_OF_RESOURCES, clSetKernelArg(locals, 1, size_t{1} << 31, nullptr));
  CL_EXPECT(CL_SUCCESS, clSetKernelArg(locals, 1, size_t{3} << 29, nullptr));
  CL_EXPECT(CL_OUT_OF_RESOURCES, clSetKernelArg(locals, 2, size_t{3} << 29, nullptr));
}

TEST_F(SetKernelArg, NullBuffersAreNullPointers) {
  const test::Kernel null = make_kernel(program, "null");
  const test::Buffer out = make_buffer(std::vector<cl_int>{7});
  const cl_mem nothing = nullptr;
  set_argument(null, 0, out);
  CL_OK(clSetKernelArg(null, 1, sizeof(cl_mem), nullptr));
  launch(null);
  EXPECT_EQ(std::vector<cl_int>{1}, contents<cl_int>(out, 1));
  set_argument(null, 1, out);
  launch(null);
  EXPECT_EQ(std::vector<cl_int>{0}, contents<cl_int>(out, 1));
  set_argument(null, 1, nothing);
  launch(null);
  EXPECT_EQ(std::vector<cl_int>{1}, contents<cl_int>(out, 1));
}

TEST_F(SetKernelArg, LaunchesNeedAllArguments) {
  const test::Kernel null = make_kernel(program, "null");
  launch(null, CL_INVALID_KERNEL_ARGS);
  const test::Buffer out = make_buffer(4);
  set_argument(null, 0, out);
  launch(null, CL_INVALID_KERNEL_ARGS);
}

// A kernel does not retain its arguments: a launch detects that a buffer has been released, even if a new object has been created since.
TEST_F(SetKernelArg, DoesNotKeepBuffers) {
  const test::Kernel null = make_kernel(program, "null");
  const test::Buffer out = make_buffer(4);
  set_argument(null, 0, out);
  test::Buffer gone = make_buffer(4);
  set_argument(null, 1, gone);
  gone.reset();
  launch(null, CL_INVALID_KERNEL_ARGS);
  for (int i = 0; i < 10000; ++i) make_user_event();
  const test::Buffer next = make_buffer(4);
  launch(null, CL_INVALID_KERNEL_ARGS);
  set_argument(null, 1, next);
  launch(null);
}

// Since OpenCL 3.1: a local pointer with size 0 is aligned, and arithmetic on it is valid.
TEST_F(SetKernelArg, LocalArgumentsMayHaveNoMemory) {
  const test::Kernel none = make_kernel(program, "none");
  constexpr std::size_t kMost = 70, kGroup = 32;
  const test::Buffer out = make_buffer(4 * kMost * sizeof(cl_ulong));
  set_argument(none, 0, out);
  CL_OK(clSetKernelArg(none, 1, 0, nullptr));
  set_argument(none, 2, cl_int{0});
  // An argument of size 0 is set; one that was never set makes the launch fail.
  const std::size_t one = 1;
  CL_EXPECT(CL_INVALID_KERNEL_ARGS,
            clEnqueueNDRangeKernel(queue, none, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
  for (int round = 0; round < 12; ++round) {
    const cl_int wanted = round % 3 == 1;
    const std::size_t a = wanted ? kGroup * sizeof(cl_int) : 0, b = round % 2 ? 48 : 0;
    CL_OK(clSetKernelArg(none, 1, a, nullptr));
    set_argument(none, 2, wanted);
    CL_OK(clSetKernelArg(none, 3, b, nullptr));
    // With and without a smaller work-group at the end.
    const std::size_t global = round % 4 < 2 ? 2 * kGroup : kMost;
    CL_OK(clEnqueueNDRangeKernel(queue, none, 1, nullptr, &global, &kGroup, 0, nullptr, nullptr));
    const auto found = contents<cl_ulong>(out, 4 * global);
    for (std::size_t i = 0; i < global; ++i) {
      EXPECT_EQ(wanted ? i / kGroup * kGroup : 77u, found[4 * i]);
      EXPECT_EQ(global, found[4 * i + 1]);
      EXPECT_EQ(0u, found[4 * i + 3] % 16);
      EXPECT_GE(found[4 * i + 3], found[4 * i + 2] + a);
    }
    if (round % 5 != 4) continue;
    const test::Kernel copy = clCloneKernel(none, nullptr);
    CL_OK(clEnqueueNDRangeKernel(queue, copy, 1, nullptr, &global, &kGroup, 0, nullptr, nullptr));
  }
}

TEST_F(SetKernelArg, LocalArgumentsAreAlignedAndApart) {
  const test::Kernel locals = make_kernel(program, "two_locals");
  const test::Buffer out = make_buffer(24);
  for (int round = 0; round < 20; ++round) {
    const size_t a = 1 + test::random_engine()() % 100, b = 8 * (1 + test::random_engine()() % 10),
                 c = 4 * (1 + test::random_engine()() % 10);
    set_argument(locals, 0, out);
    CL_OK(clSetKernelArg(locals, 1, a, nullptr));
    CL_OK(clSetKernelArg(locals, 2, b, nullptr));
    CL_OK(clSetKernelArg(locals, 3, c, nullptr));
    launch(locals);
    const std::vector<cl_ulong> places = contents<cl_ulong>(out, 3);
    EXPECT_EQ(0u, places[1] % 8);
    EXPECT_EQ(0u, places[2] % 4);
    EXPECT_GE(places[1], places[0] + a);
    EXPECT_GE(places[2], places[1] + b);
  }
}

// As the usual code of a kernel needs them, also behind large ones, if the device has local memory for the gaps.
TEST_F(SetKernelArg, LocalArgumentsBehindLargeOnesAreAlignedTo16Bytes) {
  if (test::device_info<cl_ulong>(device, CL_DEVICE_LOCAL_MEM_SIZE) < (48 << 10) + 20'000)
    GTEST_SKIP() << "the device has less local memory";
  const test::Kernel locals = make_kernel(program, "two_locals");
  const test::Buffer out = make_buffer(24);
  set_argument(locals, 0, out);
  CL_OK(clSetKernelArg(locals, 1, 19460, nullptr));
  CL_OK(clSetKernelArg(locals, 2, 8, nullptr));
  CL_OK(clSetKernelArg(locals, 3, 4, nullptr));
  launch(locals);
  for (const cl_ulong place : contents<cl_ulong>(out, 3)) EXPECT_EQ(0u, place % 16);
}

}  // namespace
