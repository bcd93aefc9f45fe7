// SPDX-License-Identifier: Apache-2.0
// suld sust suq.
#include <cstring>

#include "image_test.h"

namespace clcuda::test {
namespace {

using Surface = ImageTest;

struct Width {
  const char* suffix;
  unsigned bytes;
  const char* destination;
  const char* before_store;  // moves the inputs %i5…%i8 to `destination`
  const char* after_load;    // moves `destination` to %o1…%o4
};

const Width kWidths[] = {
    {"b8", 1, "{%s1}", "cvt.u16.u32 %s1, %i5;", "cvt.u32.u16 %o1, %s1;"},
    {"b16", 2, "{%s1}", "cvt.u16.u32 %s1, %i5;", "cvt.u32.u16 %o1, %s1;"},
    {"b32", 4, "{%i5}", "", "mov.b32 %o1, %i5;"},
    {"b64", 8, "{%w3}", "", "mov.b64 {%o1, %o2}, %w3;"},
    {"v2.b8", 2, "{%s1, %s2}", "cvt.u16.u32 %s1, %i5; shr.u16 %s2, %s1, 8;",
     "shl.b16 %s2, %s2, 8; or.b16 %s1, %s1, %s2; cvt.u32.u16 %o1, %s1;"},
    {"v4.b8", 4, "{%s1, %s2, %s3, %s4}", "mov.b32 {%s1, %s3}, %i5; shr.u16 %s2, %s1, 8; shr.u16 %s4, %s3, 8;",
     "shl.b16 %s2, %s2, 8; or.b16 %s1, %s1, %s2; shl.b16 %s4, %s4, 8; or.b16 %s3, %s3, %s4; mov.b32 %o1, "
     "{%s1, %s3};"},
    {"v2.b16", 4, "{%s1, %s2}", "mov.b32 {%s1, %s2}, %i5;", "mov.b32 %o1, {%s1, %s2};"},
    {"v4.b16", 8, "{%s1, %s2, %s3, %s4}", "mov.b32 {%s1, %s2}, %i5; mov.b32 {%s3, %s4}, %i6;",
     "mov.b32 %o1, {%s1, %s2}; mov.b32 %o2, {%s3, %s4};"},
    {"v2.b32", 8, "{%i5, %i6}", "", "mov.b32 %o1, %i5; mov.b32 %o2, %i6;"},
    {"v4.b32", 16, "{%i5, %i6, %i7, %i8}", "",
     "mov.b32 %o1, %i5; mov.b32 %o2, %i6; mov.b32 %o3, %i7; mov.b32 %o4, %i8;"},
    {"v2.b64", 16, "{%w3, %w4}", "", "mov.b64 {%o1, %o2}, %w3; mov.b64 {%o3, %o4}, %w4;"},
};

struct Geometry {
  const char* name;
  const char* coordinates;  // x in %i1, y %i2, z or layer %i3
  ImageTest::Shape shape;
};

const Geometry kGeometries[] = {
    {"1d", "{%i1}", {32}},
    {"2d", "{%i1, %i2}", {16, 8}},
    {"3d", "{%i1, %i2, %i3, %i3}", {8, 4, 3}},
    {"a1d", "{%i3, %i1}", {16, 0, 3, CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_SURFACE_LDST}},
    {"a2d", "{%i3, %i1, %i2, %i2}", {8, 4, 3, CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_SURFACE_LDST}},
};

TEST_F(Surface, EveryWidthOfEveryGeometry) {
  for (const Geometry& geometry : kGeometries) {
    const CUarray a = array(geometry.shape, CU_AD_FORMAT_UNSIGNED_INT32, 4);
    const CUsurfObject s = surface(a);
    const std::size_t pitch = geometry.shape.width * 16,
                      height = std::max<std::size_t>(geometry.shape.height, 1);
    for (const Width& width : kWidths) {
      const auto before = random_bytes(pitch * geometry.shape.rows());
      fill(a, before.data());
      const auto x = static_cast<std::uint32_t>(random() % (pitch / width.bytes) * width.bytes);
      const auto y = static_cast<std::uint32_t>(random() % height);
      const auto z = static_cast<std::uint32_t>(random() % std::max<std::size_t>(geometry.shape.depth, 1));
      const std::size_t place = (z * height + y) * pitch + x;
      const std::string name = std::string(".b.") + geometry.name + "." + width.suffix + ".trap ";
      const auto loaded =
          run("suld" + name + width.destination + ", [%h, " + geometry.coordinates + "];" + width.after_load,
              s, {{x, y, z}});
      EXPECT_EQ(std::memcmp(loaded[0].data(), &before[place], width.bytes), 0) << name;

      std::array<std::uint32_t, 8> input{x, y, z, 0};
      for (unsigned i = 4; i < 8; ++i) input[i] = static_cast<std::uint32_t>(random());
      run(std::string(width.before_store) + "sust" + name + "[%h, " + geometry.coordinates + "], " +
              width.destination + ";",
          s, {input});
      auto expected = before;
      std::memcpy(&expected[place], &input[4], width.bytes);
      EXPECT_EQ(contents(a), expected) << name;
    }
  }
}

class Outside : public Surface {
 protected:
  void SetUp() override {
    Surface::SetUp();
    a = array({4, 3}, CU_AD_FORMAT_UNSIGNED_INT32, 1);
    for (unsigned i = 0; i < 12; ++i) elements[i] = 100 + i;
    fill(a, elements);
    s = surface(a);
  }
  std::vector<Words> load(const std::string& clamp, CUresult expected = CUDA_SUCCESS) {
    return run("suld.b.2d.b32." + clamp + " {%o1}, [%h, {%i1, %i2}];", s, places, expected);
  }
  void store(const std::string& clamp, CUresult expected = CUDA_SUCCESS) {
    run("sust.b.2d.b32." + clamp + " [%h, {%i1, %i2}], {%i3};", s, places, expected);
  }
  std::vector<std::uint32_t> words() {
    const auto bytes = contents(a);
    std::vector<std::uint32_t> words(12);
    std::memcpy(words.data(), bytes.data(), 48);
    return words;
  }

  CUarray a = nullptr;
  CUsurfObject s = 0;
  std::uint32_t elements[12];
  // To the left of (0, 1), to the right of (3, 0), below (1, 2), and far away from (0, 0).
  std::vector<std::array<std::uint32_t, 8>> places = {
      {~3u, 1, 1}, {16, 0, 2}, {4, 3, 3}, {0x80000000, 0x80000000, 4}};
};

TEST_F(Outside, ClampGoesToTheNearest) {
  const auto got = load("clamp");
  EXPECT_EQ(got[0][0], 104u);
  EXPECT_EQ(got[1][0], 103u);
  EXPECT_EQ(got[2][0], 109u);
  EXPECT_EQ(got[3][0], 100u);
  store("clamp");
  EXPECT_EQ(words(), (std::vector<std::uint32_t>{4, 101, 102, 2, 1, 105, 106, 107, 108, 3, 110, 111}));
}

TEST_F(Outside, ZeroReadsZeroAndStoresNothing) {
  for (const Words& got : load("zero")) EXPECT_EQ(got[0], 0u);
  store("zero");
  EXPECT_EQ(words(), std::vector<std::uint32_t>(elements, elements + 12));
}

TEST_F(Outside, TrapFaultsInALoad) { load("trap", CUDA_ERROR_ILLEGAL_ADDRESS); }
TEST_F(Outside, TrapFaultsInAStore) { store("trap", CUDA_ERROR_ILLEGAL_ADDRESS); }

TEST_F(Surface, FormattedStoresConvert) {
  struct Case {
    CUarray_format format;
    unsigned channels;
    std::array<std::uint32_t, 4> stored;
    std::vector<std::uint8_t> expected;
  };
  const Case cases[] = {
      {CU_AD_FORMAT_UNSIGNED_INT8, 4, {1, 255, 256, ~0u}, {1, 255, 255, 255}},
      {CU_AD_FORMAT_SIGNED_INT8, 4, {1, ~0u, 200, 0x80000000}, {1, 0xff, 127, 0x80}},
      {CU_AD_FORMAT_SIGNED_INT16, 2, {0xfffffffe, 40000, 0, 0}, {0xfe, 0xff, 0xff, 0x7f}},
      {CU_AD_FORMAT_UNSIGNED_INT32, 1, {0x12345678, 0, 0, 0}, {0x78, 0x56, 0x34, 0x12}},
      {CU_AD_FORMAT_UNORM_INT8X4, 4, {word(0.0f), word(1.0f), word(0.5f), word(2.0f)}, {0, 255, 128, 255}},
      {CU_AD_FORMAT_SNORM_INT8X2, 2, {word(-1.0f), word(0.25f), 0, 0}, {0x81, 32}},
      {CU_AD_FORMAT_UNORM_INT16X1, 1, {word(1.0f), 0, 0, 0}, {0xff, 0xff}},
      {CU_AD_FORMAT_HALF, 2, {word(1.5f), word(-65536.0f), 0, 0}, {0x00, 0x3e, 0x00, 0xfc}},
      {CU_AD_FORMAT_FLOAT, 1, {word(1.0f), 0, 0, 0}, {0, 0, 0x80, 0x3f}},
  };
  for (const Case& each : cases) {
    const CUarray a = array({3, 2}, each.format, each.channels);
    auto expected = random_bytes(6 * each.expected.size());
    fill(a, expected.data());
    const char* vector[] = {"b32.trap [%h, {%i1, %i2}], {%i5};", "v2.b32.trap [%h, {%i1, %i2}], {%i5, %i6};",
                            "", "v4.b32.trap [%h, {%i1, %i2}], {%i5, %i6, %i7, %i8};"};
    run(std::string("sust.p.2d.") + vector[each.channels - 1], surface(a),
        {{2, 1, 0, 0, each.stored[0], each.stored[1], each.stored[2], each.stored[3]}});
    std::copy(each.expected.begin(), each.expected.end(),
              expected.end() - static_cast<std::ptrdiff_t>(each.expected.size()));
    EXPECT_EQ(contents(a), expected) << each.format;
  }
}

TEST_F(Surface, Queries) {
  const CUsurfObject s = surface(array({8, 4, 3}, CU_AD_FORMAT_SIGNED_INT16, 4));
  const auto ask = [&](const std::string& what) {
    return run("suq." + what + ".b32 %o1, [%h];", s, {{}})[0][0];
  };
  EXPECT_EQ(ask("width"), 8u);
  EXPECT_EQ(ask("height"), 4u);
  EXPECT_EQ(ask("depth"), 3u);
  EXPECT_EQ(ask("array_size"), 1u);
  EXPECT_EQ(ask("channel_order"), 0x10b5u);
  EXPECT_EQ(ask("channel_data_type"), 0x10d8u);
}

TEST_F(Surface, WhatCannotBeMade) {
  CUsurfObject s = 0;
  CUDA_RESOURCE_DESC plain = resource(array({8, 8, 0, 0}, CU_AD_FORMAT_FLOAT, 1));
  EXPECT_EQ(cu.cuSurfObjectCreate(&s, &plain), CUDA_ERROR_INVALID_VALUE);
  CUDA_RESOURCE_DESC good = resource(array({8, 8}, CU_AD_FORMAT_FLOAT, 1));
  EXPECT_EQ(cu.cuSurfObjectCreate(nullptr, &good), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuSurfObjectCreate(&s, nullptr), CUDA_ERROR_INVALID_VALUE);
  good.resType = CU_RESOURCE_TYPE_LINEAR;
  EXPECT_EQ(cu.cuSurfObjectCreate(&s, &good), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuSurfObjectDestroy(77), CUDA_ERROR_INVALID_VALUE);
  good.resType = CU_RESOURCE_TYPE_ARRAY;
  ASSERT_EQ(cu.cuSurfObjectCreate(&s, &good), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuSurfObjectDestroy(s), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuSurfObjectDestroy(s), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Surface, BadHandleIsAFault) {
  run("sust.b.1d.b32.zero [%h, {%i1}], {%i2};", 99, {{}}, CUDA_ERROR_ILLEGAL_ADDRESS);
}

}  // namespace
}  // namespace clcuda::test
