// SPDX-License-Identifier: Apache-2.0
// Each image format and type: a kernel reads what the host has written, and the host reads what a kernel has written.
#include <cmath>
#include <cstring>
#include <string>

#include "support/images.h"
#include "support/texels.h"

namespace {

using test::channel_size, test::channel_value, test::channels_of, test::is_srgb, test::order_of;
using test::Kind, test::Size3;
using test::srgb_of, test::suffix_of, test::texel_size;

class ImageFormats : public test::ImageTest {
 protected:
  // Random bytes that are not NaN in any format.
  static std::vector<std::uint8_t> random_texels(size_t texels, const cl_image_format& format) {
    const size_t channels = texels * channels_of(format.image_channel_order);
    if (format.image_channel_data_type != CL_FLOAT && format.image_channel_data_type != CL_HALF_FLOAT)
      return test::random_values<std::uint8_t>(channels * channel_size(format.image_channel_data_type));
    std::vector<std::uint8_t> bytes(channels * channel_size(format.image_channel_data_type));
    std::uniform_real_distribution<float> distribution(-100.0f, 100.0f);
    for (size_t i = 0; i < channels; ++i) {
      const float value = distribution(test::random_engine());
      const auto half = static_cast<_Float16>(value);
      if (format.image_channel_data_type == CL_FLOAT)
        std::memcpy(&bytes[i * 4], &value, 4);
      else
        std::memcpy(&bytes[i * 2], &half, 2);
    }
    return bytes;
  }
  // One kernel for each way to read, for an image type.
  static std::string source(const Kind& kind) {
    std::string text;
    for (const char* suffix : {"f", "i", "ui"}) {
      const std::string element = suffix[0] == 'f' ? "float4" : suffix[0] == 'i' ? "int4" : "uint4";
      const std::string read = std::string("read_image") + suffix,
                        write = std::string("write_image") + suffix, name = kind.name, place = kind.place;
      const std::string index =
          "  size_t i = (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + "
          "get_global_id(0);\n";
      text += "kernel void read_" + std::string(suffix) + "(read_only " + name + " image, global " + element +
              "* out) {\n" + index + "  out[i] = " + read + "(image, " + place + ");\n}\n";
      text += "kernel void write_" + std::string(suffix) + "(write_only " + name + " image, global const " +
              element + "* in) {\n" + index + "  " + write + "(image, " + place + ", in[i]);\n}\n";
      text += "kernel void replace_" + std::string(suffix) + "(read_write " + name + " image, global const " +
              element + "* in, global " + element + "* out) {\n" + index + "  out[i] = " + read + "(image, " +
              place + ");\n" + "  " + write + "(image, " + place + ", in[i]);\n}\n";
    }
    return text;
  }

  // An image with random texels, and the kernels for its type.
  struct Case {
    const test::Program& program;
    const cl_image_desc& desc;
    const Size3& region;
    size_t count;  // number of texels
    const cl_image_format& format;
    const std::vector<std::uint8_t>& texels;
    const test::Image& image;

    std::string suffix() const { return suffix_of(format.image_channel_data_type); }
  };
  // An image with the buffer that contains it, if any.
  struct Placed {
    test::Buffer buffer;
    test::Image image;
  };
  Placed place(const cl_image_format& format, cl_image_desc desc, size_t count, cl_mem_flags flags) const {
    Placed placed;
    if (desc.image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER) {
      placed.buffer = make_buffer(count * texel_size(format));
      desc.mem_object = placed.buffer;
    }
    placed.image = make_image(format, desc, flags);
    return placed;
  }
  // Each image type with each format, except depth and packed formats, which have their own tests.
  template <class Body>
  void for_each_format(cl_mem_flags flags, Body body) const {
    std::vector<Kind> kinds(std::begin(test::kImageKinds), std::end(test::kImageKinds));
    kinds.push_back({CL_MEM_OBJECT_IMAGE1D_BUFFER, "image1d_buffer_t", "(int)get_global_id(0)"});
    for (const Kind& kind : kinds) {
      const test::Program program = build(source(kind));
      const bool is_line = kind.type == CL_MEM_OBJECT_IMAGE1D || kind.type == CL_MEM_OBJECT_IMAGE1D_BUFFER;
      const cl_image_desc desc = test::image_desc(kind.type, 13, is_line ? 0 : 5, is_line ? 0 : 3);
      const Size3 region = test::region_of(desc);
      const size_t count = region[0] * region[1] * region[2];
      for (const cl_image_format& format : formats(flags, kind.type)) {
        if (format.image_channel_order == CL_DEPTH || test::is_packed(format)) continue;
        SCOPED_TRACE(std::string(kind.name) + ", order " + std::to_string(format.image_channel_order - CL_R) +
                     ", type " + std::to_string(format.image_channel_data_type - CL_SNORM_INT8));
        const auto texels = random_texels(count, format);
        const Placed placed = place(format, desc, count, CL_MEM_READ_WRITE);
        write(placed.image, region, texels);
        body(Case{program, desc, region, count, format, texels, placed.image});
        if (HasFatalFailure()) return;
      }
    }
  }
  // Compares the components that a kernel has read with the texels.
  static void expect_colors(const Case& c, const std::vector<float>& found) {
    const cl_channel_type type = c.format.image_channel_data_type;
    const std::string order = order_of(c.format.image_channel_order), suffix = c.suffix();
    const size_t channels = channels_of(c.format.image_channel_order), size = channel_size(type);
    for (size_t i = 0; i < 4 * c.count; ++i) {
      const char which = order[i % 4];
      double expected = which == '4' ? 0
                        : which == '5'
                            ? 1
                            : channel_value(&c.texels[(i / 4 * channels + which - '0') * size], type);
      double value = found[i];
      std::int32_t bits = 0;
      std::memcpy(&bits, &found[i], sizeof bits);
      if (suffix == "i") value = bits;
      if (suffix == "ui") value = static_cast<std::uint32_t>(bits);
      if (is_srgb(c.format) && i % 4 < 3)
        ASSERT_NEAR(255 * expected, 255 * srgb_of(value), 0.5) << "component " << i;
      else
        ASSERT_NEAR(expected, value, suffix == "f" ? 1e-6 * std::max(1.0, std::fabs(expected)) : 0)
            << "component " << i;
    }
  }
  // Compares texels that a kernel has written from the colours of given texels.
  static void expect_texels(const cl_image_format& format, const std::vector<std::uint8_t>& texels,
                            const std::vector<std::uint8_t>& written) {
    const cl_channel_type type = format.image_channel_data_type;
    for (size_t i = 0; i < texels.size(); ++i) {
      const bool lowest = (type == CL_SNORM_INT8 && texels[i] == 0x80);  // -1 has two encodings
      if (is_srgb(format))
        ASSERT_NEAR(texels[i], written[i], 1);
      else if (type == CL_SNORM_INT16)
        ASSERT_NEAR(channel_value(&texels[i & ~size_t{1}], type),
                    channel_value(&written[i & ~size_t{1}], type), 1e-9);
      else
        ASSERT_EQ(lowest ? 0x81 : texels[i], written[i]) << "byte " << i;
    }
  }
  // The colours of the texels, as input for a kernel.
  test::Buffer colors_of(const Case& c) const {
    test::Buffer colors = make_buffer(c.count * 16);
    const test::Kernel reads = make_kernel(c.program, ("read_" + c.suffix()).c_str());
    set_arguments(reads, c.image.get(), colors);
    run(reads, c.region);
    return colors;
  }
};

TEST_F(ImageFormats, KernelsReadAndWriteWhatTheHostWrites) {
  for_each_format(CL_MEM_READ_WRITE, [&](const Case& c) {
    const test::Buffer colors = colors_of(c);
    expect_colors(c, contents<float>(colors, 4 * c.count));
    const Placed copy = place(c.format, c.desc, c.count, CL_MEM_WRITE_ONLY);
    const test::Kernel writes = make_kernel(c.program, ("write_" + c.suffix()).c_str());
    set_arguments(writes, copy.image.get(), colors);
    run(writes, c.region);
    expect_texels(c.format, c.texels, read<std::uint8_t>(copy.image, c.region, texel_size(c.format)));
  });
}

// Section 8.3.1: convert_uchar_sat_rte(f * 255.0f), with the product rounded to a float.
TEST_F(ImageFormats, WritesRoundTheProduct) {
  const Kind& kind = test::kImageKinds[0];
  constexpr size_t kTexels = 4096;
  const test::Program program = build(source(kind));
  const test::Kernel writes = make_kernel(program, "write_f");
  std::vector<float> colors = {0.852941f, 0.0882353f, 0.5f, -1.0f, 2.0f, std::nanf(""), 1.0f, 0.0f};
  std::uniform_real_distribution<float> near(-0.1f, 1.1f);
  while (colors.size() < 4 * kTexels) colors.push_back(near(test::random_engine()));
  const test::Buffer in = make_buffer(colors);
  const auto check = [&]<class T>(cl_channel_type type, T most) {
    const test::Image image = make_image({CL_RGBA, type}, test::image_desc(kind.type, kTexels));
    set_arguments(writes, image.get(), in);
    run(writes, {kTexels, 1, 1});
    const auto found = read<T>(image, {kTexels, 1, 1}, 4);
    for (size_t i = 0; i < found.size(); ++i) {
      const float within = colors[i] > 0 ? std::min(colors[i], 1.0f) : 0.0f;
      ASSERT_EQ(static_cast<T>(std::rint(within * static_cast<float>(most))), found[i]) << colors[i];
    }
  };
  check(CL_UNORM_INT8, std::uint8_t{255});
  check(CL_UNORM_INT16, std::uint16_t{65535});
}

// read_imageh and write_imageh (cl_khr_fp16).
TEST_F(ImageFormats, Halves) {
  const cl_image_format format = {CL_RGBA, CL_HALF_FLOAT};
  const cl_image_desc desc = test::image_desc(CL_MEM_OBJECT_IMAGE2D, 11, 6);
  const Size3 region = test::region_of(desc);
  const test::Image from = make_image(format, desc), to = make_image(format, desc);
  const auto texels = random_texels(66, format);
  write(from, region, texels);
  const test::Program program = build(R"(
    #pragma OPENCL EXTENSION cl_khr_fp16 : enable
    kernel void copy(read_only image2d_t from, write_only image2d_t to, sampler_t s, global half4* sampled) {
      const int2 at = (int2)(get_global_id(0), get_global_id(1));
      write_imageh(to, at, read_imageh(from, at));
      sampled[at.y * get_global_size(0) + at.x] = read_imageh(from, s, convert_float2(at) + 0.5f);
    })");
  const test::Kernel kernel = make_kernel(program, "copy");
  const test::Sampler sampler = make_sampler(false, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST);
  const test::Buffer sampled = make_buffer(texels.size());
  set_arguments(kernel, from.get(), to.get(), sampler.get(), sampled);
  run(kernel, region);
  EXPECT_EQ(read<std::uint8_t>(to, region, 8), texels);
  EXPECT_EQ(contents<std::uint8_t>(sampled, texels.size()), texels);
}

// A kernel reads a texel of a read_write image and then replaces it by one of another image.
TEST_F(ImageFormats, ReadWriteImages) {
  for_each_format(CL_MEM_KERNEL_READ_AND_WRITE, [&](const Case& c) {
    const auto news = random_texels(c.count, c.format);
    const Placed other = place(c.format, c.desc, c.count, CL_MEM_READ_ONLY);
    write(other.image, c.region, news);
    const test::Buffer in = colors_of({c.program, c.desc, c.region, c.count, c.format, news, other.image}),
                       out = make_buffer(c.count * 16);
    const test::Kernel kernel = make_kernel(c.program, ("replace_" + c.suffix()).c_str());
    set_arguments(kernel, c.image.get(), in, out);
    run(kernel, c.region);
    expect_colors(c, contents<float>(out, 4 * c.count));
    expect_texels(c.format, news, read<std::uint8_t>(c.image, c.region, texel_size(c.format)));
  });
}

}  // namespace
