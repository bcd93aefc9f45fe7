// SPDX-License-Identifier: Apache-2.0
// 3D images of floats. They are stored in the layers of a CUDA array if that can have enough layers, otherwise in a 3D array. Tested are
// samplers, reads without a sampler, and commands.
#include <cmath>
#include <cstring>
#include <string>

#include "support/filtering.h"

namespace {

using test::Size3;

constexpr test::FilteredKind kVolume = test::kFilteredKinds[4];
constexpr size_t kLayers = 2048;  // the most that a CUDA array can have

class Volumes : public test::ImageTest {
 protected:
  static constexpr cl_image_format kFormat = {CL_R, CL_FLOAT};
  static constexpr size_t kReads = 1500;

  static size_t texel_count(const Size3& size) { return size[0] * size[1] * size[2]; }
  static std::vector<float> random_texels(const Size3& size) {
    return test::random_places(static_cast<int>(texel_count(size)), -1.0f, 1.0f);
  }
  test::Image make_volume(const Size3& size, const std::vector<float>& texels,
                          const cl_image_format& format = kFormat) const {
    test::Image volume =
        make_image(format, test::image_desc(CL_MEM_OBJECT_IMAGE3D, size[0], size[1], size[2]));
    write(volume, size, texels);
    return volume;
  }
  void check_reads(const Size3& size) const;
};

// Section 8.2: the unnormalized coordinate, before neighbours are selected.
double in_texels(float at, size_t size, bool normalized, cl_addressing_mode mode) {
  if (!normalized) return at;
  if (mode == CL_ADDRESS_REPEAT) return (at - std::floor(at)) * static_cast<double>(size);
  if (mode == CL_ADDRESS_MIRRORED_REPEAT)
    return std::fabs(at - 2.0 * std::rint(0.5 * at)) * static_cast<double>(size);
  return static_cast<double>(at) * static_cast<double>(size);
}

void Volumes::check_reads(const Size3& size) const {
  const std::vector<float> texels = random_texels(size);
  const test::Image volume = make_volume(size, texels);
  const test::Program program = build(test::sampling_source(kVolume)),
                      at_level = build(test::sampling_source(kVolume, ", 0.0f"));
  for (const test::Program* source : {&program, &at_level}) {
    const test::Kernel kernel = make_kernel(*source, "sample");
    for (const auto& [normalized, mode] :
         {std::pair{false, CL_ADDRESS_CLAMP_TO_EDGE}, std::pair{false, CL_ADDRESS_CLAMP},
          std::pair{true, CL_ADDRESS_CLAMP_TO_EDGE}, std::pair{true, CL_ADDRESS_CLAMP},
          std::pair{true, CL_ADDRESS_REPEAT}, std::pair{true, CL_ADDRESS_MIRRORED_REPEAT}}) {
      std::vector<float> places = test::random_places(4 * kReads, -1.5f, 2.5f);
      if (!normalized)
        for (size_t i = 0; i < places.size(); ++i)
          places[i] *= static_cast<float>(size[std::min<size_t>(i % 4, 2)]);
      for (const cl_filter_mode filter : {CL_FILTER_NEAREST, CL_FILTER_LINEAR}) {
        const test::Buffer at = make_buffer(places), colors = make_buffer(kReads * sizeof(float));
        const test::Sampler sampler = make_sampler(normalized, mode, filter);
        set_arguments(kernel, volume.get(), sampler.get(), at, colors);
        run(kernel, {kReads, 1, 1});
        const auto found = contents<float>(colors, kReads);
        for (size_t i = 0; i < kReads; ++i) {
          double place[3];
          int nearest[3];
          bool near_a_line = false;
          for (size_t axis = 0; axis < 3; ++axis) {
            place[axis] = in_texels(places[4 * i + axis], size[axis], normalized, mode);
            nearest[axis] =
                test::index_of(static_cast<int>(std::floor(place[axis])), static_cast<int>(size[axis]), mode);
            near_a_line |= std::fabs(place[axis] - std::rint(place[axis])) < 0.02;
          }
          const std::string where = "normalized " + std::to_string(normalized) + ", mode " +
                                    std::to_string(mode) + ", at " + std::to_string(place[0]) + " " +
                                    std::to_string(place[1]) + " " + std::to_string(place[2]);
          if (filter == CL_FILTER_LINEAR)
            ASSERT_NEAR(test::filtered(texels, size, kVolume, mode, place), found[i], 0.02) << where;
          else if (!near_a_line)  // hardware may round to either
            ASSERT_EQ(test::texel_at(texels, size, nearest), found[i]) << where;
        }
      }
    }
  }
}

TEST_F(Volumes, EveryStateOfASampler) { check_reads({7, 5, 6}); }
TEST_F(Volumes, EveryStateOfASamplerInTheDeepest) { check_reads({3, 2, kLayers}); }
TEST_F(Volumes, EveryStateOfASamplerInDeeperOnesThanArraysHaveLayers) { check_reads({3, 2, kLayers + 2}); }

// At the centre of a texel neighbours have no weight, however large their values are.
TEST_F(Volumes, MiddlesOfTexels) {
  const Size3 size{4, 2, 108};
  std::vector<float> texels = random_texels(size);
  for (size_t i = 0; i < texels.size(); i += 3) texels[i] *= 1e30f;
  std::vector<float> places, expected;
  for (size_t z = 0; z < size[2]; ++z) {
    const float middle = static_cast<float>(z) + 0.5f, place = middle / static_cast<float>(size[2]);
    if (place * static_cast<float>(size[2]) != middle) continue;
    for (size_t x = 0; x < size[0]; ++x) {
      places.insert(places.end(), {(static_cast<float>(x) + 0.5f) / 4, 0.25f, place, 0});
      expected.push_back(texels[z * size[0] * size[1] + x]);
    }
  }
  ASSERT_GT(expected.size(), 200U);
  const test::Image volume = make_volume(size, texels);
  const test::Program program = build(test::sampling_source(kVolume));
  const test::Kernel kernel = make_kernel(program, "sample");
  const test::Sampler sampler = make_sampler(true, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR);
  const test::Buffer at = make_buffer(places), colors = make_buffer(expected.size() * sizeof(float));
  set_arguments(kernel, volume.get(), sampler.get(), at, colors);
  run(kernel, {expected.size(), 1, 1});
  EXPECT_EQ(expected, contents<float>(colors, expected.size()));
}

// Integer coordinates, with and without a sampler, in read_only and read_write 3D images.
TEST_F(Volumes, SingleTexels) {
  const test::Program program = build(
      "constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | "
      "CLK_FILTER_NEAREST,"
      "  outside = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;"
      "kernel void look(read_only image3d_t image, global float4* colors) {"
      "  const int4 at = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);"
      "  const int4 far = at + (int4)(0, 0, get_image_depth(image) * 2 * (at.z % 2) - at.z - 1, 0);"
      "  colors[(at.z * get_image_height(image) + at.y) * get_image_width(image) + at.x] ="
      "    (float4)(read_imagef(image, at).x, read_imagef(image, edge, at).x, read_imagef(image, edge, "
      "far).x,"
      "             read_imagef(image, outside, far).x);"
      "}"
      "kernel void change(read_write image3d_t image) {"
      "  const int4 at = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);"
      "  write_imagef(image, at, 0.5f * read_imagef(image, at));"
      "}");
  const test::Kernel look = make_kernel(program, "look"), change = make_kernel(program, "change");
  for (const size_t depth : {size_t{6}, kLayers, kLayers + 2}) {
    const Size3 size{3, 2, depth};
    const std::vector<float> texels = random_texels(size);
    const test::Image volume = make_volume(size, texels);
    set_arguments(change, volume.get());
    run(change, size);
    const test::Buffer colors = make_buffer(4 * texels.size() * sizeof(float));
    set_arguments(look, volume.get(), colors);
    run(look, size);
    const auto found = contents<float>(colors, 4 * texels.size());
    const std::vector<float> all = read<float>(volume, size, 1);
    const size_t plane = size[0] * size[1];
    for (size_t i = 0; i < texels.size(); ++i) {
      const float expected = 0.5f * texels[i],
                  edge = 0.5f * texels[i % plane + (i / plane % 2 ? depth - 1 : 0) * plane];
      ASSERT_EQ(expected, all[i]) << i;
      ASSERT_EQ(expected, found[4 * i]) << i;
      ASSERT_EQ(expected, found[4 * i + 1]) << i;
      ASSERT_EQ(edge, found[4 * i + 2]) << i;
      ASSERT_EQ(0.0f, found[4 * i + 3]) << i;
    }
  }
}

// The contents of a 3D image on the host, to which the commands are applied as well.
struct Model {
  Size3 size;
  std::vector<float> texels;
  float& at(size_t x, size_t y, size_t z) { return texels[(z * size[1] + y) * size[0] + x]; }
};
void copy(Model& to, const Size3& to_origin, Model& from, const Size3& origin, const Size3& region) {
  for (size_t z = 0; z < region[2]; ++z)
    for (size_t y = 0; y < region[1]; ++y)
      for (size_t x = 0; x < region[0]; ++x)
        to.at(to_origin[0] + x, to_origin[1] + y, to_origin[2] + z) =
            from.at(origin[0] + x, origin[1] + y, origin[2] + z);
}

// Copies between 3D images stored in either way, a 2D array, a 2D image and a buffer.
TEST_F(Volumes, CommandsOnRegions) {
  const Size3 region{3, 2, 4}, origin{1, 1, 2}, to_origin{2, 0, 1}, slice{3, 2, 1};
  for (const size_t depth : {size_t{9}, kLayers + 2}) {
    Model from{{5, 4, depth}, random_texels({5, 4, depth})}, to{{6, 3, 8}, random_texels({6, 3, 8})},
        pictures{to.size, to.texels}, picture{{6, 3, 1}, random_texels({6, 3, 1})};
    const test::Image source = make_volume(from.size, from.texels), target = make_volume(to.size, to.texels);
    const test::Image layers = make_image(kFormat, test::image_desc(CL_MEM_OBJECT_IMAGE2D_ARRAY, 6, 3, 8)),
                      flat = make_image(kFormat, test::image_desc(CL_MEM_OBJECT_IMAGE2D, 6, 3));
    write(layers, pictures.size, pictures.texels);
    write(flat, picture.size, picture.texels);
    const auto copied = [&](cl_mem a, cl_mem b, const Size3& a_origin, const Size3& b_origin,
                            const Size3& box) {
      CL_EXPECT(CL_SUCCESS, clEnqueueCopyImage(queue, a, b, a_origin.data(), b_origin.data(), box.data(), 0,
                                               nullptr, nullptr));
    };
    copied(source, target, origin, to_origin, region);
    copy(to, to_origin, from, origin, region);
    copied(source, layers, origin, to_origin, region);
    copy(pictures, to_origin, from, origin, region);
    copied(layers, source, {0, 0, 3}, origin, region);
    copy(from, origin, pictures, {0, 0, 3}, region);
    copied(source, flat, {0, 1, depth - 1}, {2, 1, 0}, slice);
    copy(picture, {2, 1, 0}, from, {0, 1, depth - 1}, slice);
    copied(flat, target, {1, 0, 0}, {0, 1, 7}, slice);
    copy(to, {0, 1, 7}, picture, {1, 0, 0}, slice);

    const test::Buffer buffer = make_buffer(texel_count(region) * sizeof(float));
    CL_EXPECT(CL_SUCCESS, clEnqueueCopyImageToBuffer(queue, target, buffer, to_origin.data(), region.data(),
                                                     0, 0, nullptr, nullptr));
    CL_EXPECT(CL_SUCCESS, clEnqueueCopyBufferToImage(queue, buffer, source, 0, kNowhere, region.data(), 0,
                                                     nullptr, nullptr));
    copy(from, {}, to, to_origin, region);
    const float color[4] = {0.25f, 0, 0, 0};
    const Size3 filled{2, 3, depth - 3};
    CL_EXPECT(CL_SUCCESS,
              clEnqueueFillImage(queue, source, color, origin.data(), filled.data(), 0, nullptr, nullptr));
    for (size_t i = 0; i < texel_count(filled); ++i) from.at(1 + i % 2, 1 + i / 2 % 3, 2 + i / 6) = 0.25f;

    size_t row = 0, plane = 0;
    cl_int error = 1;
    void* mapped = clEnqueueMapImage(queue, source, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, origin.data(),
                                     slice.data(), &row, &plane, 0, nullptr, nullptr, &error);
    ASSERT_EQ(CL_SUCCESS, error);
    float last = 0;
    std::memcpy(&last, static_cast<char*>(mapped) + row + 2 * sizeof last, sizeof last);
    EXPECT_EQ(from.at(3, 2, 2), last);
    from.at(3, 2, 2) = last = 0.75f;
    std::memcpy(static_cast<char*>(mapped) + row + 2 * sizeof last, &last, sizeof last);
    CL_EXPECT(CL_SUCCESS, clEnqueueUnmapMemObject(queue, source, mapped, 0, nullptr, nullptr));

    EXPECT_EQ(from.texels, read<float>(source, from.size, 1)) << depth;
    EXPECT_EQ(to.texels, read<float>(target, to.size, 1)) << depth;
    EXPECT_EQ(pictures.texels, read<float>(layers, pictures.size, 1)) << depth;
    EXPECT_EQ(picture.texels, read<float>(flat, picture.size, 1)) << depth;
  }
}

}  // namespace
