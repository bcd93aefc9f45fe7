// SPDX-License-Identifier: Apache-2.0
// cl_khr_mipmap_image and cl_khr_mipmap_image_writes: levels read, written and filtered.
#include <CL/cl_ext.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <thread>

#include "support/device_info.h"
#include "support/filtering.h"
#include "support/gate.h"

namespace {

using test::Size3;

constexpr cl_image_format kFormat = {CL_RGBA, CL_FLOAT};
constexpr cl_uint kLevels = 5;

class Mipmaps : public test::ImageTest {
 protected:
  void SetUp() override {
    ImageTest::SetUp();
    if (!test::offers(device, "cl_khr_mipmap_image")) GTEST_SKIP() << "no mipmaps";
  }
  test::Sampler sampler(cl_filter_mode mip_filter, float least, float most,
                        cl_filter_mode filter = CL_FILTER_NEAREST) const {
    cl_sampler_properties least_bits = 0, most_bits = 0;
    std::memcpy(&least_bits, &least, sizeof least);
    std::memcpy(&most_bits, &most, sizeof most);
    const cl_sampler_properties list[] = {CL_SAMPLER_NORMALIZED_COORDS,
                                          CL_TRUE,
                                          CL_SAMPLER_ADDRESSING_MODE,
                                          CL_ADDRESS_CLAMP_TO_EDGE,
                                          CL_SAMPLER_FILTER_MODE,
                                          filter,
                                          CL_SAMPLER_MIP_FILTER_MODE_KHR,
                                          mip_filter,
                                          CL_SAMPLER_LOD_MIN_KHR,
                                          least_bits,
                                          CL_SAMPLER_LOD_MAX_KHR,
                                          most_bits,
                                          0};
    cl_int error = 1;
    test::Sampler made = clCreateSamplerWithProperties(context, list, &error);
    CL_EXPECT(CL_SUCCESS, error);
    return made;
  }
  void no_command_reaches(cl_mem image, const cl_image_desc& desc) const;
};

cl_image_desc mipmap_desc(cl_mem_object_type type) {
  cl_image_desc desc = test::image_desc(
      type, 37, type == CL_MEM_OBJECT_IMAGE1D || type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? 0 : 22,
      type == CL_MEM_OBJECT_IMAGE3D ? 19 : 3);
  desc.num_mip_levels = kLevels;
  return desc;
}

unsigned dimensions_of(cl_mem_object_type type) {
  return type == CL_MEM_OBJECT_IMAGE1D                                          ? 1
         : type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? 2
                                                                                : 3;
}

Size3 level_region(const cl_image_desc& desc, cl_uint level) {
  Size3 region = test::region_of(desc);
  const unsigned layer = desc.image_array_size ? dimensions_of(desc.image_type) - 1 : 3;
  for (unsigned d = 0; d < 3; ++d)
    if (d != layer) region[d] = std::max<size_t>(region[d] >> level, 1);
  return region;
}

// In kernels: the type without its access qualifier, the coordinates of a texel, and those of its centre, normalized.
struct Kind {
  cl_mem_object_type type;
  const char *name, *texel, *place;
};
constexpr Kind kKinds[] = {
    {CL_MEM_OBJECT_IMAGE1D, "image1d_t", "(int)x", "(x + 0.5f) / w"},
    {CL_MEM_OBJECT_IMAGE1D_ARRAY, "image1d_array_t", "(int2)(x, y)", "(float2)((x + 0.5f) / w, y)"},
    {CL_MEM_OBJECT_IMAGE2D, "image2d_t", "(int2)(x, y)", "(float2)((x + 0.5f) / w, (y + 0.5f) / h)"},
    {CL_MEM_OBJECT_IMAGE2D_ARRAY, "image2d_array_t", "(int4)(x, y, z, 0)",
     "(float4)((x + 0.5f) / w, (y + 0.5f) / h, z, 0)"},
    {CL_MEM_OBJECT_IMAGE3D, "image3d_t", "(int4)(x, y, z, 0)",
     "(float4)((x + 0.5f) / w, (y + 0.5f) / h, (z + 0.5f) / d, 0)"}};

// Each command with a region returns an error for a level beyond the last one.
void Mipmaps::no_command_reaches(cl_mem image, const cl_image_desc& desc) const {
  constexpr cl_int kCode = CL_INVALID_MIP_LEVEL;
  size_t beyond[4] = {}, first[4] = {}, row = 0, slice = 0;
  beyond[dimensions_of(desc.image_type)] = kLevels;
  const Size3 region = level_region(desc, kLevels - 1);
  const test::Buffer buffer = make_buffer(4096);
  std::vector<std::uint8_t> host(4096);
  CL_EXPECT(kCode, clEnqueueReadImage(queue, image, CL_TRUE, beyond, region.data(), 0, 0, host.data(), 0,
                                      nullptr, nullptr));
  CL_EXPECT(kCode, clEnqueueWriteImage(queue, image, CL_TRUE, beyond, region.data(), 0, 0, host.data(), 0,
                                       nullptr, nullptr));
  CL_EXPECT(kCode, clEnqueueFillImage(queue, image, host.data(), beyond, region.data(), 0, nullptr, nullptr));
  CL_EXPECT(kCode,
            clEnqueueCopyImage(queue, image, image, beyond, first, region.data(), 0, nullptr, nullptr));
  CL_EXPECT(kCode,
            clEnqueueCopyImage(queue, image, image, first, beyond, region.data(), 0, nullptr, nullptr));
  CL_EXPECT(kCode,
            clEnqueueCopyImageToBuffer(queue, image, buffer, beyond, region.data(), 0, 0, nullptr, nullptr));
  CL_EXPECT(kCode,
            clEnqueueCopyBufferToImage(queue, buffer, image, 0, beyond, region.data(), 0, nullptr, nullptr));
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(nullptr, clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_READ, beyond, region.data(), &row,
                                       &slice, 0, nullptr, nullptr, &error));
  CL_EXPECT(kCode, error);
}

// Each level is used as an image of its own, by the host and by kernels.
TEST_F(Mipmaps, LevelsAreImages) {
  for (const Kind& kind : kKinds) {
    SCOPED_TRACE(kind.name);
    const std::string body =
        "  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);"
        "  float w = get_global_size(0), h = get_global_size(1), d = get_global_size(2);"
        "  size_t i = (z * get_global_size(1) + y) * get_global_size(0) + x;";
    const std::string name = kind.name;
    const test::Program program = build(
        "kernel void read(read_only " + name + " image, sampler_t s, float level, global float4* out) {" +
        body + " out[i] = read_imagef(image, s, " + kind.place +
        ", level); if (get_image_num_mip_levels(image) != " + std::to_string(kLevels) + ") out[i] = -1; }" +
        "kernel void write(write_only " + name + " image, int level, global const float4* in) {" + body +
        " write_imagef(image, " + kind.texel + ", level, in[i]); }");
    const test::Kernel reads = make_kernel(program, "read"), writes = make_kernel(program, "write");
    const cl_image_desc desc = mipmap_desc(kind.type);
    const test::Image image = make_image(kFormat, desc), copy = make_image(kFormat, desc);
    const test::Sampler nearest = sampler(CL_FILTER_NEAREST, 0, 1000);
    for (cl_uint level = 0; level < kLevels; ++level) {
      const Size3 region = level_region(desc, level);
      const size_t count = region[0] * region[1] * region[2];
      std::vector<float> texels;
      for (const auto value : test::random_values<std::uint16_t>(4 * count)) texels.push_back(value);
      size_t origin[4] = {};
      origin[dimensions_of(kind.type)] = level;
      CL_OK(clEnqueueWriteImage(queue, image, CL_TRUE, origin, region.data(), 0, 0, texels.data(), 0, nullptr,
                                nullptr));
      const test::Buffer colors = make_buffer(count * 16);
      set_arguments(reads, image.get(), nearest.get(), static_cast<float>(level), colors);
      run(reads, region);
      EXPECT_EQ(contents<float>(colors, 4 * count), texels) << "level " << level;
      set_arguments(writes, copy.get(), static_cast<cl_int>(level), colors);
      run(writes, region);
      std::vector<float> found(4 * count);
      CL_OK(clEnqueueReadImage(queue, copy, CL_TRUE, origin, region.data(), 0, 0, found.data(), 0, nullptr,
                               nullptr));
      EXPECT_EQ(found, texels) << "level " << level;
    }
    no_command_reaches(image, desc);
  }
}

// A read without a level uses the first level (OpenCL C 6.15.15.2): with samplers for normalized and unnormalized coordinates and without a
// sampler, after each change of the image.
TEST_F(Mipmaps, ReadsWithoutALevelAreOfTheFirst) {
  for (const Kind& kind : kKinds) {
    SCOPED_TRACE(kind.name);
    const std::string texel = kind.texel;
    const test::Program program = build(
        "constant sampler_t in_texels = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;"
        "constant sampler_t normalised = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;"
        "kernel void read(read_only " +
        std::string(kind.name) +
        " image, global float4* out) {"
        "  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);"
        "  float w = get_global_size(0), h = get_global_size(1), d = get_global_size(2);"
        "  size_t i = 3 * ((z * get_global_size(1) + y) * get_global_size(0) + x);"
        "  out[i] = read_imagef(image, " +
        texel + "); out[i + 1] = read_imagef(image, in_texels, " + texel +
        "); out[i + 2] = read_imagef(image, normalised, " + kind.place + "); }");
    const test::Kernel reads = make_kernel(program, "read");
    const cl_image_desc desc = mipmap_desc(kind.type);
    const test::Image image = make_image(kFormat, desc);
    const Size3 region = level_region(desc, 0);
    const size_t count = region[0] * region[1] * region[2];
    const test::Buffer colors = make_buffer(3 * count * 16);
    set_arguments(reads, image.get(), colors);
    for (int round = 0; round < 2; ++round) {
      std::vector<float> texels, expected;
      for (const auto value : test::random_values<std::uint16_t>(4 * count)) texels.push_back(value);
      const size_t origin[4] = {};
      CL_OK(clEnqueueWriteImage(queue, image, CL_TRUE, origin, region.data(), 0, 0, texels.data(), 0, nullptr,
                                nullptr));
      run(reads, region);
      for (size_t i = 0; i < 12 * count; ++i) expected.push_back(texels[i / 12 * 4 + i % 4]);
      EXPECT_EQ(contents<float>(colors, 12 * count), expected) << "round " << round;
    }
  }
}

// A launch reads the second level while a write to the first one is still to run. A later launch that waits for both must see the write,
// even if the library prepared the first level for the earlier launch.
TEST_F(Mipmaps, LaterLaunchesSeeWritesThatEarlierOnesDoNotWaitFor) {
  for (const Kind& kind : kKinds) {
    SCOPED_TRACE(kind.name);
    const std::string image = std::string("(read_only ") + kind.name + " image, ", centre = kind.place,
                      indices =
                          "int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);"
                          "float w = 18, h = 11, d = 9; size_t i = (z * 3 + y) * 3 + x;";
    const test::Program program = build(
        test::Gate::kSource + ("kernel void second" + image) + "sampler_t s, global float* out) {" + indices +
            "out[i] = read_imagef(image, s, " + centre + ", 1.0f).x; }" + "kernel void first" + image +
            "global float* out) {" + indices + "out[i] = read_imagef(image, " + kind.texel + ").x; }",
        "-cl-std=CL3.0");
    const test::Kernel hold = make_kernel(program, "hold"), second = make_kernel(program, "second"),
                       first = make_kernel(program, "first");
    const cl_image_desc desc = mipmap_desc(kind.type);
    const test::Image mipmap = make_image(kFormat, desc);
    const size_t origin[4] = {};
    const Size3 region = level_region(desc, 0), some{3, 3, 3};
    const auto fill = [&](cl_command_queue where, float value, cl_event* done) {
      const float color[4] = {value, 0, 0, 1};
      CL_OK(clEnqueueFillImage(where, mipmap, color, origin, region.data(), 0, nullptr, done));
    };
    fill(queue, 1, nullptr);
    const test::Buffer out = make_buffer(27 * sizeof(float));
    const test::Sampler nearest = sampler(CL_FILTER_NEAREST, 0, 1000);
    set_arguments(second, mipmap.get(), nearest.get(), out);
    set_arguments(first, mipmap.get(), out);
    CL_OK(clFinish(queue));
    const test::Queue other = make_queue(0);
    test::Gate gate(context, hold, other);
    if (!gate) GTEST_SKIP() << "needs fine-grained shared virtual memory with atomics";
    test::Event written;
    fill(other, 9, written.out());
    CL_OK(clFlush(other));
    run(second, some);
    CL_OK(clFlush(queue));
    // Time in which a copy that does not wait would be made.
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    gate.open();
    CL_OK(clEnqueueNDRangeKernel(queue, first, 3, nullptr, some.data(), nullptr, 1, written.list(), nullptr));
    EXPECT_EQ(contents<float>(out, 3), std::vector<float>(3, 9.0f));
  }
}

// Level n is filled with n times the scale, so that a read returns the level of detail that was selected.
TEST_F(Mipmaps, ChoosesAndFiltersLevels) {
  const test::Program program = build(R"(
    kernel void levels(read_only image2d_t image, sampler_t s, global const float* level, global float* out) {
      size_t i = get_global_id(0);
      out[i] = read_imagef(image, s, (float2)(0.5f, 0.5f), level[i]).x;
    }
    kernel void gradients(read_only image2d_t image, sampler_t s, global const float* level, global float* out) {
      size_t i = get_global_id(0);
      float step = exp2(level[i]);
      out[i] = read_imagef(image, s, (float2)(0.5f, 0.5f), (float2)(step / 37, 0), (float2)(0, 0.5f * step / 22)).x;
    })");
  std::vector<float> wanted;
  for (int i = -8; i <= 48; ++i) wanted.push_back(static_cast<float>(i) / 8 + 0.03f);
  const test::Buffer levels = make_buffer(wanted), out = make_buffer(wanted.size() * 4);
  struct Case {
    cl_image_format format;
    float scale, tolerance;
  };
  for (const Case& c : {Case{kFormat, 1.0f, 0.02f}, Case{{CL_RGBA, CL_SNORM_INT16}, 0.125f, 0.001f}}) {
    const cl_image_desc desc = mipmap_desc(CL_MEM_OBJECT_IMAGE2D);
    const test::Image image = make_image(c.format, desc);
    for (cl_uint level = 0; level < kLevels; ++level) {
      const float color[4] = {c.scale * static_cast<float>(level), 0, 0, 1};
      const size_t origin[3] = {0, 0, level};
      CL_OK(clEnqueueFillImage(queue, image, color, origin, level_region(desc, level).data(), 0, nullptr,
                               nullptr));
    }
    for (const char* name : {"levels", "gradients"}) {
      const test::Kernel kernel = make_kernel(program, name);
      for (const cl_filter_mode filter : {CL_FILTER_NEAREST, CL_FILTER_LINEAR}) {
        for (const auto& [least, most] : {std::pair{0.0f, 1000.0f}, std::pair{1.0f, 2.5f}}) {
          const test::Sampler with = sampler(filter, least, most);
          set_arguments(kernel, image.get(), with.get(), levels, out);
          run(kernel, {wanted.size(), 1, 1});
          const auto found = contents<float>(out, wanted.size());
          for (size_t i = 0; i < wanted.size(); ++i) {
            const float level =
                std::min(std::max(std::min(std::max(wanted[i], least), most), 0.0f), kLevels - 1.0f);
            if (filter == CL_FILTER_LINEAR)
              EXPECT_NEAR(level, found[i] / c.scale, c.tolerance) << name << " " << wanted[i];
            else if (std::fabs(level - std::floor(level) - 0.5f) > 0.02f)
              EXPECT_NEAR(std::round(level), found[i] / c.scale, 1e-3f) << name << " " << wanted[i];
          }
        }
      }
    }
  }
}

// A format, of which the test reads the first channel.
struct FilteredFormat {
  cl_image_format format;
  size_t bytes;
  double tolerance;
  double (*value)(const std::uint8_t* texel);
};
// Texture units have weights of eight bits. They also decode sRGB, where an error of half a step of eight bits is allowed.
const FilteredFormat kFilteredFormats[] = {
    {{CL_R, CL_UNORM_INT8}, 1, 0.02, [](const std::uint8_t* at) { return *at / 255.0; }},
    {{CL_R, CL_SNORM_INT8},
     1,
     2e-5,
     [](const std::uint8_t* at) { return std::max(static_cast<std::int8_t>(*at) / 127.0, -1.0); }},
    {{CL_sRGBA, CL_UNORM_INT8},
     4,
     0.005,
     [](const std::uint8_t* at) { return test::linear_of_srgb(*at / 255.0); }},
    {{CL_RGB, CL_UNORM_SHORT_565}, 2, 2e-5, [](const std::uint8_t* at) { return (at[1] >> 3) / 31.0; }},
};

// Linear filtering within levels and between levels.
TEST_F(Mipmaps, EveryKindIsFiltered) {
  constexpr cl_uint kMost = 3;
  constexpr int kReads = 1000;
  for (const test::FilteredKind& kind : test::kFilteredKinds) {
    cl_image_desc desc = test::image_desc(kind.type, 9, kind.type == CL_MEM_OBJECT_IMAGE1D ? 0 : 7, 5);
    desc.num_mip_levels = kMost;
    const test::Program program = build(test::sampling_source(kind, ", at.w"));
    const test::Kernel kernel = make_kernel(program, "sample");
    for (const FilteredFormat& format : kFilteredFormats) {
      SCOPED_TRACE(std::string(kind.name) + ", type " +
                   std::to_string(format.format.image_channel_data_type - CL_SNORM_INT8));
      const test::Image image = make_image(format.format, desc);
      std::vector<float> texels[kMost];
      for (cl_uint level = 0; level < kMost; ++level) {
        const Size3 region = level_region(desc, level);
        const auto bytes =
            test::random_values<std::uint8_t>(region[0] * region[1] * region[2] * format.bytes);
        for (size_t i = 0; i < bytes.size(); i += format.bytes)
          texels[level].push_back(static_cast<float>(format.value(&bytes[i])));
        size_t origin[4] = {};
        origin[dimensions_of(kind.type)] = level;
        CL_OK(clEnqueueWriteImage(queue, image, CL_TRUE, origin, region.data(), 0, 0, bytes.data(), 0,
                                  nullptr, nullptr));
      }
      std::vector<float> places = test::random_places(kind, test::region_of(desc), kReads, true);
      const std::vector<float> wanted = test::random_places(kReads, -0.5f, kMost);
      for (int i = 0; i < kReads; ++i) places[4 * i + 3] = wanted[i];
      const test::Buffer at = make_buffer(places), colors = make_buffer(kReads * sizeof(float));
      for (const cl_filter_mode between : {CL_FILTER_NEAREST, CL_FILTER_LINEAR}) {
        const test::Sampler with = sampler(between, 0, 1000, CL_FILTER_LINEAR);
        set_arguments(kernel, image.get(), with.get(), at, colors);
        run(kernel, {kReads, 1, 1});
        const auto found = contents<float>(colors, kReads);
        for (int i = 0; i < kReads; ++i) {
          const auto at_level = [&](cl_uint level) {
            const Size3 size = level_region(desc, level);
            double texel[3];
            for (int axis = 0; axis < 3; ++axis)
              texel[axis] = axis < kind.filtered
                                ? double{places[4 * i + axis]} * static_cast<double>(size[axis])
                                : places[4 * i + axis];
            return test::filtered(texels[level], size, kind, CL_ADDRESS_CLAMP_TO_EDGE, texel);
          };
          const double level = std::min(std::max(double{wanted[i]}, 0.0), kMost - 1.0);
          const auto first = static_cast<cl_uint>(level);
          const double fraction = level - first;
          const cl_uint second = std::min(first + 1, kMost - 1);
          if (between == CL_FILTER_LINEAR)
            ASSERT_NEAR((1 - fraction) * at_level(first) + fraction * at_level(second), found[i],
                        format.tolerance)
                << "read " << i << " at level " << level;
          else if (std::fabs(fraction - 0.5) > 0.02)
            ASSERT_NEAR(at_level(fraction < 0.5 ? first : second), found[i], format.tolerance)
                << "read " << i << " at level " << level;
        }
      }
    }
  }
}

// get_image_num_mip_levels (OpenCL C 6.15.15.5), also of an image that is no mipmap.
TEST_F(Mipmaps, LevelsAreCounted) {
  for (const Kind& kind : kKinds) {
    SCOPED_TRACE(kind.name);
    const test::Program program =
        build(std::string("kernel void count(read_only ") + kind.name +
              " image, global int* out) { *out = get_image_num_mip_levels(image); }");
    const test::Kernel count = make_kernel(program, "count");
    const test::Buffer out = make_buffer(sizeof(cl_int));
    for (const cl_uint levels : {0u, 1u, kLevels}) {
      cl_image_desc desc = mipmap_desc(kind.type);
      desc.num_mip_levels = levels;
      const test::Image image = make_image(kFormat, desc);
      set_arguments(count, image.get(), out);
      run(count, {1, 1, 1});
      EXPECT_EQ(contents<cl_int>(out, 1).front(), static_cast<cl_int>(std::max(levels, 1u)));
    }
  }
}

TEST_F(Mipmaps, Errors) {
  cl_image_desc desc = mipmap_desc(CL_MEM_OBJECT_IMAGE2D);
  std::vector<float> host(37 * 22 * 4);
  make_image(kFormat, desc, CL_MEM_COPY_HOST_PTR, host.data(), CL_INVALID_IMAGE_DESCRIPTOR);
  make_image({CL_DEPTH, CL_FLOAT}, desc, 0, nullptr, CL_INVALID_IMAGE_DESCRIPTOR);
  desc.num_mip_levels = 7;
  make_image(kFormat, desc, 0, nullptr, CL_INVALID_IMAGE_DESCRIPTOR);
  desc.num_mip_levels = 6;
  make_image(kFormat, desc);
}

}  // namespace
