// SPDX-License-Identifier: Apache-2.0
// Memory of released images is reused for images of the same shape: not before commands have finished with it, and never with stale texels.
#include <iterator>
#include <thread>

#include "support/images.h"

namespace {

class ReleasedImages : public test::ImageTest {
 protected:
  static constexpr size_t kWidth = 64, kHeight = 32, kTexels = kWidth * kHeight;
  static constexpr const char* kSource = R"(
uint busy(uint turns) {
  uint value = get_global_id(0);
  for (uint i = 0; i < turns; ++i) value = value * 1664525u + 1013904223u;
  return value == turns;
}
kernel void late(read_only image2d_t from, global uint* to, uint turns) {
  const uint never = busy(turns);
  const int x = get_global_id(0), y = get_global_id(1);
  to[y * get_global_size(0) + x] = read_imageui(from, (int2)(x, y)).x + never;
}
kernel void late_of_buffer(read_only image3d_t from, global uint* to, uint turns) {
  const uint never = busy(turns);
  const int x = get_global_id(0), y = get_global_id(1);
  to[y * get_global_size(0) + x] = read_imageui(from, (int4)(x, y, 1, 0)).x + never;
})";

  // Many kernels in three queues, each with its own image, which is released before the kernel reads it.
  template <class MakeImage>
  void check_reads(const char* name, const MakeImage& make) const {
    const test::Program program = build(kSource);
    const test::Kernel kernel = make_kernel(program, name);
    const cl_uint turns = 20'000;
    const size_t global[2] = {kWidth, kHeight};
    test::Queue queues[] = {make_queue(0), make_queue(0), make_queue(0)};
    std::vector<test::Buffer> results;
    for (cl_uint round = 0; round < 24; ++round) {
      const test::Image image = make(round + 1);
      results.push_back(make_buffer(std::vector<cl_uint>(kTexels)));
      set_arguments(kernel, image.get(), results.back(), turns);
      const test::Queue& chosen = queues[round % std::size(queues)];
      CL_EXPECT(CL_SUCCESS,
                clEnqueueNDRangeKernel(chosen, kernel, 2, nullptr, global, nullptr, 0, nullptr, nullptr));
      CL_EXPECT(CL_SUCCESS, clFlush(chosen));
    }
    for (const test::Queue& each : queues) CL_EXPECT(CL_SUCCESS, clFinish(each));
    for (cl_uint round = 0; round < results.size(); ++round)
      EXPECT_EQ(contents<cl_uint>(results[round], kTexels), std::vector<cl_uint>(kTexels, round + 1))
          << "round " << round;
  }
};

TEST_F(ReleasedImages, NothingIsUsedAgainBeforeKernelsHaveReadIt) {
  check_reads("late", [&](cl_uint value) {
    std::vector<cl_uint> texels(kTexels, value);
    return make_image({CL_R, CL_UNSIGNED_INT32}, test::image_desc(CL_MEM_OBJECT_IMAGE2D, kWidth, kHeight),
                      CL_MEM_COPY_HOST_PTR, texels.data());
  });
}

// A 3D image in a buffer is sampled from a copy.
TEST_F(ReleasedImages, NoCopyOfABufferIsUsedAgainBeforeKernelsHaveReadIt) {
  check_reads("late_of_buffer", [&](cl_uint value) {
    const test::Buffer texels = make_buffer(std::vector<cl_uint>(2 * kTexels, value));
    cl_image_desc desc = test::image_desc(CL_MEM_OBJECT_IMAGE3D, kWidth, kHeight, 2);
    desc.buffer = texels;
    return make_image({CL_R, CL_UNSIGNED_INT32}, desc);
  });
}

// Formats with equal texel sizes but different meaning, images of other types with equal sizes, with and without mipmaps.
TEST_F(ReleasedImages, FormatsAndKindsAreKeptApart) {
  const test::Program program = build(R"(
kernel void floats(read_only image2d_t from, global float* to) { to[get_global_id(0)] = read_imagef(from, (int2)(get_global_id(0), 0)).x; }
kernel void numbers(read_only image2d_t from, global float* to) { to[get_global_id(0)] = read_imageui(from, (int2)(get_global_id(0), 0)).x; }
kernel void layers(read_only image2d_array_t from, global float* to) { to[get_global_id(0)] = read_imageui(from, (int4)(get_global_id(0), 0, 3, 0)).x; }
kernel void depths(read_only image3d_t from, global float* to) { to[get_global_id(0)] = read_imageui(from, (int4)(get_global_id(0), 0, 3, 0)).x; })");
  std::vector<std::uint8_t> texels(size_t{16} * 8 * 4 * 4, 51);
  const struct {
    const char* kernel;
    cl_image_format format;
    cl_mem_object_type type;
    float expected;
  } rounds[] = {
      {"floats", {CL_RGBA, CL_UNORM_INT8}, CL_MEM_OBJECT_IMAGE2D, 0.2f},
      {"floats", {CL_sRGBA, CL_UNORM_INT8}, CL_MEM_OBJECT_IMAGE2D, 0.0331f},
      {"floats", {CL_BGRA, CL_UNORM_INT8}, CL_MEM_OBJECT_IMAGE2D, 0.2f},
      {"numbers", {CL_RGBA, CL_UNSIGNED_INT8}, CL_MEM_OBJECT_IMAGE2D, 51.0f},
      {"layers", {CL_RGBA, CL_UNSIGNED_INT8}, CL_MEM_OBJECT_IMAGE2D_ARRAY, 51.0f},
      {"depths", {CL_RGBA, CL_UNSIGNED_INT8}, CL_MEM_OBJECT_IMAGE3D, 51.0f},
  };
  const size_t count = 16;
  for (int turn = 0; turn < 3; ++turn) {
    for (const auto& round : rounds) {
      const test::Kernel kernel = make_kernel(program, round.kernel);
      const bool flat = round.type == CL_MEM_OBJECT_IMAGE2D;
      const test::Image image = make_image(round.format, test::image_desc(round.type, count, 8, flat ? 0 : 4),
                                           CL_MEM_COPY_HOST_PTR, texels.data());
      const test::Buffer result = make_buffer(count * sizeof(float));
      set_arguments(kernel, image.get(), result);
      CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &count, nullptr, 0, nullptr, nullptr));
      for (const float value : contents<float>(result, count))
        EXPECT_NEAR(value, round.expected, 2e-3f) << round.kernel << ", turn " << turn;
    }
  }
}

// More images than are kept for reuse, of many shapes, in several threads.
TEST_F(ReleasedImages, ManyThreadsMakeAndReleaseThem) {
  const auto play = [&](size_t thread) {
    const test::Queue own = make_queue(0);
    for (size_t i = 0; i < 150; ++i) {
      const size_t width = 1 + i % 50, height = 1 + (i + thread) % 3, region[3] = {width, height, 1};
      std::vector<std::uint8_t> texels(width * height * 4, static_cast<std::uint8_t>(i + thread)),
          found(texels.size());
      const test::Image image =
          make_image({CL_RGBA, CL_UNSIGNED_INT8}, test::image_desc(CL_MEM_OBJECT_IMAGE2D, width, height),
                     CL_MEM_COPY_HOST_PTR, texels.data());
      CL_OK(
          clEnqueueReadImage(own, image, CL_TRUE, kNowhere, region, 0, 0, found.data(), 0, nullptr, nullptr));
      ASSERT_EQ(found, texels) << "thread " << thread << ", image " << i;
    }
  };
  std::vector<std::jthread> threads;
  for (size_t thread = 0; thread < 4; ++thread) threads.emplace_back(play, thread);
}

}  // namespace
