// SPDX-License-Identifier: Apache-2.0
// Images: creation with contents, writes, reads, copies, fills, maps, and a kernel that samples one image and writes another.
#include "support/images.h"

#include <array>

#include "scenarios.h"

namespace faults {
namespace {

constexpr char kSource[] =
    "kernel void turn(read_only image2d_t from, write_only image2d_t to, sampler_t s) {\n"
    "  const int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "  write_imageui(to, at, read_imageui(from, s, (int2)(15 - at.x, at.y)));\n"
    "}\n";
constexpr std::size_t kSide = 16, kTexels = kSide * kSide, kStart[3] = {0, 0, 0}, kAll[3] = {kSide, kSide, 1};
using Texels = std::vector<std::array<cl_uchar, 4>>;

test::Image image(World& world, const cl_image_desc& desc, const Texels* contents = nullptr) {
  const cl_image_format format{CL_RGBA, CL_UNSIGNED_INT8};
  return world.make("clCreateImage", clCreateImage, world.context(), contents ? CL_MEM_COPY_HOST_PTR : 0,
                    &format, &desc, const_cast<Texels::value_type*>(contents ? contents->data() : nullptr));
}

Texels read(World& world, cl_command_queue queue, cl_mem from) {
  Texels texels(kTexels);
  world.call("clEnqueueReadImage", clEnqueueReadImage(queue, from, CL_TRUE, kStart, kAll, 0, 0, texels.data(),
                                                      0, nullptr, nullptr));
  return texels;
}

void sample(World& world, cl_command_queue queue, cl_mem from, cl_mem to) {
  const test::Program program = world.program(kSource);
  const test::Kernel kernel = world.kernel(program, "turn");
  const test::Sampler sampler = world.make("clCreateSampler", clCreateSampler, world.context(), CL_FALSE,
                                           CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST);
  world.argument(kernel, 0, from);
  world.argument(kernel, 1, to);
  world.argument(kernel, 2, sampler.get());
  world.call("clEnqueueNDRangeKernel",
             clEnqueueNDRangeKernel(queue, kernel, 2, nullptr, kAll, nullptr, 0, nullptr, nullptr));
}

// Copies the first row of an image to its last row through a map.
void map(World& world, cl_command_queue queue, cl_mem image) {
  std::size_t row = 0;
  auto* mapped = static_cast<std::byte*>(world.make("clEnqueueMapImage", clEnqueueMapImage, queue, image,
                                                    CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, kStart, kAll, &row,
                                                    nullptr, 0, nullptr, nullptr));
  std::copy_n(mapped, kSide * 4, mapped + (kSide - 1) * row);
  world.call("clEnqueueUnmapMemObject", clEnqueueUnmapMemObject(queue, image, mapped, 0, nullptr, nullptr));
}

}  // namespace

void images(World& world) {
  Texels texels(kTexels);
  for (std::size_t i = 0; i < kTexels; ++i)
    texels[i] = {static_cast<cl_uchar>(i), static_cast<cl_uchar>(i / 3), 2, 1};
  const cl_image_desc shape = test::image_desc(CL_MEM_OBJECT_IMAGE2D, kSide, kSide);
  const test::Queue queue = world.queue();
  const test::Image first = image(world, shape, &texels), second = image(world, shape);
  sample(world, queue, first, second);
  Texels& wanted = world.keep(Texels(kTexels));
  for (std::size_t i = 0; i < kTexels; ++i) wanted[i] = texels[i / kSide * kSide + kSide - 1 - i % kSide];
  world.expect("what a kernel has read and written", wanted, read(world, queue, second));

  map(world, queue, first);
  std::copy_n(texels.begin(), kSide, texels.end() - kSide);
  world.expect("what was written into a map", texels, read(world, queue, first));

  const test::Image layers = image(world, test::image_desc(CL_MEM_OBJECT_IMAGE2D_ARRAY, kSide, kSide, 2));
  const test::Buffer buffer = world.buffer(kTexels * 4);
  const cl_uint color[] = {9, 8, 7, 6};
  const std::size_t top[] = {0, 0, 1};
  world.call("clEnqueueFillImage",
             clEnqueueFillImage(queue, layers, color, kStart, kAll, 0, nullptr, nullptr));
  world.call("clEnqueueCopyImage",
             clEnqueueCopyImage(queue, first, layers, kStart, top, kAll, 0, nullptr, nullptr));
  world.call("clEnqueueCopyImageToBuffer",
             clEnqueueCopyImageToBuffer(queue, layers, buffer, top, kAll, 0, 0, nullptr, nullptr));
  world.call("clEnqueueCopyBufferToImage",
             clEnqueueCopyBufferToImage(queue, buffer, second, 0, kStart, kAll, 0, nullptr, nullptr));
  world.expect("what was copied to and fro", texels, read(world, queue, second));
  world.expect("what was filled", Texels(kTexels, {9, 8, 7, 6}), read(world, queue, layers));
  world.call("clEnqueueWriteImage", clEnqueueWriteImage(queue, second, CL_FALSE, kStart, kAll, 0, 0,
                                                        wanted.data(), 0, nullptr, nullptr));
  world.call("clFinish", clFinish(queue));
}

}  // namespace faults
