// SPDX-License-Identifier: Apache-2.0
// A kernel in an in-order queue sees what all earlier kernels have written (§3.2.1, "in-order execution"), through whichever cache it reads
// and wherever its work-groups run, even if the old values were read there before.
#include <string>
#include <utility>

#include "support/images.h"

namespace {

constexpr char kSource[] = R"(
// What a step makes of the value `shift` places on.
#define NEXT(value, i) ((value) * 5 + (uint)(i))

kernel void plain(global const uint* in, global uint* out, uint shift, uint n) {
  const uint i = get_global_id(0);
  out[i] = NEXT(in[(i + shift) % n], i);
}
kernel void restricted(global const uint* restrict in, global uint* restrict out, uint shift, uint n) {
  const uint i = get_global_id(0);
  out[i] = NEXT(in[(i + shift) % n], i);
}
kernel void constants(constant uint* in, global uint* out, uint shift, uint n) {
  const uint i = get_global_id(0);
  out[i] = NEXT(in[(i + shift) % n], i);
}
kernel void atomics(global uint* in, global uint* out, uint shift, uint n) {
  const uint i = get_global_id(0);
  atomic_xchg(out + i, NEXT(atomic_or(in + (i + shift) % n, 0), i));
}
kernel void in_groups(global const uint* in, global uint* out, uint shift, uint n) {
  local uint value;
  const uint i = get_global_id(0);
  for (uint other = 0; other < get_local_size(0); ++other) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == other) value = in[(i + shift) % n];
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint place = i - get_local_id(0) + other;
    if (get_local_id(0) == (other + 1) % get_local_size(0)) out[place] = NEXT(value, place);
  }
}
kernel void images(read_only image2d_t in, write_only image2d_t out, uint shift, uint n) {
  const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
  const uint i = get_global_id(0), width = get_image_width(in), from = (i + shift) % n;
  const uint value = read_imageui(in, nearest, (int2)(from % width, from / width)).x;
  write_imageui(out, (int2)(i % width, i / width), (uint4)NEXT(value, i));
})";

class KernelsInARow : public test::ImageTest {
 protected:
  void SetUp() override {
    test::ImageTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    program = build(kSource);
  }
  // Enqueues an even number of steps between two memory objects in alternating directions, without waiting. Returns the expected contents
  // of the first one.
  std::vector<cl_uint> enqueue_steps(const char* name, cl_mem first, cl_mem second,
                                     std::vector<cl_uint> values) {
    const test::Kernel kernel = make_kernel(program, name);
    const auto n = static_cast<cl_uint>(values.size());
    const size_t global = n, local = 100;
    std::vector<cl_uint> next(n);
    for (const cl_uint drawn : test::random_values<cl_uint>(kSteps)) {
      const cl_uint shift = drawn % n;
      set_arguments(kernel, first, second, shift, n);
      CL_EXPECT(CL_SUCCESS,
                clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr));
      for (cl_uint i = 0; i < n; ++i) next[i] = values[(i + shift) % n] * 5 + i;
      values.swap(next);
      std::swap(first, second);
    }
    return values;
  }

  static constexpr size_t kSteps = 200;
  test::Program program;
};

TEST_F(KernelsInARow, ReadWhatThoseBeforeHaveWritten) {
  for (const size_t n : {1000, 40'000}) {
    for (const char* name : {"plain", "restricted", "constants", "atomics", "in_groups"}) {
      SCOPED_TRACE(name + (" " + std::to_string(n)));
      const auto values = test::random_values<cl_uint>(n);
      const test::Buffer first = make_buffer(values), second = make_buffer(n * sizeof(cl_uint));
      const std::vector<cl_uint> expected = enqueue_steps(name, first, second, values);
      EXPECT_EQ(contents<cl_uint>(first, n), expected);
    }
  }
}

TEST_F(KernelsInARow, OneBufferInHalves) {
  cl_uint bits = 0;
  CL_OK(clGetDeviceInfo(device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof bits, &bits, nullptr));
  const size_t n = 20'000, offset = (n * sizeof(cl_uint) + bits / 8 - 1) / (bits / 8) * (bits / 8);
  const test::Buffer whole = make_buffer(2 * offset);
  const auto part = [&](size_t begin) {
    const cl_buffer_region region{begin, n * sizeof(cl_uint)};
    cl_int error = 1;
    test::Buffer made = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    CL_EXPECT(CL_SUCCESS, error);
    return made;
  };
  const test::Buffer first = part(0), second = part(offset);
  const auto values = test::random_values<cl_uint>(n);
  CL_OK(clEnqueueWriteBuffer(queue, first, CL_FALSE, 0, n * sizeof(cl_uint), values.data(), 0, nullptr,
                             nullptr));
  const std::vector<cl_uint> expected = enqueue_steps("plain", first, second, values);
  EXPECT_EQ(contents<cl_uint>(first, n), expected);
}

TEST_F(KernelsInARow, Images) {
  for (const size_t width : {20, 200}) {
    SCOPED_TRACE(width);
    const test::Size3 region{width, width, 1};
    const auto values = test::random_values<cl_uint>(width * width);
    const cl_image_format format{CL_R, CL_UNSIGNED_INT32};
    const cl_image_desc desc = test::image_desc(CL_MEM_OBJECT_IMAGE2D, width, width);
    const test::Image first = make_image(format, desc), second = make_image(format, desc);
    write(first, region, values);
    const std::vector<cl_uint> expected = enqueue_steps("images", first, second, values);
    EXPECT_EQ(read<cl_uint>(first, region, 1), expected);
  }
}

}  // namespace
