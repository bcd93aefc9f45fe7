// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "texels.h"
#include "wait_list.h"

// What tests of images share.
namespace test {

using Image = Owned<cl_mem, clReleaseMemObject>;
using Sampler = Owned<cl_sampler, clReleaseSampler>;
using Size3 = std::array<size_t, 3>;

cl_image_desc image_desc(cl_mem_object_type type, size_t width, size_t height = 0,
                         size_t depth_or_layers = 0);

// Width, height and depth in a command's order; the number of layers is the last one.
Size3 region_of(const cl_image_desc& desc);

// The types of images that can be sampled, as declared in a kernel.
struct Kind {
  cl_mem_object_type type;
  const char *name, *place;  // the coordinates for a work-item
};
inline constexpr Kind kImageKinds[] = {
    {CL_MEM_OBJECT_IMAGE1D, "image1d_t", "(int)get_global_id(0)"},
    {CL_MEM_OBJECT_IMAGE1D_ARRAY, "image1d_array_t", "(int2)(get_global_id(0), get_global_id(1))"},
    {CL_MEM_OBJECT_IMAGE2D, "image2d_t", "(int2)(get_global_id(0), get_global_id(1))"},
    {CL_MEM_OBJECT_IMAGE2D_ARRAY, "image2d_array_t",
     "(int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0)"},
    {CL_MEM_OBJECT_IMAGE3D, "image3d_t", "(int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0)"},
};

class ImageTest : public WaitListTest {
 protected:
  static constexpr size_t kNowhere[3] = {0, 0, 0};

  void SetUp() override;

  Image make_image(const cl_image_format& format, const cl_image_desc& desc, cl_mem_flags flags = 0,
                   void* host = nullptr, cl_int expected = CL_SUCCESS) const;
  std::vector<cl_image_format> formats(cl_mem_flags flags, cl_mem_object_type type) const;
  Sampler make_sampler(bool normalized, cl_addressing_mode addressing, cl_filter_mode filter) const;
  template <class T>
  void write(cl_mem image, const Size3& region, const std::vector<T>& texels) const {
    CL_EXPECT(CL_SUCCESS, clEnqueueWriteImage(queue, image, CL_TRUE, kNowhere, region.data(), 0, 0,
                                              texels.data(), 0, nullptr, nullptr));
  }
  template <class T>
  std::vector<T> read(cl_mem image, const Size3& region, size_t channels) const {
    std::vector<T> texels(region[0] * region[1] * region[2] * channels);
    CL_EXPECT(CL_SUCCESS, clEnqueueReadImage(queue, image, CL_TRUE, kNowhere, region.data(), 0, 0,
                                             texels.data(), 0, nullptr, nullptr));
    return texels;
  }
  void run(cl_kernel kernel, const Size3& global) const;
};

}  // namespace test
