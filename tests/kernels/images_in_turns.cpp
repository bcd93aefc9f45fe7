// SPDX-License-Identifier: Apache-2.0
// Reads and writes of one image in a kernel (OpenCL C 6.15.15.7): after a fence a work-item reads what it has written, after a barrier what
// its work-group has written, even if caches contain the old texel from an earlier read.
#include <string>

#include "support/images.h"

namespace {

using test::Size3;

struct TurnsKind {
  cl_mem_object_type type;
  const char *name, *place;
};
constexpr TurnsKind kKinds[] = {
    {CL_MEM_OBJECT_IMAGE1D, "image1d_t", "x"},
    {CL_MEM_OBJECT_IMAGE1D_BUFFER, "image1d_buffer_t", "x"},
    {CL_MEM_OBJECT_IMAGE1D_ARRAY, "image1d_array_t", "(int2)(x, y)"},
    {CL_MEM_OBJECT_IMAGE2D, "image2d_t", "(int2)(x, y)"},
    {CL_MEM_OBJECT_IMAGE2D_ARRAY, "image2d_array_t", "(int4)(x, y, z, 0)"},
    {CL_MEM_OBJECT_IMAGE3D, "image3d_t", "(int4)(x, y, z, 0)"},
};
constexpr cl_image_format kFormats[] = {{CL_R, CL_UNSIGNED_INT8},
                                        {CL_RG, CL_UNSIGNED_INT8},
                                        {CL_R, CL_UNSIGNED_INT32},
                                        {CL_RGBA, CL_UNSIGNED_INT16},
                                        {CL_RGBA, CL_UNSIGNED_INT32}};

std::string source(const TurnsKind& kind) {
  return std::string("#define PLACE(x, y, z) ") + kind.place + "\n" + R"(
uint value(int x, int y, int z, uint round) { return ((x * 31 + y * 7 + z) * 17 + round * 13) & 0xff; }
kernel void turns(read_write )" +
         kind.name + R"( image, global uint* wrong) {
  const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  const int column = get_local_id(0), row = get_local_id(1), columns = get_local_size(0), rows = get_local_size(1);
  uint own = 0, others = 0;
  for (uint round = 0; round < 40; ++round) {
    write_imageui(image, PLACE(x, y, z), (uint4)value(x, y, z, round));
    atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);
    own += read_imageui(image, PLACE(x, y, z)).x != value(x, y, z, round);
    work_group_barrier(CLK_IMAGE_MEM_FENCE);
    const int there = x - column + (column + 1 + round) % columns, below = y - row + (row + round) % rows;
    others += read_imageui(image, PLACE(there, below, z)).x != value(there, below, z, round);
    work_group_barrier(CLK_IMAGE_MEM_FENCE);
  }
  wrong[(z * get_global_size(1) + y) * get_global_size(0) + x] = own + 1000 * others;
})";
}

class ImagesInTurns : public test::ImageTest {};

TEST_F(ImagesInTurns, WritesAreSeenBehindFencesAndBarriers) {
  for (const TurnsKind& kind : kKinds) {
    const test::Program program = build(source(kind));
    const test::Kernel kernel = make_kernel(program, "turns");
    for (const cl_image_format& format : kFormats) {
      SCOPED_TRACE(std::string(kind.name) + ", order " + std::to_string(format.image_channel_order) +
                   ", type " + std::to_string(format.image_channel_data_type));
      const bool lines = kind.type == CL_MEM_OBJECT_IMAGE1D || kind.type == CL_MEM_OBJECT_IMAGE1D_BUFFER;
      const bool flat =
          lines || kind.type == CL_MEM_OBJECT_IMAGE2D || kind.type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
      cl_image_desc desc = test::image_desc(kind.type, 128, lines ? 0 : 8, flat ? 0 : 3);
      if (kind.type == CL_MEM_OBJECT_IMAGE1D_ARRAY) desc = test::image_desc(kind.type, 128, 0, 8);
      const test::Buffer texels = make_buffer(128 * 16);
      if (kind.type == CL_MEM_OBJECT_IMAGE1D_BUFFER) desc.buffer = texels;
      const test::Image image = make_image(format, desc);
      const Size3 region = test::region_of(desc), group{64, region[1] > 1 ? 4u : 1u, 1};
      const size_t count = region[0] * region[1] * region[2];
      const test::Buffer wrong = make_buffer(std::vector<cl_uint>(count, 1));
      set_arguments(kernel, image.get(), wrong);
      CL_EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(queue, kernel, 3, nullptr, region.data(), group.data(), 0,
                                                   nullptr, nullptr));
      EXPECT_EQ(contents<cl_uint>(wrong, count), std::vector<cl_uint>(count));
    }
  }
}

}  // namespace
