// SPDX-License-Identifier: Apache-2.0
// One kernel is launched with images of many formats in turn: reads and writes must use the format of the current image (section 8.3.1 and
// the tables of channel orders), whatever it was before. Also integer coordinates outside of the image, by the sampler's addressing mode.
#include <algorithm>
#include <array>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "support/images.h"

namespace {

constexpr const char* kSource = R"(
const sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
const sampler_t border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
kernel void add(read_only image2d_t a, read_only image2d_t b, write_only image2d_t sum, sampler_t given,
                global float4* results, int left, int up) {
  const int x = get_global_id(0), y = get_global_id(1), columns = get_global_size(0);
  const int2 at = (int2)(x - left, y - up);
  const float4 first = read_imagef(a, edge, at), second = read_imagef(b, border, at), third = read_imagef(a, given, at);
  global float4* to = results + 3 * (y * columns + x);
  to[0] = first;
  to[1] = second;
  to[2] = third;
  write_imagef(sum, (int2)(x, y), 0.5f * first + 0.5f * second);
}
kernel void line(read_only image1d_buffer_t from, global float4* to) {
  to[get_global_id(0)] = read_imagef(from, get_global_id(0));
}
)";

using Color = std::array<float, 4>;

// The component that each channel is written to (the table of channel orders): the channel's index, 4 for 0, 5 for 1.
struct Order {
  cl_channel_order name;
  size_t channels;
  std::array<int, 4> read;
};
constexpr Order kOrders[] = {{CL_RGBA, 4, {0, 1, 2, 3}},     {CL_BGRA, 4, {2, 1, 0, 3}},
                             {CL_R, 1, {0, 4, 4, 5}},        {CL_RG, 2, {0, 1, 4, 5}},
                             {CL_A, 1, {4, 4, 4, 0}},        {CL_LUMINANCE, 1, {0, 0, 0, 5}},
                             {CL_INTENSITY, 1, {0, 0, 0, 0}}};
struct Type {
  cl_channel_type name;
  size_t size;
};
constexpr Type kTypes[] = {{CL_UNORM_INT8, 1}, {CL_UNORM_INT16, 2}, {CL_FLOAT, 4}};

template <class T>
T as(const unsigned char* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

// The contents of an image on the host.
struct Picture {
  cl_image_format format;
  Order order;
  Type type;
  size_t width, height;
  std::vector<unsigned char> bytes;

  Color texel(size_t x, size_t y) const {
    std::array<float, 6> values{0, 0, 0, 0, 0, 1};
    for (size_t c = 0; c < order.channels; ++c)
      values[c] = channel(&bytes[((y * width + x) * order.channels + c) * type.size]);
    Color color;
    for (int i = 0; i < 4; ++i) color[i] = values[order.read[i]];
    return color;
  }
  float channel(const unsigned char* at) const {
    if (type.size == 1) return float(*at) / 255.0f;
    if (type.size == 2) return float(as<cl_ushort>(at)) / 65535.0f;
    return as<float>(at);
  }
  // Outside of the image: the texel at the edge, or the border colour, whose alpha is 1 if the format has no alpha (section 8.2).
  Color at(long x, long y, bool edge) const {
    const bool inside = x >= 0 && y >= 0 && x < long(width) && y < long(height);
    if (inside || edge)
      return texel(size_t(std::clamp(x, 0L, long(width) - 1)), size_t(std::clamp(y, 0L, long(height) - 1)));
    return {0, 0, 0, order.read[3] == 5 ? 1.0f : 0.0f};
  }
};

class ImagesExchanged : public test::ImageTest {
 protected:
  bool is_supported(const cl_image_format& format, cl_mem_object_type type) const {
    cl_uint count = 0;
    CL_EXPECT(CL_SUCCESS, clGetSupportedImageFormats(context, CL_MEM_READ_WRITE, type, 0, nullptr, &count));
    std::vector<cl_image_format> formats(count);
    CL_EXPECT(CL_SUCCESS,
              clGetSupportedImageFormats(context, CL_MEM_READ_WRITE, type, count, formats.data(), nullptr));
    return std::ranges::any_of(formats, [&](const cl_image_format& each) {
      return each.image_channel_order == format.image_channel_order &&
             each.image_channel_data_type == format.image_channel_data_type;
    });
  }

  std::vector<Picture> pictures(cl_mem_object_type kind) {
    std::vector<Picture> made;
    for (const Order& order : kOrders)
      for (const Type& type : kTypes) {
        const cl_image_format format{order.name, type.name};
        if (!is_supported(format, kind)) continue;
        Picture picture{format, order, type, 5 + random() % 40, 3 + random() % 30, {}};
        picture.bytes.resize(picture.width * picture.height * order.channels * type.size);
        for (size_t i = 0; i < picture.bytes.size(); i += type.size) fill(&picture.bytes[i], type);
        made.push_back(std::move(picture));
      }
    return made;
  }
  void fill(unsigned char* channel, const Type& type) {
    const float value = float(random() % 1000) / 999.0f;
    const auto bits = cl_ushort(random());
    if (type.size == 4)
      std::memcpy(channel, &value, 4);
    else
      std::memcpy(channel, &bits, type.size);
  }

  // The result of the kernel: half of each value, in the channels that the format has (section 6.15.15.4 of OpenCL C).
  static void expect_written(const Picture& image, size_t x, size_t y, const Color& first,
                             const Color& second) {
    const bool of_red = image.order.name == CL_LUMINANCE || image.order.name == CL_INTENSITY;
    const float tolerance = image.type.size == 1 ? 0.51f / 255 : image.type.size == 2 ? 0.51f / 65535 : 1e-6f;
    const Color written = image.texel(x, y);
    for (int c = 0; c < 4; ++c) {
      if (image.order.read[c] > 3) continue;
      const int from = of_red ? 0 : c;
      ASSERT_NEAR(written[c], 0.5f * first[from] + 0.5f * second[from], tolerance)
          << "written at " << x << ", " << y << " channel " << c;
    }
  }

  std::mt19937_64& random = test::random_engine();
};

TEST_F(ImagesExchanged, EachLaunchReadsAndWritesTheFormatsThatItIsGiven) {
  const test::Program program = build(kSource, "-cl-std=CL3.0");
  const test::Kernel kernel = make_kernel(program, "add");
  std::vector<Picture> all = pictures(CL_MEM_OBJECT_IMAGE2D);
  std::vector<test::Image> images;
  for (Picture& picture : all)
    images.push_back(make_image(picture.format,
                                test::image_desc(CL_MEM_OBJECT_IMAGE2D, picture.width, picture.height),
                                CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, picture.bytes.data()));
  cl_int error = 1;
  const test::Sampler given =
      clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, &error);
  CL_EXPECT(CL_SUCCESS, error);
  constexpr size_t kColumns = 56, kRows = 40;
  const test::Buffer results = make_buffer(3 * kColumns * kRows * sizeof(Color));
  for (int round = 0; round < 40; ++round) {
    const size_t i = random() % all.size(), j = random() % all.size();
    const Picture &a = all[i], &b = all[j], &target = all[random() % all.size()];
    SCOPED_TRACE("orders " + std::to_string(a.format.image_channel_order) + ", " +
                 std::to_string(b.format.image_channel_order) + ", types " +
                 std::to_string(a.format.image_channel_data_type) + ", " +
                 std::to_string(b.format.image_channel_data_type));
    const test::Image sum =
        make_image(target.format, test::image_desc(CL_MEM_OBJECT_IMAGE2D, kColumns, kRows));
    const cl_int left = cl_int(random() % 9), up = cl_int(random() % 9);
    set_arguments(kernel, images[i].get(), images[j].get(), sum.get(), given.get(), results, left, up);
    const size_t global[2] = {kColumns, kRows}, local[2] = {8, 8};
    CL_EXPECT(CL_SUCCESS,
              clEnqueueNDRangeKernel(queue, kernel, 2, nullptr, global, local, 0, nullptr, nullptr));
    const auto colors = contents<Color>(results, 3 * kColumns * kRows);
    Picture written{target.format, target.order, target.type, kColumns, kRows, {}};
    written.bytes.resize(kColumns * kRows * target.order.channels * target.type.size);
    const size_t region[3] = {kColumns, kRows, 1};
    CL_EXPECT(CL_SUCCESS, clEnqueueReadImage(queue, sum, CL_TRUE, kNowhere, region, 0, 0,
                                             written.bytes.data(), 0, nullptr, nullptr));
    for (size_t y = 0; y < kRows; ++y)
      for (size_t x = 0; x < kColumns; ++x) {
        const Color first = a.at(long(x) - left, long(y) - up, true),
                    second = b.at(long(x) - left, long(y) - up, false);
        const Color* got = &colors[3 * (y * kColumns + x)];
        for (int c = 0; c < 4; ++c) {
          ASSERT_NEAR(got[0][c], first[c], 2e-7) << "at the edge, " << x << ", " << y << " channel " << c;
          ASSERT_NEAR(got[1][c], second[c], 2e-7) << "with a border, " << x << ", " << y << " channel " << c;
          ASSERT_NEAR(got[2][c], first[c], 2e-7)
              << "by the sampler argument, " << x << ", " << y << " channel " << c;
        }
        expect_written(written, x, y, first, second);
        if (HasFatalFailure()) return;
      }
  }
}

// Images in buffers with and without the alignment that texture units need.
TEST_F(ImagesExchanged, BuffersAreReadFromAnyPlace) {
  const test::Program program = build(kSource, "-cl-std=CL3.0");
  const test::Kernel kernel = make_kernel(program, "line");
  cl_uint alignment = 0;
  CL_EXPECT(CL_SUCCESS,
            clGetDeviceInfo(device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof alignment, &alignment, nullptr));
  for (Picture& picture : pictures(CL_MEM_OBJECT_IMAGE1D_BUFFER)) {
    const size_t count = picture.width * picture.height, bytes = picture.bytes.size(), step = alignment / 8;
    const test::Buffer whole = make_buffer(3 * step + bytes);
    for (const size_t origin : {size_t{0}, step, 3 * step}) {
      SCOPED_TRACE("order " + std::to_string(picture.format.image_channel_order) + ", type " +
                   std::to_string(picture.format.image_channel_data_type) + ", from byte " +
                   std::to_string(origin));
      const cl_buffer_region region{origin, bytes};
      cl_int error = 1;
      const test::Buffer part = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
      CL_EXPECT(CL_SUCCESS, error);
      CL_EXPECT(CL_SUCCESS, clEnqueueWriteBuffer(queue, part, CL_TRUE, 0, bytes, picture.bytes.data(), 0,
                                                 nullptr, nullptr));
      cl_image_desc desc = test::image_desc(CL_MEM_OBJECT_IMAGE1D_BUFFER, count);
      desc.buffer = part;
      const test::Image image = make_image(picture.format, desc);
      const test::Buffer results = make_buffer(count * sizeof(Color));
      set_arguments(kernel, image.get(), results);
      CL_EXPECT(CL_SUCCESS,
                clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &count, nullptr, 0, nullptr, nullptr));
      const auto colors = contents<Color>(results, count);
      for (size_t i = 0; i < count; ++i) {
        const Color expected = picture.texel(i % picture.width, i / picture.width);
        for (int c = 0; c < 4; ++c)
          ASSERT_NEAR(colors[i][c], expected[c], 2e-7) << "texel " << i << " channel " << c;
      }
    }
  }
}

}  // namespace
