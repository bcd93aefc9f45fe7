// SPDX-License-Identifier: Apache-2.0
// Every format and kind of image: what the host wrote is what a kernel reads, and what a kernel writes is what the host reads.
#include <cmath>
#include <cstring>
#include <string>

#include "images.h"

namespace {

using test::Kind, test::Size3;

// "f", "i" or "ui": how a kernel reads it.
std::string suffix_of(cl_channel_type type) {
  switch (type) {
    case CL_SIGNED_INT8:
    case CL_SIGNED_INT16:
    case CL_SIGNED_INT32:
      return "i";
    case CL_UNSIGNED_INT8:
    case CL_UNSIGNED_INT16:
    case CL_UNSIGNED_INT32:
      return "ui";
    default:
      return "f";
  }
}

size_t channel_size(cl_channel_type type) {
  switch (type) {
    case CL_SNORM_INT8:
    case CL_UNORM_INT8:
    case CL_SIGNED_INT8:
    case CL_UNSIGNED_INT8:
      return 1;
    case CL_SIGNED_INT32:
    case CL_UNSIGNED_INT32:
    case CL_FLOAT:
      return 4;
    default:
      return 2;
  }
}

// The components that a kernel sees (section 5.3.1.1): where each of the channels in memory goes, 4 for 0, 5 for 1.
std::string order_of(cl_channel_order order) {
  switch (order) {
    case CL_R:
      return "0445";
    case CL_A:
      return "4440";
    case CL_RG:
      return "0145";
    case CL_RA:
      return "0441";
    case CL_BGRA:
    case CL_sBGRA:
      return "2103";
    case CL_ARGB:
      return "1230";
    case CL_ABGR:
      return "3210";
    case CL_INTENSITY:
      return "0000";
    case CL_LUMINANCE:
      return "0005";
    default:
      return "0123";
  }
}

size_t channels_of(cl_channel_order order) {
  switch (order) {
    case CL_R:
    case CL_A:
    case CL_INTENSITY:
    case CL_LUMINANCE:
      return 1;
    case CL_RG:
    case CL_RA:
      return 2;
    default:
      return 4;
  }
}

// A channel as a kernel sees it, as a float or as the bits of an integer.
double channel_value(const std::uint8_t* at, cl_channel_type type) {
  const auto load = [&]<class T>(T value) {
    std::memcpy(&value, at, sizeof value);
    return value;
  };
  switch (type) {
    case CL_SNORM_INT8:
      return std::max(load(std::int8_t{}) / 127.0, -1.0);
    case CL_SNORM_INT16:
      return std::max(load(std::int16_t{}) / 32767.0, -1.0);
    case CL_UNORM_INT8:
      return load(std::uint8_t{}) / 255.0;
    case CL_UNORM_INT16:
      return load(std::uint16_t{}) / 65535.0;
    case CL_SIGNED_INT8:
      return load(std::int8_t{});
    case CL_SIGNED_INT16:
      return load(std::int16_t{});
    case CL_SIGNED_INT32:
      return load(std::int32_t{});
    case CL_UNSIGNED_INT8:
      return load(std::uint8_t{});
    case CL_UNSIGNED_INT16:
      return load(std::uint16_t{});
    case CL_UNSIGNED_INT32:
      return load(std::uint32_t{});
    case CL_HALF_FLOAT:
      return static_cast<double>(load(_Float16{}));
    default:
      return static_cast<double>(load(float{}));
  }
}

// Back from a linear value. The specification bounds the error of a read there (OpenCL C, conversion rules for sRGBA images): half a step
// of the eight bits.
double srgb_of(double linear) {
  return linear < 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
}

class ImageFormats : public test::ImageTest {
 protected:
  // Bytes that are numbers in every format.
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
  // One kernel for each way to read, by kind of image.
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
      text += "kernel void update_" + std::string(suffix) + "(read_write " + name + " image, global " +
              element + "* out) {\n" + index + "  out[i] = " + read + "(image, " + place + ");\n" + "  " +
              write + "(image, " + place + ", out[i].wzyx);\n}\n";
    }
    return text;
  }

  // An image with random texels, and kernels of its kind.
  struct Case {
    const test::Program& program;
    const cl_image_desc& desc;
    const Size3& region;
    size_t count;  // texels
    const cl_image_format& format;
    const std::vector<std::uint8_t>& texels;
    const test::Image& image;
  };
  // Every kind of image with every format but depth and packed ones, which have tests of their own.
  template <class Body>
  void for_each_format(cl_mem_flags flags, Body body) const {
    for (const Kind& kind : test::kImageKinds) {
      const test::Program program = build(source(kind));
      const cl_image_desc desc =
          test::image_desc(kind.type, 13, kind.type == CL_MEM_OBJECT_IMAGE1D ? 0 : 5, 3);
      const Size3 region = test::region_of(desc);
      const size_t count = region[0] * region[1] * region[2];
      for (const cl_image_format& format : formats(flags, kind.type)) {
        if (format.image_channel_order == CL_DEPTH || test::is_packed(format)) continue;
        SCOPED_TRACE(std::string(kind.name) + ", order " + std::to_string(format.image_channel_order - CL_R) +
                     ", type " + std::to_string(format.image_channel_data_type - CL_SNORM_INT8));
        const auto texels = random_texels(count, format);
        const test::Image image = make_image(format, desc);
        write(image, region, texels);
        body(Case{program, desc, region, count, format, texels, image});
        if (HasFatalFailure()) return;
      }
    }
  }
};

TEST_F(ImageFormats, KernelsReadAndWriteWhatTheHostWrites) {
  for_each_format(CL_MEM_READ_WRITE, [&](const Case& c) {
    const cl_channel_type type = c.format.image_channel_data_type;
    const test::Image copy = make_image(c.format, c.desc);
    const test::Buffer colors = make_buffer(c.count * 16);
    const std::string suffix = suffix_of(type);
    const test::Kernel reads = make_kernel(c.program, ("read_" + suffix).c_str());
    set_arguments(reads, c.image.get(), colors);
    run(reads, c.region);
    const auto found = contents<float>(colors, 4 * c.count);
    const std::string order = order_of(c.format.image_channel_order);
    const size_t channels = channels_of(c.format.image_channel_order), size = channel_size(type);
    const bool srgb = c.format.image_channel_order == CL_sRGBA || c.format.image_channel_order == CL_sBGRA;
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
      if (srgb && i % 4 < 3)
        ASSERT_NEAR(255 * expected, 255 * srgb_of(value), 0.5) << "component " << i;
      else
        ASSERT_NEAR(expected, value, suffix == "f" ? 1e-6 * std::max(1.0, std::fabs(expected)) : 0)
            << "component " << i;
    }
    const test::Kernel writes = make_kernel(c.program, ("write_" + suffix).c_str());
    set_arguments(writes, copy.get(), colors);
    run(writes, c.region);
    const auto written = read<std::uint8_t>(copy, c.region, channels * size);
    for (size_t i = 0; i < c.texels.size(); ++i) {
      const bool lowest = (type == CL_SNORM_INT8 && c.texels[i] == 0x80);  // two numbers mean -1
      if (srgb)
        ASSERT_NEAR(c.texels[i], written[i], 1);
      else if (type == CL_SNORM_INT16)
        ASSERT_NEAR(channel_value(&c.texels[i & ~size_t{1}], type),
                    channel_value(&written[i & ~size_t{1}], type), 1e-9);
      else
        ASSERT_EQ(lowest ? 0x81 : c.texels[i], written[i]) << "byte " << i;
    }
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

TEST_F(ImageFormats, ReadWriteImages) {
  for_each_format(CL_MEM_KERNEL_READ_AND_WRITE, [&](const Case& c) {
    const cl_channel_type type = c.format.image_channel_data_type;
    if (c.format.image_channel_order != CL_RGBA || type == CL_SNORM_INT8 || type == CL_SNORM_INT16) return;
    const test::Buffer colors = make_buffer(c.count * 16);
    const test::Kernel kernel = make_kernel(c.program, ("update_" + suffix_of(type)).c_str());
    set_arguments(kernel, c.image.get(), colors);
    run(kernel, c.region);
    const size_t size = channel_size(type);
    const auto written = read<std::uint8_t>(c.image, c.region, 4 * size);
    for (size_t i = 0; i < c.count; ++i)
      for (size_t channel = 0; channel < 4; ++channel)
        ASSERT_EQ(
            std::memcmp(&c.texels[(4 * i + channel) * size], &written[(4 * i + 3 - channel) * size], size), 0)
            << "texel " << i << ", channel " << channel;
  });
}

}  // namespace
