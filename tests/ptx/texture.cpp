// SPDX-License-Identifier: Apache-2.0
// tex tld4 txq compared with a model: a texture whose elements continue outside of it by the address mode.
#include <cmath>

#include "image_test.h"

namespace clcuda::test {
namespace {

using Inputs = std::vector<std::array<std::uint32_t, 8>>;

struct Geometry {
  const char* name;
  unsigned dimensions;
  bool layered;
  const char* coordinates;  // layer in %i4
  ImageTest::Shape shape;
};

const Geometry kGeometries[] = {
    {"1d", 1, false, "{%i1}", {29}},
    {"2d", 2, false, "{%i1, %i2}", {17, 9}},
    {"3d", 3, false, "{%i1, %i2, %i3, %i3}", {11, 6, 5}},
    {"a1d", 1, true, "{%i4, %i1}", {13, 0, 3, CUDA_ARRAY3D_LAYERED}},
    {"a2d", 2, true, "{%i4, %i1, %i2, %i2}", {7, 5, 4, CUDA_ARRAY3D_LAYERED}},
};

// The index in a row of `size` elements that replaces `index`, or -1 for the border.
long outside(long index, long size, CUaddress_mode mode) {
  if (index >= 0 && index < size) return index;
  const long around = (index % size + size) % size, twice = (index % (2 * size) + 2 * size) % (2 * size);
  switch (mode) {
    case CU_TR_ADDRESS_MODE_WRAP:
      return around;
    case CU_TR_ADDRESS_MODE_MIRROR:
      return twice < size ? twice : 2 * size - 1 - twice;
    case CU_TR_ADDRESS_MODE_CLAMP:
      return index < 0 ? 0 : size - 1;
    default:
      return -1;
  }
}

class Texture : public ImageTest {
 protected:
  // The model for elements of four floats.
  struct Model {
    const std::vector<float>& elements;
    const Geometry& geometry;
    const CUDA_TEXTURE_DESC& descriptor;

    long extent(unsigned axis) const {
      const std::size_t extents[] = {geometry.shape.width, geometry.shape.height, geometry.shape.depth};
      return axis < geometry.dimensions ? static_cast<long>(extents[axis]) : 1;
    }
    double element(const long (&index)[3], std::size_t layer, unsigned channel) const {
      std::size_t at[3];
      for (unsigned axis = 0; axis < 3; ++axis) {
        const long inside =
            axis < geometry.dimensions ? outside(index[axis], extent(axis), descriptor.addressMode[axis]) : 0;
        if (inside < 0) return descriptor.borderColor[channel];
        at[axis] = static_cast<std::size_t>(inside);
      }
      const std::size_t rows = static_cast<std::size_t>(extent(1));
      const std::size_t slice = geometry.layered ? layer : at[2];
      return elements[((slice * rows + at[1]) * geometry.shape.width + at[0]) * 4 + channel];
    }
    double at(const float (&place)[3], std::size_t layer, unsigned channel) const {
      const bool linear = descriptor.filterMode == CU_TR_FILTER_MODE_LINEAR;
      double x[3];
      for (unsigned axis = 0; axis < 3; ++axis) {
        x[axis] = place[axis];
        if (descriptor.flags & CU_TRSF_NORMALIZED_COORDINATES) x[axis] *= static_cast<double>(extent(axis));
        if (linear) x[axis] -= 0.5;
      }
      double sum = 0;
      for (unsigned corner = 0; corner < (linear ? 1u << geometry.dimensions : 1u); ++corner) {
        long index[3] = {};
        double weight = 1;
        for (unsigned axis = 0; axis < geometry.dimensions; ++axis) {
          const double floor = std::floor(x[axis]);
          const bool high = corner >> axis & 1;
          index[axis] = static_cast<long>(floor) + high;
          if (linear) weight *= high ? x[axis] - floor : 1 - (x[axis] - floor);
        }
        sum += weight * element(index, layer, channel);
      }
      return sum;
    }
  };

  float uniform(float low, float high) { return std::uniform_real_distribution<float>(low, high)(random); }

  // A coordinate that is far enough from the boundary between two elements for rounding not to matter.
  float coordinate(bool normalized, std::size_t extent) {
    const float element = std::floor(uniform(-2.0f, 3.0f) * static_cast<float>(extent)) + uniform(0.1f, 0.9f);
    return normalized ? element / static_cast<float>(extent) : element;
  }

  void compare(const Geometry& geometry, CUDA_TEXTURE_DESC descriptor) {
    std::vector<float> elements(geometry.shape.width * geometry.shape.rows() * 4);
    for (float& element : elements) element = uniform(-1, 1);
    for (float& channel : descriptor.borderColor) channel = uniform(-1, 1);
    const CUarray a = array(geometry.shape, CU_AD_FORMAT_FLOAT, 4);
    fill(a, elements.data());
    const CUtexObject t = texture(resource(a), descriptor);
    const bool normalized = descriptor.flags & CU_TRSF_NORMALIZED_COORDINATES;
    const Model model{elements, geometry, descriptor};
    Inputs inputs(64);
    std::vector<std::array<float, 3>> places;
    std::vector<std::size_t> layers;
    for (auto& input : inputs) {
      std::array<float, 3> place{};
      for (unsigned axis = 0; axis < geometry.dimensions; ++axis)
        place[axis] = coordinate(normalized, static_cast<std::size_t>(model.extent(axis)));
      const std::size_t layer = geometry.layered ? random() % (geometry.shape.depth + 2) : 0;
      input = {word(place[0]), word(place[1]), word(place[2]), static_cast<std::uint32_t>(layer)};
      places.push_back(place);
      layers.push_back(geometry.layered ? std::min(layer, geometry.shape.depth - 1) : 0);  // clamped
    }
    const auto results = run("tex." + std::string(geometry.name) + ".v4.f32.f32 {%o1, %o2, %o3, %o4}, [%h, " +
                                 geometry.coordinates + "];",
                             t, inputs);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const float place[3] = {places[i][0], places[i][1], places[i][2]};
      for (unsigned channel = 0; channel < 4; ++channel)
        ASSERT_NEAR(real(results[i][channel]), model.at(place, layers[i], channel), 1e-4)
            << geometry.name << " mode " << descriptor.addressMode[0] << " filter " << descriptor.filterMode
            << " at " << place[0] << ' ' << place[1] << ' ' << place[2] << " layer " << layers[i];
    }
    EXPECT_EQ(cu.cuTexObjectDestroy(t), CUDA_SUCCESS);
    EXPECT_EQ(cu.cuArrayDestroy(a), CUDA_SUCCESS);
  }

  static CUDA_TEXTURE_DESC descriptor(CUaddress_mode mode, CUfilter_mode filter, unsigned flags) {
    CUDA_TEXTURE_DESC made{};
    made.addressMode[0] = made.addressMode[1] = made.addressMode[2] = mode;
    made.filterMode = filter;
    made.flags = flags;
    return made;
  }
};

constexpr CUaddress_mode kModes[] = {CU_TR_ADDRESS_MODE_WRAP, CU_TR_ADDRESS_MODE_CLAMP,
                                     CU_TR_ADDRESS_MODE_MIRROR, CU_TR_ADDRESS_MODE_BORDER};

TEST_F(Texture, NearestWithNormalizedCoordinates) {
  for (const Geometry& geometry : kGeometries)
    for (const CUaddress_mode mode : kModes)
      compare(geometry, descriptor(mode, CU_TR_FILTER_MODE_POINT, CU_TRSF_NORMALIZED_COORDINATES));
}
TEST_F(Texture, LinearWithNormalizedCoordinates) {
  for (const Geometry& geometry : kGeometries)
    for (const CUaddress_mode mode : kModes)
      compare(geometry, descriptor(mode, CU_TR_FILTER_MODE_LINEAR, CU_TRSF_NORMALIZED_COORDINATES));
}
TEST_F(Texture, CoordinatesInElements) {
  for (const Geometry& geometry : kGeometries)
    for (const CUaddress_mode mode : {CU_TR_ADDRESS_MODE_CLAMP, CU_TR_ADDRESS_MODE_BORDER})
      for (const CUfilter_mode filter : {CU_TR_FILTER_MODE_POINT, CU_TR_FILTER_MODE_LINEAR})
        compare(geometry, descriptor(mode, filter, 0));
}

TEST_F(Texture, CoordinatesThatAreNoPlace) {
  const CUarray a = array({4, 4}, CU_AD_FORMAT_FLOAT, 1);
  const float elements[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  fill(a, elements);
  const float strange[] = {NAN, INFINITY, -INFINITY, 1e30f, -1e30f, 3e9f};
  Inputs inputs;
  for (const float x : strange) inputs.push_back({word(x), word(x)});
  for (const CUaddress_mode mode : kModes)
    for (const CUfilter_mode filter : {CU_TR_FILTER_MODE_POINT, CU_TR_FILTER_MODE_LINEAR}) {
      const CUtexObject t = texture(resource(a), descriptor(mode, filter, CU_TRSF_NORMALIZED_COORDINATES));
      for (const Words& result : run("tex.2d.v4.f32.f32 {%o1, %o2, %o3, %o4}, [%h, {%i1, %i2}];", t, inputs))
        if (mode != CU_TR_ADDRESS_MODE_BORDER) EXPECT_EQ(real(result[0]), 1.0f);
    }
}

struct Format {
  CUarray_format format;
  unsigned bytes;  // of a channel
  double divisor;  // for promoted integers; 0 for formats that are not promoted
  bool is_signed, is_float, always_promoted;
};

const Format kFormats[] = {
    {CU_AD_FORMAT_UNSIGNED_INT8, 1, 255, false, false, false},
    {CU_AD_FORMAT_SIGNED_INT8, 1, 127, true, false, false},
    {CU_AD_FORMAT_UNSIGNED_INT16, 2, 65535, false, false, false},
    {CU_AD_FORMAT_SIGNED_INT16, 2, 32767, true, false, false},
    {CU_AD_FORMAT_UNSIGNED_INT32, 4, 0, false, false, false},
    {CU_AD_FORMAT_SIGNED_INT32, 4, 0, true, false, false},
    {CU_AD_FORMAT_FLOAT, 4, 0, true, true, false},
    {CU_AD_FORMAT_HALF, 2, 0, true, true, false},
    {CU_AD_FORMAT_UNORM_INT8X1, 1, 255, false, false, true},
    {CU_AD_FORMAT_SNORM_INT8X1, 1, 127, true, false, true},
    {CU_AD_FORMAT_UNORM_INT16X1, 2, 65535, false, false, true},
    {CU_AD_FORMAT_SNORM_INT16X1, 2, 32767, true, false, true},
};

std::int64_t integer_at(const std::uint8_t* from, const Format& format) {
  std::uint64_t bits = 0;
  for (unsigned i = 0; i < format.bytes; ++i) bits |= std::uint64_t{from[i]} << (8 * i);
  const unsigned unused = 64 - 8 * format.bytes;
  return format.is_signed ? static_cast<std::int64_t>(bits << unused) >> unused
                          : static_cast<std::int64_t>(bits);
}

double half_value(std::uint64_t bits) {
  const int exponent = bits >> 10 & 31;
  const double mantissa = static_cast<double>(bits & 1023);
  const double magnitude = exponent ? std::ldexp(1024 + mantissa, exponent - 25) : std::ldexp(mantissa, -24);
  return bits & 0x8000 ? -magnitude : magnitude;
}

TEST_F(Texture, EveryFormat) {
  constexpr unsigned kWidth = 64;
  for (const Format& format : kFormats) {
    for (const unsigned channels : {1u, 2u, 4u}) {
      const int step = channels == 4 ? 2 : channels == 2 ? 1 : 0;  // X1, X2, X4 of the normalised formats
      const auto named = static_cast<CUarray_format>(format.format + (format.always_promoted ? step : 0));
      const CUarray a = array({kWidth, 1}, named, channels);
      auto bytes = random_bytes(kWidth * channels * format.bytes);
      if (format.is_float)  // avoids NaN and infinity
        for (std::size_t i = format.bytes - 1; i < bytes.size(); i += format.bytes) bytes[i] &= 0xbb;
      fill(a, bytes.data());
      for (const unsigned flags : {0u, unsigned{CU_TRSF_READ_AS_INTEGER}}) {
        const CUtexObject t =
            texture(resource(a), descriptor(CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_POINT, flags));
        Inputs inputs;
        for (unsigned x = 0; x < kWidth; ++x)
          inputs.push_back({word(static_cast<float>(x) + 0.5f), word(0.5f)});
        const bool promoted = format.always_promoted || (format.divisor != 0 && flags == 0);
        const std::string result = promoted || format.is_float ? "f32" : format.is_signed ? "s32" : "u32";
        const auto results =
            run("tex.2d.v4." + result + ".f32 {%o1, %o2, %o3, %o4}, [%h, {%i1, %i2}];", t, inputs);
        for (unsigned x = 0; x < kWidth; ++x) {
          for (unsigned c = 0; c < channels; ++c) {
            const std::int64_t stored = integer_at(&bytes[(x * channels + c) * format.bytes], format);
            const std::uint32_t got = results[x][c];
            if (format.is_float && format.bytes == 2)
              ASSERT_EQ(real(got), half_value(static_cast<std::uint64_t>(stored) & 0xffff));
            else if (promoted)
              ASSERT_NEAR(real(got), std::max(static_cast<double>(stored) / format.divisor, -1.0), 1e-7);
            else
              ASSERT_EQ(got, static_cast<std::uint32_t>(stored)) << named;
          }
        }
        EXPECT_EQ(cu.cuTexObjectDestroy(t), CUDA_SUCCESS);
      }
    }
  }
}

// Half floats at the ends of the range.
TEST_F(Texture, HalfInfinitiesAndSubnormals) {
  const CUarray a = array({6}, CU_AD_FORMAT_HALF, 1);
  const std::uint16_t halves[6] = {0x7c00, 0xfc00, 0x0001, 0x83ff, 0x8000, 0x7e00};
  fill(a, halves);
  const CUtexObject t =
      texture(resource(a), descriptor(CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_POINT, 0));
  const auto got =
      run("tex.1d.v4.f32.s32 {%o1, %o2, %o3, %o4}, [%h, {%i1}];", t, {{0}, {1}, {2}, {3}, {4}, {5}});
  EXPECT_EQ(real(got[0][0]), INFINITY);
  EXPECT_EQ(real(got[1][0]), -INFINITY);
  EXPECT_EQ(real(got[2][0]), std::ldexp(1.0f, -24));
  EXPECT_EQ(real(got[3][0]), -std::ldexp(1023.0f, -24));
  EXPECT_EQ(got[4][0], 0x80000000u);
  EXPECT_TRUE(std::isnan(real(got[5][0])));
}

TEST_F(Texture, SrgbBytesAreMadeLinear) {
  const CUarray a = array({64, 1}, CU_AD_FORMAT_UNSIGNED_INT8, 4);
  const auto bytes = random_bytes(256);
  fill(a, bytes.data());
  const CUtexObject t =
      texture(resource(a), descriptor(CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_POINT, CU_TRSF_SRGB));
  Inputs inputs;
  for (unsigned x = 0; x < 64; ++x) inputs.push_back({x, 0});
  const auto results = run("tex.2d.v4.f32.s32 {%o1, %o2, %o3, %o4}, [%h, {%i1, %i2}];", t, inputs);
  for (unsigned x = 0; x < 64; ++x)
    for (unsigned c = 0; c < 4; ++c) {
      const double s = bytes[x * 4 + c] / 255.0;
      const double linear = s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
      EXPECT_NEAR(real(results[x][c]), c == 3 ? s : linear, 1e-6);
    }
}

// Integer coordinates select elements; outside the result is 0, with any address mode.
TEST_F(Texture, IntegerCoordinates) {
  for (const Geometry& geometry : kGeometries) {
    const CUarray a = array(geometry.shape, CU_AD_FORMAT_UNSIGNED_INT32, 1);
    std::vector<std::uint32_t> elements(geometry.shape.width * geometry.shape.rows());
    for (auto& element : elements) element = static_cast<std::uint32_t>(random());
    fill(a, elements.data());
    const CUtexObject t =
        texture(resource(a), descriptor(CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_POINT, 0));
    const std::size_t height = geometry.dimensions > 1 ? geometry.shape.height : 1;
    const std::size_t slices = std::max<std::size_t>(geometry.shape.depth, 1);
    Inputs inputs;
    std::vector<std::uint32_t> expected;
    for (unsigned i = 0; i < 64; ++i) {
      const auto x = static_cast<std::uint32_t>(random() % (geometry.shape.width + 2));
      const auto y = geometry.dimensions > 1 ? static_cast<std::uint32_t>(random() % (height + 1)) : 0;
      const auto z = slices > 1 ? static_cast<std::uint32_t>(random() % slices) : 0;
      inputs.push_back({x - 1, y, z, z});
      const bool inside = x >= 1 && x <= geometry.shape.width && y < height;
      expected.push_back(inside ? elements[(z * height + y) * geometry.shape.width + x - 1] : 0);
    }
    for (const char* form : {"", "base."}) {
      const auto results = run("tex." + std::string(form) + geometry.name +
                                   ".v4.u32.s32 {%o1, %o2, %o3, %o4}, [%h, " + geometry.coordinates + "];",
                               t, inputs);
      for (std::size_t i = 0; i < inputs.size(); ++i) EXPECT_EQ(results[i][0], expected[i]) << geometry.name;
    }
  }
}

TEST_F(Texture, LinearAndPitchedMemory) {
  const CUdeviceptr memory = device_memory(128 * 4);
  std::vector<std::uint32_t> words(128);
  for (unsigned i = 0; i < 128; ++i) words[i] = 1000 + i;
  ASSERT_EQ(cu.cuMemcpyHtoDAsync(memory, words.data(), 512, nullptr), CUDA_SUCCESS);
  CUDA_RESOURCE_DESC linear{};
  linear.resType = CU_RESOURCE_TYPE_LINEAR;
  linear.res.linear = {memory, CU_AD_FORMAT_UNSIGNED_INT32, 2, 400};
  const auto plain = descriptor(CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_POINT, 0);
  const CUtexObject t = texture(linear, plain);
  const auto line = run("tex.1d.v4.u32.s32 {%o1, %o2, %o3, %o4}, [%h, {%i1}];", t, {{0}, {49}, {50}, {~0u}});
  EXPECT_EQ(line[0][1], 1001u);
  EXPECT_EQ(line[1][0], 1098u);
  EXPECT_EQ(line[2][0], 0u);
  EXPECT_EQ(line[3][0], 0u);

  CUDA_RESOURCE_DESC pitched{};
  pitched.resType = CU_RESOURCE_TYPE_PITCH2D;
  pitched.res.pitch2D = {memory, CU_AD_FORMAT_UNSIGNED_INT32, 1, 5, 3, 128};
  const CUtexObject u = texture(pitched, plain);
  const auto rows = run("tex.2d.v4.u32.f32 {%o1, %o2, %o3, %o4}, [%h, {%i1, %i2}];", u,
                        {{word(4.5f), word(2.5f)}, {word(9.f), word(1.f)}, {word(-1.f), word(7.f)}});
  EXPECT_EQ(rows[0][0], 1000u + 2 * 32 + 4);
  EXPECT_EQ(rows[1][0], 1000u + 32 + 4);
  EXPECT_EQ(rows[2][0], 1000u + 2 * 32);
  pitched.res.pitch2D.height = 1000;  // beyond the end of the memory
  CUtexObject none = 0;
  EXPECT_EQ(cu.cuTexObjectCreate(&none, &pitched, &plain, nullptr), CUDA_ERROR_INVALID_VALUE);
}

class Mipmapped : public Texture {
 protected:
  // Level i is filled with 10 · i.
  CUDA_RESOURCE_DESC levels(unsigned count) {
    const CUDA_ARRAY3D_DESCRIPTOR shape{16, 16, 0, CU_AD_FORMAT_FLOAT, 1, 0};
    CUmipmappedArray made = nullptr;
    EXPECT_EQ(cu.cuMipmappedArrayCreate(&made, &shape, count), CUDA_SUCCESS);
    for (unsigned i = 0; i < count; ++i) {
      CUarray level = nullptr;
      EXPECT_EQ(cu.cuMipmappedArrayGetLevel(&level, made, i), CUDA_SUCCESS);
      fill(level, std::vector<float>(256u >> 2 * i, static_cast<float>(10 * i)).data());
    }
    CUDA_RESOURCE_DESC descriptor{};
    descriptor.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
    descriptor.res.mipmap.hMipmappedArray = made;
    return descriptor;
  }
  static CUDA_TEXTURE_DESC mipmapped(CUfilter_mode between, float bias, float low, float high) {
    CUDA_TEXTURE_DESC made =
        descriptor(CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_LINEAR, CU_TRSF_NORMALIZED_COORDINATES);
    made.mipmapFilterMode = between;
    made.mipmapLevelBias = bias;
    made.minMipmapLevelClamp = low;
    made.maxMipmapLevelClamp = high;
    return made;
  }
  std::vector<float> at_levels(CUtexObject t, std::initializer_list<float> wanted) {
    Inputs inputs;
    for (const float level : wanted) inputs.push_back({word(0.3f), word(0.7f), word(level)});
    std::vector<float> values;
    for (const Words& result :
         run("tex.level.2d.v4.f32.f32 {%o1, %o2, %o3, %o4}, [%h, {%i1, %i2}], %i3;", t, inputs))
      values.push_back(real(result[0]));
    return values;
  }
};

TEST_F(Mipmapped, Levels) {
  const CUDA_RESOURCE_DESC r = levels(5);
  const CUtexObject nearest = texture(r, mipmapped(CU_TR_FILTER_MODE_POINT, 0, 0, 100));
  EXPECT_EQ(at_levels(nearest, {-3, 0, 0.4f, 0.6f, 1, 2.2f, 4, 9}),
            (std::vector<float>{0, 0, 0, 10, 10, 20, 40, 40}));
  const CUtexObject linear = texture(r, mipmapped(CU_TR_FILTER_MODE_LINEAR, 0, 0, 100));
  EXPECT_EQ(at_levels(linear, {-3, 0, 0.5f, 1.25f, 4, 9}), (std::vector<float>{0, 0, 5, 12.5f, 40, 40}));
  const CUtexObject clamped = texture(r, mipmapped(CU_TR_FILTER_MODE_LINEAR, 0.5f, 1, 2.5f));
  EXPECT_EQ(at_levels(clamped, {-3, 0, 0.75f, 1.5f, 3}), (std::vector<float>{10, 10, 12.5f, 20, 25}));
  const auto base = run("tex.2d.v4.f32.f32 {%o1, %o2, %o3, %o4}, [%h, {%i1, %i2}];", nearest, {{0, 0}});
  EXPECT_EQ(real(base[0][0]), 0.0f);
  const auto element = run("tex.level.2d.v4.f32.s32 {%o1, %o2, %o3, %o4}, [%h, {%i1, %i2}], %i3;", nearest,
                           {{1, 1, 3}, {2, 1, 3}, {0, 0, 5}});
  EXPECT_EQ(real(element[0][0]), 30.0f);
  EXPECT_EQ(real(element[1][0]), 0.0f);  // level 3 has two columns
  EXPECT_EQ(real(element[2][0]), 0.0f);
}

// A step of 2^n elements between neighbours selects level n.
TEST_F(Mipmapped, Gradients) {
  const CUtexObject t = texture(levels(5), mipmapped(CU_TR_FILTER_MODE_LINEAR, 0, 0, 100));
  Inputs inputs;
  for (const float step : {1.0f, 2.0f, 4.0f, 0.25f, 64.0f})
    inputs.push_back({word(0.3f), word(0.7f), word(step / 16), 0, 0, word(step / 64)});
  const auto results = run(
      "tex.grad.2d.v4.f32.f32 {%o1, %o2, %o3, %o4}, [%h, {%i1, %i2}], {%i3, %i4}, {%i5, %i6};", t, inputs);
  const float expected[] = {0, 10, 20, 0, 40};
  for (unsigned i = 0; i < 5; ++i) EXPECT_NEAR(real(results[i][0]), expected[i], 1e-3);
}

TEST_F(Texture, Gather) {
  const CUarray a = array({4, 4, 0, CUDA_ARRAY3D_TEXTURE_GATHER}, CU_AD_FORMAT_UNSIGNED_INT32, 4);
  std::vector<std::uint32_t> elements(64);
  for (unsigned i = 0; i < 64; ++i) elements[i] = i;
  fill(a, elements.data());
  const CUtexObject t = texture(
      resource(a), descriptor(CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_POINT, CU_TRSF_READ_AS_INTEGER));
  unsigned channel = 0;
  for (const char* name : {"r", "g", "b", "a"}) {
    const auto got =
        run("tld4." + std::string(name) + ".2d.v4.u32.f32 {%o1, %o2, %o3, %o4}, [%h, {%i1, %i2}];", t,
            {{word(2.0f), word(1.0f)}});
    // Columns 1 and 2, rows 0 and 1.
    const auto at = [&](unsigned x, unsigned y) { return (y * 4 + x) * 4 + channel; };
    EXPECT_EQ(got[0], (Words{at(1, 1), at(2, 1), at(2, 0), at(1, 0)})) << name;
    ++channel;
  }
}

TEST_F(Texture, Queries) {
  const CUarray a = array({7, 5, 4, CUDA_ARRAY3D_LAYERED}, CU_AD_FORMAT_HALF, 2);
  const CUtexObject t = texture(resource(a), descriptor(CU_TR_ADDRESS_MODE_WRAP, CU_TR_FILTER_MODE_POINT,
                                                        CU_TRSF_NORMALIZED_COORDINATES));
  const auto ask = [&](const std::string& what) {
    return run("txq." + what + ".b32 %o1, [%h];", t, {{}})[0][0];
  };
  EXPECT_EQ(ask("width"), 7u);
  EXPECT_EQ(ask("height"), 5u);
  EXPECT_EQ(ask("depth"), 1u);
  EXPECT_EQ(ask("array_size"), 4u);
  EXPECT_EQ(ask("num_mipmap_levels"), 1u);
  EXPECT_EQ(ask("normalized_mode"), 1u);
  EXPECT_EQ(ask("channel_order"), 0x10b2u);
  EXPECT_EQ(ask("channel_data_type"), 0x10ddu);
}

TEST_F(Texture, WhatCannotBeMade) {
  const CUarray a = array({8, 8}, CU_AD_FORMAT_FLOAT, 1);
  const CUDA_RESOURCE_DESC good = resource(a);
  const CUDA_TEXTURE_DESC plain = descriptor(CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_POINT, 0);
  CUtexObject t = 0;
  const auto with_resource = [&](auto change) {
    CUDA_RESOURCE_DESC r = good;
    change(r);
    return cu.cuTexObjectCreate(&t, &r, &plain, nullptr);
  };
  const auto with_descriptor = [&](auto change) {
    CUDA_TEXTURE_DESC d = plain;
    change(d);
    return cu.cuTexObjectCreate(&t, &good, &d, nullptr);
  };
  EXPECT_EQ(cu.cuTexObjectCreate(nullptr, &good, &plain, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuTexObjectCreate(&t, nullptr, &plain, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuTexObjectCreate(&t, &good, nullptr, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(with_resource([](auto& r) { r.flags = 1; }), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(with_resource([](auto& r) { r.res.array.hArray = nullptr; }), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(with_resource([](auto& r) { r.resType = static_cast<CUresourcetype>(9); }),
            CUDA_ERROR_INVALID_VALUE);
  const CUdeviceptr memory = device_memory(4096);
  EXPECT_EQ(with_resource([&](auto& r) {
              r.resType = CU_RESOURCE_TYPE_LINEAR;
              r.res.linear = {memory + 4, CU_AD_FORMAT_FLOAT, 1, 64};
            }),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(with_resource([&](auto& r) {
              r.resType = CU_RESOURCE_TYPE_LINEAR;
              r.res.linear = {memory, CU_AD_FORMAT_FLOAT, 1, 8192};
            }),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(with_resource([&](auto& r) {
              r.resType = CU_RESOURCE_TYPE_PITCH2D;
              r.res.pitch2D = {memory, CU_AD_FORMAT_FLOAT, 1, 16, 4, 60};
            }),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(with_descriptor([](auto& d) { d.flags = 0x1000; }), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(with_descriptor([](auto& d) { d.addressMode[1] = static_cast<CUaddress_mode>(4); }),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(with_descriptor([](auto& d) { d.filterMode = static_cast<CUfilter_mode>(2); }),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuTexObjectDestroy(12345), CUDA_ERROR_INVALID_VALUE);
  t = texture(good, plain);
  EXPECT_EQ(cu.cuTexObjectDestroy(t), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuTexObjectDestroy(t), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Texture, BadHandleIsAFault) {
  run("tex.2d.v4.f32.f32 {%o1, %o2, %o3, %o4}, [%h, {%i1, %i2}];", 0x123456789abcdef, {{}},
      CUDA_ERROR_ILLEGAL_ADDRESS);
}
TEST_F(Texture, SurfaceIsNoTexture) {
  run("tex.1d.v4.f32.f32 {%o1, %o2, %o3, %o4}, [%h, {%i1}];", surface(array({4}, CU_AD_FORMAT_FLOAT, 1)),
      {{}}, CUDA_ERROR_ILLEGAL_ADDRESS);
}
TEST_F(Texture, DestroyedArrayIsAFault) {
  const CUarray a = array({64, 64}, CU_AD_FORMAT_FLOAT, 1);
  const CUtexObject t =
      texture(resource(a), descriptor(CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_POINT, 0));
  ASSERT_EQ(cu.cuArrayDestroy(a), CUDA_SUCCESS);
  run("tex.2d.v4.f32.f32 {%o1, %o2, %o3, %o4}, [%h, {%i1, %i2}];", t, {{}}, CUDA_ERROR_ILLEGAL_ADDRESS);
}

}  // namespace
}  // namespace clcuda::test
