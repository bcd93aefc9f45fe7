// SPDX-License-Identifier: Apache-2.0
// cl_khr_mipmap_image and cl_khr_mipmap_image_writes: levels read, written and filtered.
#include <CL/cl_ext.h>

#include <cmath>
#include <cstring>

#include "images.h"

namespace {

using test::Size3;

constexpr cl_image_format kFormat = {CL_RGBA, CL_FLOAT};
constexpr cl_uint kLevels = 5;

class Mipmaps : public test::ImageTest {
 protected:
  void SetUp() override {
    ImageTest::SetUp();
    std::vector<char> names(1 << 16);
    clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, names.size(), names.data(), nullptr);
    if (!std::strstr(names.data(), "cl_khr_mipmap_image")) GTEST_SKIP() << "no mipmaps";
  }
  test::Sampler sampler(cl_filter_mode mip_filter, float least, float most) const {
    cl_sampler_properties least_bits = 0, most_bits = 0;
    std::memcpy(&least_bits, &least, sizeof least);
    std::memcpy(&most_bits, &most, sizeof most);
    const cl_sampler_properties list[] = {CL_SAMPLER_NORMALIZED_COORDS,
                                          CL_TRUE,
                                          CL_SAMPLER_ADDRESSING_MODE,
                                          CL_ADDRESS_CLAMP_TO_EDGE,
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

// Each level by itself, through the host and through kernels.
TEST_F(Mipmaps, LevelsAreImages) {
  struct Kind {
    cl_mem_object_type type;
    const char *name, *at, *place;
  };
  for (const Kind& kind :
       {Kind{CL_MEM_OBJECT_IMAGE1D, "image1d_t", "(int)x", "(x + 0.5f) / w"},
        Kind{CL_MEM_OBJECT_IMAGE1D_ARRAY, "image1d_array_t", "(int2)(x, y)", "(float2)((x + 0.5f) / w, y)"},
        Kind{CL_MEM_OBJECT_IMAGE2D, "image2d_t", "(int2)(x, y)", "(float2)((x + 0.5f) / w, (y + 0.5f) / h)"},
        Kind{CL_MEM_OBJECT_IMAGE2D_ARRAY, "image2d_array_t", "(int4)(x, y, z, 0)",
             "(float4)((x + 0.5f) / w, (y + 0.5f) / h, z, 0)"},
        Kind{CL_MEM_OBJECT_IMAGE3D, "image3d_t", "(int4)(x, y, z, 0)",
             "(float4)((x + 0.5f) / w, (y + 0.5f) / h, (z + 0.5f) / d, 0)"}}) {
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
        " write_imagef(image, " + kind.at + ", level, in[i]); }");
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
    size_t beyond[4] = {};
    beyond[dimensions_of(kind.type)] = kLevels;
    const Size3 region = level_region(desc, kLevels - 1);
    CL_EXPECT(CL_INVALID_MIP_LEVEL, clEnqueueFillImage(queue, image, "0123456789abcdef", beyond,
                                                       region.data(), 0, nullptr, nullptr));
  }
}

// Level n is filled with n: what is read is the level of detail that was chosen.
TEST_F(Mipmaps, ChoosesAndFiltersLevels) {
  const cl_image_desc desc = mipmap_desc(CL_MEM_OBJECT_IMAGE2D);
  const test::Image image = make_image(kFormat, desc);
  for (cl_uint level = 0; level < kLevels; ++level) {
    const float color[4] = {static_cast<float>(level), 0, 0, 1};
    const size_t origin[3] = {0, 0, level};
    CL_OK(clEnqueueFillImage(queue, image, color, origin, level_region(desc, level).data(), 0, nullptr,
                             nullptr));
  }
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
            EXPECT_NEAR(level, found[i], 0.02) << name << " " << wanted[i];
          else if (std::fabs(level - std::floor(level) - 0.5f) > 0.02f)
            EXPECT_EQ(std::round(level), found[i]) << name << " " << wanted[i];
        }
      }
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
