// SPDX-License-Identifier: Apache-2.0
// Packed formats: read, filtered, written and filled, compared with the layouts of section 5.3.1.1.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include "support/images.h"
#include "support/texels.h"

namespace {

using test::Field, test::Packed, test::Size3;
using test::kPackedFormats, test::most, test::value_of, test::defined;

constexpr size_t kWidth = 19, kHeight = 11, kTexels = kWidth * kHeight;
constexpr Size3 kRegion = {kWidth, kHeight, 1};

cl_uint texel_at(const Packed& packed, const std::vector<std::uint8_t>& bytes, size_t index) {
  cl_uint texel = 0;
  std::memcpy(&texel, &bytes[index * packed.bytes], packed.bytes);
  return texel;
}

constexpr char kSource[] = R"(
  #define I (get_global_id(1) * get_global_size(0) + get_global_id(0))
  #define AT (int2)(get_global_id(0), get_global_id(1))
  kernel void read(read_only image2d_t image, sampler_t s, global float4* out) {
    out[2 * I] = read_imagef(image, AT);
    out[2 * I + 1] = read_imagef(image, s, AT);
  }
  kernel void smooth(read_only image2d_t image, sampler_t s, global const float2* at, global float4* out) {
    out[I] = read_imagef(image, s, at[I]);
  }
  kernel void write(write_only image2d_t image, global const float4* in) { write_imagef(image, AT, in[2 * I]); }
  kernel void swap(read_write image2d_t image) { write_imagef(image, AT, read_imagef(image, AT).zyxw); }
)";

class PackedImages : public test::ImageTest {
 protected:
  test::Image make(const Packed& packed) const {
    return make_image(packed.format, test::image_desc(CL_MEM_OBJECT_IMAGE2D, kWidth, kHeight));
  }
};

TEST_F(PackedImages, AreReadAndWritten) {
  const test::Program program = build(kSource);
  const test::Kernel reads = make_kernel(program, "read"), writes = make_kernel(program, "write"),
                     swaps = make_kernel(program, "swap");
  const test::Sampler sampler = make_sampler(false, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST);
  for (const Packed& packed : kPackedFormats) {
    SCOPED_TRACE(packed.format.image_channel_data_type);
    const auto bytes = test::random_values<std::uint8_t>(kTexels * packed.bytes);
    const test::Image image = make(packed), copy = make(packed);
    write(image, kRegion, bytes);
    const test::Buffer colors = make_buffer(kTexels * 32);
    set_arguments(reads, image.get(), sampler.get(), colors);
    run(reads, kRegion);
    const auto found = contents<float>(colors, kTexels * 8);
    for (size_t i = 0; i < found.size(); ++i)
      ASSERT_NEAR(value_of(packed.fields[i % 4], texel_at(packed, bytes, i / 8)), found[i], 1e-6)
          << "texel " << i / 8 << ", channel " << i % 4;
    set_arguments(writes, copy.get(), colors);
    run(writes, kRegion);
    set_arguments(swaps, image.get());
    run(swaps, kRegion);
    const auto written = read<std::uint8_t>(copy, kRegion, packed.bytes),
               swapped = read<std::uint8_t>(image, kRegion, packed.bytes);
    for (size_t i = 0; i < kTexels; ++i) {
      const cl_uint before = texel_at(packed, bytes, i), after = texel_at(packed, swapped, i);
      ASSERT_EQ(defined(packed, before), defined(packed, texel_at(packed, written, i))) << "texel " << i;
      ASSERT_NEAR(value_of(packed.fields[0], before), value_of(packed.fields[2], after), 1e-6);
      ASSERT_NEAR(value_of(packed.fields[2], before), value_of(packed.fields[0], after), 1e-6);
    }
  }
}

TEST_F(PackedImages, AreFiltered) {
  const test::Program program = build(kSource);
  const test::Kernel kernel = make_kernel(program, "smooth");
  const test::Sampler sampler = make_sampler(false, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR);
  for (const Packed& packed : kPackedFormats) {
    SCOPED_TRACE(packed.format.image_channel_data_type);
    const auto bytes = test::random_values<std::uint8_t>(kTexels * packed.bytes);
    const test::Image image = make(packed);
    write(image, kRegion, bytes);
    std::vector<float> places;
    std::uniform_real_distribution<float> x(0.5f, kWidth - 0.5f), y(0.5f, kHeight - 0.5f);
    for (size_t i = 0; i < kTexels; ++i)
      places.insert(places.end(), {x(test::random_engine()), y(test::random_engine())});
    const test::Buffer at = make_buffer(places), colors = make_buffer(kTexels * 16);
    set_arguments(kernel, image.get(), sampler.get(), at, colors);
    run(kernel, kRegion);
    const auto found = contents<float>(colors, kTexels * 4);
    for (size_t i = 0; i < found.size(); ++i) {
      const double u = places[i / 4 * 2] - 0.5, v = places[i / 4 * 2 + 1] - 0.5;
      double expected = 0;
      for (int corner = 0; corner < 4; ++corner) {
        const double a = u - std::floor(u), b = v - std::floor(v);
        const auto column = std::min<size_t>(static_cast<size_t>(u) + (corner & 1), kWidth - 1),
                   row = std::min<size_t>(static_cast<size_t>(v) + (corner >> 1), kHeight - 1);
        expected += (corner & 1 ? a : 1 - a) * (corner >> 1 ? b : 1 - b) *
                    value_of(packed.fields[i % 4], texel_at(packed, bytes, row * kWidth + column));
      }
      ASSERT_NEAR(expected, found[i], 1e-5) << "read " << i / 4 << ", channel " << i % 4;
    }
  }
}

TEST_F(PackedImages, AreFilled) {
  const float color[4] = {0.3f, 0.9f, -1.0f, 0.7f};
  for (const Packed& packed : kPackedFormats) {
    const test::Image image = make(packed);
    CL_OK(clEnqueueFillImage(queue, image, color, kNowhere, kRegion.data(), 0, nullptr, nullptr));
    cl_uint expected = 0;
    for (int i = 0; i < 4; ++i) {
      const Field& field = packed.fields[i];
      expected |=
          static_cast<cl_uint>(std::lround(std::max(color[i], 0.0f) * static_cast<float>(most(field))))
          << field.lowest_bit;
    }
    const auto bytes = read<std::uint8_t>(image, kRegion, packed.bytes);
    for (size_t i = 0; i < kTexels; ++i)
      ASSERT_EQ(expected, texel_at(packed, bytes, i)) << packed.format.image_channel_data_type;
  }
}

TEST_F(PackedImages, OtherOrdersAreRefused) {
  const cl_image_desc desc = test::image_desc(CL_MEM_OBJECT_IMAGE2D, 16, 16);
  make_image({CL_RGBx, CL_UNORM_SHORT_565}, desc, 0, nullptr, CL_IMAGE_FORMAT_NOT_SUPPORTED);
  make_image({CL_RGBA, CL_UNORM_SHORT_565}, desc, 0, nullptr, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  make_image({CL_RGBA, test::kUnormInt2101010}, desc, 0, nullptr, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
}

TEST_F(PackedImages, TheLanguageNamesTheFormat) {
  build(R"(
    #if !__opencl_c_ext_image_unorm_int_2_101010 || CLK_UNORM_INT_2_101010_EXT != 0x10E5
    #error cl_ext_image_unorm_int_2_101010
    #endif
    kernel void k() {})");
}

}  // namespace
