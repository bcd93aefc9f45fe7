// SPDX-License-Identifier: Apache-2.0
// Valid and invalid origins and regions (sections 5.3.3 to 5.3.6): for each image type, each axis and each command with a region.
#include <functional>

#include "support/images.h"

namespace {

using test::Size3;

class ImageRegions : public test::ImageTest {
 protected:
  static constexpr cl_image_format kFormat = {CL_RGBA, CL_UNSIGNED_INT8};

  // An image of 12 x 9 x 6, or the part of these sizes that its type has; in a buffer if the type requires it.
  struct Target {
    test::Buffer buffer;
    test::Image image;
    Size3 size;
  };
  Target make_target(cl_mem_object_type type) const {
    Target target{make_buffer(4096), {}, {}};
    const bool line = type == CL_MEM_OBJECT_IMAGE1D || type == CL_MEM_OBJECT_IMAGE1D_BUFFER ||
                      type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    cl_image_desc desc = test::image_desc(type, 12, line ? 0 : 9, 6);
    if (type == CL_MEM_OBJECT_IMAGE1D_BUFFER) desc.mem_object = target.buffer;
    target.size = test::region_of(desc);
    target.image = make_image(kFormat, desc);
    return target;
  }

  using Command = std::function<cl_int(cl_mem, const Size3& origin, const Size3& region)>;
  struct Named {
    const char* name;
    Command run;
  };
  std::vector<Named> commands(cl_mem buffer, cl_mem other, std::vector<std::uint8_t>& host) const {
    return {{"read",
             [&](cl_mem image, const Size3& origin, const Size3& region) {
               return clEnqueueReadImage(queue, image, CL_TRUE, origin.data(), region.data(), 0, 0,
                                         host.data(), 0, nullptr, nullptr);
             }},
            {"write",
             [&](cl_mem image, const Size3& origin, const Size3& region) {
               return clEnqueueWriteImage(queue, image, CL_TRUE, origin.data(), region.data(), 0, 0,
                                          host.data(), 0, nullptr, nullptr);
             }},
            {"fill",
             [&](cl_mem image, const Size3& origin, const Size3& region) {
               return clEnqueueFillImage(queue, image, host.data(), origin.data(), region.data(), 0, nullptr,
                                         nullptr);
             }},
            {"copy from",
             [this, other](cl_mem image, const Size3& origin, const Size3& region) {
               return clEnqueueCopyImage(queue, image, other, origin.data(), kNowhere, region.data(), 0,
                                         nullptr, nullptr);
             }},
            {"copy to",
             [this, other](cl_mem image, const Size3& origin, const Size3& region) {
               return clEnqueueCopyImage(queue, other, image, kNowhere, origin.data(), region.data(), 0,
                                         nullptr, nullptr);
             }},
            {"copy to a buffer",
             [this, buffer](cl_mem image, const Size3& origin, const Size3& region) {
               return clEnqueueCopyImageToBuffer(queue, image, buffer, origin.data(), region.data(), 0, 0,
                                                 nullptr, nullptr);
             }},
            {"copy from a buffer",
             [this, buffer](cl_mem image, const Size3& origin, const Size3& region) {
               return clEnqueueCopyBufferToImage(queue, buffer, image, 0, origin.data(), region.data(), 0,
                                                 nullptr, nullptr);
             }},
            {"map", [this](cl_mem image, const Size3& origin, const Size3& region) {
               cl_int error = 1;
               size_t row = 0, slice = 0;
               void* mapped = clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_READ, origin.data(),
                                                region.data(), &row, &slice, 0, nullptr, nullptr, &error);
               EXPECT_EQ(mapped != nullptr, error == CL_SUCCESS);
               if (mapped)
                 CL_EXPECT(CL_SUCCESS, clEnqueueUnmapMemObject(queue, image, mapped, 0, nullptr, nullptr));
               return error;
             }}};
  }
};

TEST_F(ImageRegions, LieInTheImage) {
  std::vector<std::uint8_t> host(12 * 9 * 6 * 4);
  const test::Buffer buffer = make_buffer(host.size());
  // At least as large as all others in each dimension.
  const test::Image other = make_image(kFormat, test::image_desc(CL_MEM_OBJECT_IMAGE3D, 16, 16, 16));
  for (const cl_mem_object_type type :
       {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_MEM_OBJECT_IMAGE1D_ARRAY,
        CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D}) {
    const Target target = make_target(type);
    for (const Named& command : commands(buffer, other, host)) {
      SCOPED_TRACE(std::string(command.name) + ", type " + std::to_string(type));
      CL_EXPECT(CL_SUCCESS, command.run(target.image, {}, target.size));
      for (unsigned axis = 0; axis < 3; ++axis) {
        SCOPED_TRACE("axis " + std::to_string(axis));
        Size3 origin{}, region{1, 1, 1};
        // The last valid origin of the axis; 0 for an axis that the image type lacks.
        origin[axis] = target.size[axis] - 1;
        CL_EXPECT(CL_SUCCESS, command.run(target.image, origin, region));
        origin[axis] = target.size[axis];
        CL_EXPECT(CL_INVALID_VALUE, command.run(target.image, origin, region));
        origin[axis] = ~size_t{0};
        CL_EXPECT(CL_INVALID_VALUE, command.run(target.image, origin, region));
        origin[axis] = 0;
        region[axis] = target.size[axis] + 1;
        CL_EXPECT(CL_INVALID_VALUE, command.run(target.image, origin, region));
        region[axis] = ~size_t{0};
        CL_EXPECT(CL_INVALID_VALUE, command.run(target.image, origin, region));
        region[axis] = 0;
        CL_EXPECT(CL_INVALID_VALUE, command.run(target.image, origin, region));
      }
    }
  }
}

// Section 5.3.3: host access flags apply to images of each type.
TEST_F(ImageRegions, HostFlagsBoundCommandsOfTheHost) {
  std::vector<std::uint8_t> host(12 * 9 * 6 * 4);
  struct Case {
    cl_mem_flags flags;
    cl_int read, write;
  };
  for (const cl_mem_object_type type :
       {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE2D,
        CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D})
    for (const Case& c : {Case{CL_MEM_HOST_READ_ONLY, CL_SUCCESS, CL_INVALID_OPERATION},
                          Case{CL_MEM_HOST_WRITE_ONLY, CL_INVALID_OPERATION, CL_SUCCESS},
                          Case{CL_MEM_HOST_NO_ACCESS, CL_INVALID_OPERATION, CL_INVALID_OPERATION}}) {
      SCOPED_TRACE("type " + std::to_string(type) + ", flags " + std::to_string(c.flags));
      const bool line = type == CL_MEM_OBJECT_IMAGE1D || type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
      const test::Image image = make_image(kFormat, test::image_desc(type, 12, line ? 0 : 9, 6), c.flags);
      const size_t one[3] = {1, 1, 1};
      CL_EXPECT(c.read, clEnqueueReadImage(queue, image, CL_TRUE, kNowhere, one, 0, 0, host.data(), 0,
                                           nullptr, nullptr));
      CL_EXPECT(c.write, clEnqueueWriteImage(queue, image, CL_TRUE, kNowhere, one, 0, 0, host.data(), 0,
                                             nullptr, nullptr));
      for (const cl_map_flags way : {CL_MAP_READ, CL_MAP_WRITE, CL_MAP_WRITE_INVALIDATE_REGION}) {
        size_t row = 0, slice = 0;
        cl_int error = 1;
        void* mapped = clEnqueueMapImage(queue, image, CL_TRUE, way, kNowhere, one, &row, &slice, 0, nullptr,
                                         nullptr, &error);
        CL_EXPECT(way == CL_MAP_READ ? c.read : c.write, error);
        if (mapped) CL_OK(clEnqueueUnmapMemObject(queue, image, mapped, 0, nullptr, nullptr));
      }
      // Host access flags do not restrict commands on the device.
      CL_EXPECT(CL_SUCCESS,
                clEnqueueFillImage(queue, image, host.data(), kNowhere, one, 0, nullptr, nullptr));
    }
}

}  // namespace
