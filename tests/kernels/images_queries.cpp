// SPDX-License-Identifier: Apache-2.0
// get_image_* (OpenCL C 6.15.15.5) for each image type and access qualifier.
#include <string>

#include "support/images.h"

namespace {

using ImageQueries = test::ImageTest;

struct Queried {
  cl_mem_object_type type;
  const char* name;
  cl_image_format format;
  std::string sizes;  // int8 of width, height, depth, layers, and get_image_dim
  std::vector<cl_int> expected;
};
const std::string kWidth = "get_image_width(i)", kHeight = "get_image_height(i)",
                  kLayers = "(int)get_image_array_size(i)", kPair = "get_image_dim(i), 0";

std::vector<Queried> queried() {
  constexpr cl_image_format kColor = {CL_BGRA, CL_UNORM_INT8}, kNumber = {CL_RG, CL_SIGNED_INT16},
                            kDepth = {CL_DEPTH, CL_FLOAT}, kPacked = {CL_RGB, CL_UNORM_SHORT_565};
  return {
      {CL_MEM_OBJECT_IMAGE1D, "image1d_t", kColor, kWidth + ", 0, 0, 0, 0, 0, 0", {37, 0, 0, 0, 0, 0, 0}},
      {CL_MEM_OBJECT_IMAGE1D_BUFFER,
       "image1d_buffer_t",
       kNumber,
       kWidth + ", 0, 0, 0, 0, 0, 0",
       {37, 0, 0, 0, 0, 0, 0}},
      {CL_MEM_OBJECT_IMAGE1D_ARRAY,
       "image1d_array_t",
       kPacked,
       kWidth + ", 0, 0, " + kLayers + ", 0, 0, 0",
       {37, 0, 0, 5, 0, 0, 0}},
      {CL_MEM_OBJECT_IMAGE2D,
       "image2d_t",
       kNumber,
       kWidth + ", " + kHeight + ", 0, 0, " + kPair,
       {37, 21, 0, 0, 37, 21, 0}},
      {CL_MEM_OBJECT_IMAGE2D,
       "image2d_depth_t",
       kDepth,
       kWidth + ", " + kHeight + ", 0, 0, " + kPair,
       {37, 21, 0, 0, 37, 21, 0}},
      {CL_MEM_OBJECT_IMAGE2D_ARRAY,
       "image2d_array_t",
       kColor,
       kWidth + ", " + kHeight + ", 0, " + kLayers + ", " + kPair,
       {37, 21, 0, 5, 37, 21, 0}},
      {CL_MEM_OBJECT_IMAGE2D_ARRAY,
       "image2d_array_depth_t",
       kDepth,
       kWidth + ", " + kHeight + ", 0, " + kLayers + ", " + kPair,
       {37, 21, 0, 5, 37, 21, 0}},
      {CL_MEM_OBJECT_IMAGE3D,
       "image3d_t",
       kPacked,
       kWidth + ", " + kHeight + ", get_image_depth(i), 0, get_image_dim(i).xyz",
       {37, 21, 5, 0, 37, 21, 5}},
  };
}

TEST_F(ImageQueries, SizesAndFormat) {
  for (const Queried& q : queried()) {
    const bool rows = q.type != CL_MEM_OBJECT_IMAGE1D && q.type != CL_MEM_OBJECT_IMAGE1D_ARRAY &&
                      q.type != CL_MEM_OBJECT_IMAGE1D_BUFFER;
    const bool deep = q.type == CL_MEM_OBJECT_IMAGE3D || q.type == CL_MEM_OBJECT_IMAGE1D_ARRAY ||
                      q.type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
    cl_image_desc desc = test::image_desc(q.type, 37, rows ? 21 : 0, deep ? 5 : 0);
    const test::Buffer line = make_buffer(37 * 4), out = make_buffer(9 * sizeof(cl_int));
    if (q.type == CL_MEM_OBJECT_IMAGE1D_BUFFER) desc.mem_object = line;
    const test::Image image = make_image(q.format, desc);
    std::vector<cl_int> expected = q.expected;
    expected.push_back(static_cast<cl_int>(q.format.image_channel_data_type));
    expected.push_back(static_cast<cl_int>(q.format.image_channel_order));
    for (const std::string access : {"read_only", "write_only", "read_write"}) {
      SCOPED_TRACE(access + " " + q.name);
      const test::Program program = build(
          "kernel void ask(" + access + " " + q.name + " i, global int* out) {" + "  vstore8((int8)(" +
          q.sizes + ", get_image_channel_data_type(i)), 0, out);" + "  out[8] = get_image_channel_order(i);" +
          "  if (CLK_BGRA != 0x10B6 || CLK_UNORM_INT8 != 0x10D2) out[8] = -1; }");
      const test::Kernel kernel = make_kernel(program, "ask");
      set_arguments(kernel, image.get(), out);
      run(kernel, {1, 1, 1});
      EXPECT_EQ(contents<cl_int>(out, 9), expected);
    }
  }
}

}  // namespace
