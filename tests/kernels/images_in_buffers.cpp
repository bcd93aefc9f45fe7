// SPDX-License-Identifier: Apache-2.0
// cl_khr_image2d_from_buffer and cl_ext_image_from_buffer: images of each type use a buffer's bytes, both on the host and in kernels.
#include <string>

#include "support/images.h"

namespace {

using test::Kind, test::Size3;

constexpr cl_image_format kFormat = {CL_RGBA, CL_UNSIGNED_INT8};

// An image in a buffer, and the layout of its texels.
struct Placed {
  cl_image_desc desc;
  Size3 region;
  size_t row_pitch, slice_pitch;

  size_t size() const { return slice_pitch * layers(); }
  bool is_lines() const { return desc.image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY; }
  size_t layers() const { return is_lines() ? region[1] : region[2]; }
  size_t byte_of(size_t x, size_t y, size_t z) const {
    return is_lines() ? y * slice_pitch + 4 * x : z * slice_pitch + y * row_pitch + 4 * x;
  }
};

// With pitches that include padding, aligned for any device; or with none given.
Placed placed(cl_mem_object_type type, bool pitched) {
  Placed image{test::image_desc(type, 37, type == CL_MEM_OBJECT_IMAGE1D ? 0 : 6, 3), {}, 37 * 4, 0};
  image.region = test::region_of(image.desc);
  const bool rows = type != CL_MEM_OBJECT_IMAGE1D, slices = rows && type != CL_MEM_OBJECT_IMAGE2D;
  if (pitched && rows) image.desc.image_row_pitch = image.row_pitch = 64 * 4;
  image.slice_pitch = image.row_pitch * (image.is_lines() ? 1 : image.region[1]);
  if (pitched && slices)
    image.desc.image_slice_pitch = image.slice_pitch = image.slice_pitch + 2 * image.row_pitch;
  return image;
}

std::string source(const Kind& kind) {
  const std::string name = kind.name, place = kind.place,
                    index =
                        "  size_t i = (get_global_id(2) * get_global_size(1) + get_global_id(1)) * "
                        "get_global_size(0) + get_global_id(0);\n";
  return "kernel void sample(read_only " + name + " image, sampler_t s, global uchar4* out) {\n" + index +
         "  out[i] = convert_uchar4(read_imageui(image, s, " + place + "));\n}\n" +
         "kernel void write(write_only " + name + " image, global const uchar4* in) {\n" + index +
         "  write_imageui(image, " + place + ", convert_uint4(in[i]));\n}\n" +
         "kernel void invert(read_write " + name + " image) {\n" + "  write_imageui(image, " + place +
         ", 255 - read_imageui(image, " + place + "));\n}\n";
}

class ImagesInBuffers : public test::ImageTest {
 protected:
  test::Image make(const Placed& image, cl_mem buffer) const {
    cl_image_desc desc = image.desc;
    desc.mem_object = buffer;
    return make_image(kFormat, desc);
  }
  // The texels without padding.
  static std::vector<std::uint8_t> packed(const Placed& image, const std::vector<std::uint8_t>& bytes) {
    std::vector<std::uint8_t> texels;
    for (size_t z = 0; z < image.region[2]; ++z)
      for (size_t y = 0; y < image.region[1]; ++y) {
        const auto row = bytes.begin() + static_cast<std::ptrdiff_t>(image.byte_of(0, y, z));
        texels.insert(texels.end(), row, row + static_cast<std::ptrdiff_t>(4 * image.region[0]));
      }
    return texels;
  }
  template <class F>
  void for_each_kind(F check) const {
    for (const Kind& kind : test::kImageKinds)
      for (const bool pitched : {false, true}) {
        SCOPED_TRACE(std::string(kind.name) + (pitched ? ", pitched" : ""));
        check(kind, placed(kind.type, pitched));
      }
  }
};

TEST_F(ImagesInBuffers, AreSampledAsTheBufferIsNow) {
  const test::Sampler sampler = make_sampler(false, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST);
  for_each_kind([&](const Kind& kind, const Placed& image) {
    const auto bytes = test::random_values<std::uint8_t>(image.size()),
               later = test::random_values<std::uint8_t>(image.size());
    const test::Buffer buffer = make_buffer(bytes),
                       out = make_buffer(4 * image.region[0] * image.region[1] * image.region[2]);
    const test::Image made = make(image, buffer);
    const test::Program program = build(source(kind));
    const test::Kernel kernel = make_kernel(program, "sample");
    set_arguments(kernel, made.get(), sampler.get(), out);
    run(kernel, image.region);
    EXPECT_EQ(contents<std::uint8_t>(out, packed(image, bytes).size()), packed(image, bytes));
    CL_OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, later.size(), later.data(), 0, nullptr, nullptr));
    run(kernel, image.region);
    EXPECT_EQ(contents<std::uint8_t>(out, packed(image, later).size()), packed(image, later));
  });
}

// Texture units read linear memory with pitches up to 2 MB; images with larger pitches are copied for sampling.
TEST_F(ImagesInBuffers, AreSampledWithAnyPitch) {
  const Kind& kind = test::kImageKinds[2];
  const test::Program program = build(source(kind));
  const test::Kernel kernel = make_kernel(program, "sample");
  const test::Sampler sampler = make_sampler(false, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST);
  for (const size_t pitch : {size_t{1} << 20, size_t{1} << 21, size_t{5} << 20}) {
    Placed image = placed(kind.type, false);
    image.desc.image_height = 2;
    image.region[1] = 2;
    image.desc.image_row_pitch = image.row_pitch = pitch;
    image.slice_pitch = 2 * pitch;
    const auto bytes = test::random_values<std::uint8_t>(image.size());
    const test::Buffer buffer = make_buffer(bytes), out = make_buffer(packed(image, bytes).size());
    const test::Image made = make(image, buffer);
    set_arguments(kernel, made.get(), sampler.get(), out);
    run(kernel, image.region);
    EXPECT_EQ(contents<std::uint8_t>(out, packed(image, bytes).size()), packed(image, bytes)) << pitch;
  }
}

TEST_F(ImagesInBuffers, KernelsWriteTheBuffer) {
  for_each_kind([&](const Kind& kind, const Placed& image) {
    const auto before = test::random_values<std::uint8_t>(image.size()),
               texels = test::random_values<std::uint8_t>(packed(image, before).size());
    const test::Buffer buffer = make_buffer(before), in = make_buffer(texels);
    const test::Image made = make(image, buffer);
    const test::Program program = build(source(kind));
    const test::Kernel writes = make_kernel(program, "write"), inverts = make_kernel(program, "invert");
    set_arguments(writes, made.get(), in);
    set_arguments(inverts, made.get());
    run(writes, image.region);
    run(inverts, image.region);
    std::vector<std::uint8_t> expected = before;
    for (size_t i = 0; i < texels.size(); ++i) {
      const size_t x = i / 4 % image.region[0], row = i / 4 / image.region[0];
      expected[image.byte_of(x, row % image.region[1], row / image.region[1]) + i % 4] = 255 - texels[i];
    }
    EXPECT_EQ(contents<std::uint8_t>(buffer, before.size()), expected);
  });
}

TEST_F(ImagesInBuffers, CommandsReachTheirBytes) {
  for_each_kind([&](const Kind&, const Placed& image) {
    const auto before = test::random_values<std::uint8_t>(image.size());
    const test::Buffer buffer = make_buffer(before), other = make_buffer(image.size());
    const test::Image made = make(image, buffer), copy = make(image, other);
    EXPECT_EQ(read<std::uint8_t>(made, image.region, 4), packed(image, before));
    CL_OK(
        clEnqueueCopyImage(queue, made, copy, kNowhere, kNowhere, image.region.data(), 0, nullptr, nullptr));
    EXPECT_EQ(packed(image, contents<std::uint8_t>(other, image.size())), packed(image, before));
    // The last texel of the image.
    const Size3& region = image.region;
    const Size3 origin = {region[0] - 1, region[1] - 1, region[2] - 1}, one = {1, 1, 1};
    const cl_uint color[4] = {1, 2, 3, 4};
    CL_OK(clEnqueueFillImage(queue, made, color, origin.data(), one.data(), 0, nullptr, nullptr));
    std::vector<std::uint8_t> expected = before;
    const size_t last = image.byte_of(origin[0], origin[1], origin[2]);
    for (std::uint8_t i = 0; i < 4; ++i) expected[last + i] = i + 1;
    EXPECT_EQ(contents<std::uint8_t>(buffer, image.size()), expected);
  });
}

}  // namespace
