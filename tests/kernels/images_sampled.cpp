// SPDX-License-Identifier: Apache-2.0
// read_image with samplers, compared with section 8.2 of the specification, computed on the host.
#include <cmath>
#include <string>
#include <utility>

#include "support/filtering.h"
#include "support/own_process.h"

namespace {

using test::index_of, test::place, test::random_places, test::Size3;

struct Color {
  float c[4] = {0, 0, 0, 0};
};

// A texel of a 2D image by addressing mode, at unnormalized coordinates.
class Picture {
 public:
  Picture(int width, int height)
      : width_(width), height_(height), texels_(test::random_values<std::uint8_t>(size())) {}
  size_t size() const { return static_cast<size_t>(width_) * height_ * 4; }
  int width() const { return width_; }
  int height() const { return height_; }
  const std::vector<std::uint8_t>& texels() const { return texels_; }

  Color at(int x, int y) const {
    Color color;
    if (x < 0 || y < 0 || x >= width_ || y >= height_) return color;
    for (int i = 0; i < 4; ++i) color.c[i] = static_cast<float>(texels_[(y * width_ + x) * 4 + i]) / 255.0f;
    return color;
  }

 private:
  int width_, height_;
  std::vector<std::uint8_t> texels_;
};

Color sampled(const Picture& picture, float s, float t, bool normalized, cl_addressing_mode mode,
              cl_filter_mode filter) {
  const double u = place(s, picture.width(), normalized, mode),
               v = place(t, picture.height(), normalized, mode);
  const auto texel = [&](int x, int y) {
    return picture.at(index_of(x, picture.width(), mode), index_of(y, picture.height(), mode));
  };
  if (filter == CL_FILTER_NEAREST)
    return texel(static_cast<int>(std::floor(u)), static_cast<int>(std::floor(v)));
  const int x = static_cast<int>(std::floor(u - 0.5)), y = static_cast<int>(std::floor(v - 0.5));
  const double a = u - 0.5 - std::floor(u - 0.5), b = v - 0.5 - std::floor(v - 0.5);
  Color result;
  for (int i = 0; i < 4; ++i)
    result.c[i] =
        static_cast<float>((1 - a) * (1 - b) * texel(x, y).c[i] + a * (1 - b) * texel(x + 1, y).c[i] +
                           (1 - a) * b * texel(x, y + 1).c[i] + a * b * texel(x + 1, y + 1).c[i]);
  return result;
}

// Whether the coordinate is so near to the boundary between two texels that hardware may round it to either.
bool near_a_line(float s, int size, bool normalized, cl_addressing_mode mode) {
  const double u = place(s, size, normalized, mode);
  return std::fabs(u - std::rint(u)) < 0.02;
}

class SampledImages : public test::ImageTest {
 protected:
  static constexpr int kWidth = 23, kHeight = 17, kReads = 2000;

  void SetUp() override {
    ImageTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    image = make_image({CL_RGBA, CL_UNORM_INT8}, test::image_desc(CL_MEM_OBJECT_IMAGE2D, kWidth, kHeight));
    write(image, {kWidth, kHeight, 1}, picture.texels());
  }

  void check_filters(double of_others, double of_volumes) const;

  const Picture picture{kWidth, kHeight};
  test::Image image;
};

constexpr char kSource[] = R"(
kernel void sample(read_only image2d_t image, sampler_t s, global const float2* at, global float4* colors) {
  size_t i = get_global_id(0);
  colors[i] = read_imagef(image, s, at[i]);
}
constant sampler_t outer = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
kernel void literals(read_only image2d_t image, global const float2* at, global float4* colors) {
  const sampler_t inner = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;
  size_t i = get_global_id(0);
  colors[2 * i] = read_imagef(image, outer, at[i]);
  colors[2 * i + 1] = read_imagef(image, inner, at[i]);
}
float4 sampled(read_only image2d_t image, sampler_t s, float2 at) { return read_imagef(image, s, at); }
kernel void blocks(read_only image2d_t image, global const float2* at, global float4* colors) {
  const sampler_t inner = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR, again = inner;
  size_t i = get_global_id(0);
  void (^both)(void) = ^{
    const sampler_t in_block = inner;
    float4 (^deeper)(float2) = ^(float2 place) {
      return (read_imagef(image, again, place) + sampled(image, in_block, place) + sampled(image, inner, place)) / 3;
    };
    colors[2 * i] = sampled(image, outer, at[i]);
    colors[2 * i + 1] = deeper(at[i]);
  };
  both();
}
kernel void integers(read_only image2d_t image, sampler_t s, global const int2* at, global float4* colors) {
  size_t i = get_global_id(0);
  colors[i] = read_imagef(image, s, at[i]);
}
)";

void expect_near(const Color& expected, const float* found, float tolerance, const std::string& where) {
  for (int i = 0; i < 4; ++i) ASSERT_NEAR(expected.c[i], found[i], tolerance) << where << ", channel " << i;
}

TEST_F(SampledImages, EveryStateOfASampler) {
  const test::Program program = build(kSource);
  const test::Kernel kernel = make_kernel(program, "sample");
  for (const bool normalized : {false, true}) {
    for (const cl_addressing_mode mode :
         {CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP, CL_ADDRESS_REPEAT, CL_ADDRESS_MIRRORED_REPEAT}) {
      if (!normalized && mode >= CL_ADDRESS_REPEAT) continue;  // undefined
      for (const cl_filter_mode filter : {CL_FILTER_NEAREST, CL_FILTER_LINEAR}) {
        const std::string state = "normalized " + std::to_string(normalized) + ", mode " +
                                  std::to_string(mode) + ", filter " + std::to_string(filter);
        const float scale = normalized ? 1.0f : static_cast<float>(kWidth);
        const std::vector<float> places = random_places(2 * kReads, -2.5f * scale, 3.5f * scale);
        const test::Buffer at = make_buffer(places), colors = make_buffer(kReads * sizeof(Color));
        const test::Sampler sampler = make_sampler(normalized, mode, filter);
        set_arguments(kernel, image.get(), sampler.get(), at, colors);
        run(kernel, {kReads, 1, 1});
        const auto found = contents<float>(colors, 4 * kReads);
        for (int i = 0; i < kReads; ++i) {
          const float s = places[2 * i], t = places[2 * i + 1];
          if (filter == CL_FILTER_NEAREST &&
              (near_a_line(s, kWidth, normalized, mode) || near_a_line(t, kHeight, normalized, mode)))
            continue;
          expect_near(sampled(picture, s, t, normalized, mode, filter), &found[4 * i],
                      filter == CL_FILTER_LINEAR ? 0.01f : 1e-6f,
                      state + " at " + std::to_string(s) + " " + std::to_string(t));
        }
      }
    }
  }
}

TEST_F(SampledImages, SamplersInTheSource) {
  const test::Program program = build(kSource);
  for (const char* name : {"literals", "blocks"}) {
    const test::Kernel kernel = make_kernel(program, name);
    const std::vector<float> places = random_places(2 * kReads, -3.0f, 30.0f);
    const test::Buffer at = make_buffer(places), colors = make_buffer(2 * kReads * sizeof(Color));
    set_arguments(kernel, image.get(), at, colors);
    run(kernel, {kReads, 1, 1});
    const auto found = contents<float>(colors, 8 * kReads);
    for (int i = 0; i < kReads; ++i) {
      const float s = places[2 * i], t = places[2 * i + 1];
      if (!near_a_line(s, kWidth, false, CL_ADDRESS_CLAMP) &&
          !near_a_line(t, kHeight, false, CL_ADDRESS_CLAMP))
        expect_near(sampled(picture, s, t, false, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST), &found[8 * i], 1e-6f,
                    std::string(name) + ", outer");
      expect_near(sampled(picture, s, t, true, CL_ADDRESS_REPEAT, CL_FILTER_LINEAR), &found[8 * i + 4], 0.02f,
                  std::string(name) + ", inner");
    }
  }
}

// Image handles are arguments of a launch: several images in one kernel, the same images as other arguments, more images than fit among a
// launch's parameters, and images after arguments of odd sizes.
TEST_F(SampledImages, ImagesInEveryPlace) {
  constexpr int kImages = 24, kSamplers = 3;
  std::string parameters, body;
  for (int i = 0; i < kImages; ++i) {
    const std::string name = "i" + std::to_string(i);
    parameters += ", read_only image2d_t " + name;
    for (const char* sampler : {"outside", "edge", "smooth"})
      body += "*to++ = read_imagef(" + name + ", " + sampler + ", at).x;";
  }
  const test::Program program = build(
      "constant sampler_t outside = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;"
      "constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | "
      "CLK_FILTER_NEAREST;"
      "constant sampler_t smooth = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | "
      "CLK_FILTER_LINEAR;"
      "kernel void look(char x, global float* to" +
      parameters + ") { const float2 at = (float2)(x, 0.5f); to += " + std::to_string(kImages * kSamplers) +
      " * (get_global_size(2) - 1); " + body + "}");
  std::vector<test::Image> images;
  for (int i = 0; i < kImages; ++i) {
    images.push_back(make_image({CL_R, CL_FLOAT}, test::image_desc(CL_MEM_OBJECT_IMAGE2D, 2, 1)));
    write(images.back(), {2, 1, 1}, std::vector<float>{float(i), float(i) + 0.5f});
  }
  const test::Kernel kernel = make_kernel(program, "look");
  const test::Buffer colors = make_buffer(kImages * kSamplers * sizeof(float));
  for (const int first : {0, 5}) {
    for (const cl_char x : {1, 2}) {
      cl_uint argument = 0;
      set_argument(kernel, argument++, x);
      set_argument(kernel, argument++, colors.get());
      for (int i = 0; i < kImages; ++i)
        set_argument(kernel, argument++, images[static_cast<size_t>((first + i) % kImages)].get());
      run(kernel, {1, 1, 1});
      const auto found = contents<float>(colors, kImages * kSamplers);
      for (int i = 0; i < kImages; ++i) {
        const float left = float((first + i) % kImages), right = left + 0.5f;
        EXPECT_EQ(found[static_cast<size_t>(3 * i)], x == 2 ? 0.0f : right) << i;
        EXPECT_EQ(found[static_cast<size_t>(3 * i + 1)], right) << i;
        EXPECT_EQ(found[static_cast<size_t>(3 * i + 2)], x == 2 ? right : left + 0.25f) << i;
      }
    }
  }
}

TEST_F(SampledImages, IntegerCoordinates) {
  const test::Program program = build(kSource);
  const test::Kernel kernel = make_kernel(program, "integers");
  std::vector<cl_int> places;
  for (cl_int y = -3; y < kHeight + 3; ++y)
    for (cl_int x = -3; x < kWidth + 3; ++x) places.insert(places.end(), {x, y});
  const size_t count = places.size() / 2;
  for (const cl_addressing_mode mode : {CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP}) {
    const test::Buffer at = make_buffer(places), colors = make_buffer(count * sizeof(Color));
    const test::Sampler sampler = make_sampler(false, mode, CL_FILTER_NEAREST);
    set_arguments(kernel, image.get(), sampler.get(), at, colors);
    run(kernel, {count, 1, 1});
    const auto found = contents<float>(colors, 4 * count);
    for (size_t i = 0; i < count; ++i)
      expect_near(
          picture.at(index_of(places[2 * i], kWidth, mode), index_of(places[2 * i + 1], kHeight, mode)),
          &found[4 * i], 1e-6f, "mode " + std::to_string(mode) + " at " + std::to_string(places[2 * i]));
  }
}

// Images of each type with format SNORM and CL_FLOAT; the latter with a tolerance, which is separate for 3D images.
void SampledImages::check_filters(double of_others, double of_volumes) const {
  for (const test::FilteredKind& kind : test::kFilteredKinds) {
    const double of_floats = kind.filtered == 3 ? of_volumes : of_others;
    const cl_image_desc desc = test::image_desc(kind.type, 9, kind.type == CL_MEM_OBJECT_IMAGE1D ? 0 : 7, 5);
    const Size3 size = test::region_of(desc);
    const auto numbers = test::random_values<std::int8_t>(size[0] * size[1] * size[2]);
    std::vector<float> texels;
    for (const std::int8_t number : numbers)
      texels.push_back(std::max(static_cast<float>(number) / 127.0f, -1.0f));
    const test::Image integers = make_image({CL_R, CL_SNORM_INT8}, desc),
                      floats = make_image({CL_R, CL_FLOAT}, desc);
    write(integers, size, numbers);
    write(floats, size, texels);
    const test::Program program = build(test::sampling_source(kind));
    const test::Kernel kernel = make_kernel(program, "sample");
    for (const bool normalized : {false, true}) {
      for (const cl_addressing_mode mode : {CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP}) {
        const test::Sampler sampler = make_sampler(normalized, mode, CL_FILTER_LINEAR);
        const std::vector<float> places = random_places(kind, size, kReads, normalized);
        for (const auto& [read, tolerance] :
             {std::pair{integers.get(), 2e-5}, std::pair{floats.get(), of_floats}}) {
          const test::Buffer at = make_buffer(places), colors = make_buffer(kReads * sizeof(float));
          set_arguments(kernel, read, sampler.get(), at, colors);
          run(kernel, {kReads, 1, 1});
          const auto found = contents<float>(colors, kReads);
          for (int i = 0; i < kReads; ++i) {
            double texel[3];
            for (int axis = 0; axis < 3; ++axis)
              texel[axis] = normalized && axis < kind.filtered
                                ? double{places[4 * i + axis]} * static_cast<double>(size[axis])
                                : places[4 * i + axis];
            ASSERT_NEAR(test::filtered(texels, size, kind, mode, texel), found[i], tolerance)
                << kind.name << ", normalized " << normalized << ", mode " << mode << ", read " << i;
          }
        }
      }
    }
  }
}

// Texture units have weights in steps of 1/256, for up to four texels; formats of signed integers are filtered in full precision.
TEST_F(SampledImages, EveryKindIsFiltered) { check_filters(0.02, 0.02); }

// Between two slices of a 3D image, floats are weighted in full precision; x and y are at the centres of texels.
TEST_F(SampledImages, VolumesOfFloatsBetweenPlanes) {
  const Size3 size{5, 3, 6};
  std::vector<float> texels(size[0] * size[1] * size[2] * 4);
  for (float& texel : texels) texel = test::random_values<std::uint8_t>(1)[0] & 1 ? 1.0f : -1.0f;
  const test::Image volume =
      make_image({CL_RGBA, CL_FLOAT}, test::image_desc(CL_MEM_OBJECT_IMAGE3D, size[0], size[1], size[2]));
  write(volume, size, texels);
  const test::Program program = build(
      "kernel void sample(read_only image3d_t image, sampler_t s, global const float4* places,"
      "                   global float4* colors) {"
      "  size_t i = get_global_id(0);"
      "  colors[i] = read_imagef(image, s, places[i]);"
      "}");
  const test::Kernel kernel = make_kernel(program, "sample");
  for (const auto& [normalized, mode] :
       {std::pair{false, CL_ADDRESS_CLAMP_TO_EDGE}, std::pair{false, CL_ADDRESS_CLAMP},
        std::pair{true, CL_ADDRESS_CLAMP_TO_EDGE}, std::pair{true, CL_ADDRESS_CLAMP},
        std::pair{true, CL_ADDRESS_REPEAT}, std::pair{true, CL_ADDRESS_MIRRORED_REPEAT}}) {
    std::vector<float> places = random_places(4 * kReads, -1.5f, 2.5f);
    std::vector<size_t> columns;
    for (size_t i = 0; i < kReads; ++i) {
      const size_t x = i % size[0], y = i / size[0] % size[1];
      columns.push_back(y * size[0] + x);
      places[4 * i] = (static_cast<float>(x) + 0.5f) / (normalized ? static_cast<float>(size[0]) : 1.0f);
      places[4 * i + 1] = (static_cast<float>(y) + 0.5f) / (normalized ? static_cast<float>(size[1]) : 1.0f);
      if (!normalized) places[4 * i + 2] *= static_cast<float>(size[2]);
    }
    const test::Buffer at = make_buffer(places), colors = make_buffer(4 * kReads * sizeof(float));
    const test::Sampler sampler = make_sampler(normalized, mode, CL_FILTER_LINEAR);
    set_arguments(kernel, volume.get(), sampler.get(), at, colors);
    run(kernel, {kReads, 1, 1});
    const auto found = contents<float>(colors, 4 * kReads);
    const int depth = static_cast<int>(size[2]);
    const auto texel = [&](size_t column, int z, size_t channel) {
      const int plane = index_of(z, depth, mode);
      if (plane < 0 || plane >= depth) return 0.0f;
      return texels[(static_cast<size_t>(plane) * size[0] * size[1] + column) * 4 + channel];
    };
    for (size_t i = 0; i < kReads; ++i) {
      const double w = place(places[4 * i + 2], depth, normalized, mode) - 0.5;
      const int z = static_cast<int>(std::floor(w));
      for (size_t channel = 0; channel < 4; ++channel) {
        const double near = texel(columns[i], z, channel), far = texel(columns[i], z + 1, channel);
        ASSERT_NEAR(near + (w - z) * (far - near), found[4 * i + channel], 2e-5)
            << "normalized " << normalized << ", mode " << mode << " at " << places[4 * i + 2];
      }
    }
  }
}

// CLCUDA_FILTERS, which a process reads once, selects the filter for floats.
TEST_F(SampledImages, DISABLED_EveryKindIsFilteredExactly) { check_filters(2e-5, 2e-5); }
TEST_F(SampledImages, DISABLED_EveryKindIsFilteredByHardware) { check_filters(0.02, 0.03); }
TEST(SampledImagesAlone, EveryKindIsFilteredAsWanted) {
  setenv("CLCUDA_FILTERS", "exact", 1);
  test::run_alone("SampledImages.DISABLED_EveryKindIsFilteredExactly");
  setenv("CLCUDA_FILTERS", "hardware", 1);
  test::run_alone("SampledImages.DISABLED_EveryKindIsFilteredByHardware");
  unsetenv("CLCUDA_FILTERS");
}

}  // namespace
