// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "support/images.h"

// A model of images and buffers on the host: their contents in the order of the calls.
namespace random_images {

using test::Size3;
using Bytes = std::vector<std::uint8_t>;

// Bytes that several objects may share, and the commands in flight that access them.
struct Memory {
  Bytes bytes;
  std::vector<test::Event> readers;
  test::Event writer;
  int mapped = 0, written_by_maps = 0;
};

// The layout of rows: the distance of texels along each axis of a region, in bytes.
struct Layout {
  size_t base = 0, row = 0, slice = 0;

  size_t at(size_t y, size_t z) const { return base + y * row + z * slice; }
};

struct Region {
  Size3 origin{}, size{1, 1, 1};
  cl_uint level = 0;

  size_t texels() const { return size[0] * size[1] * size[2]; }
  std::string text() const;
};
bool overlap(const Region& a, const Region& b);

struct Buffer {
  test::Buffer handle;
  std::shared_ptr<Memory> memory;
  size_t base = 0, size = 0;
  std::uint8_t* host = nullptr;  // with CL_MEM_USE_HOST_PTR
  cl_mem_flags flags = 0;
};

struct Picture {
  test::Image handle;
  cl_image_format format{};
  cl_mem_object_type type = 0;
  Size3 size{1, 1, 1};
  cl_uint levels = 0;  // of a mipmap
  std::shared_ptr<Memory> memory;
  std::vector<Layout> layouts;  // of each level
  cl_mem_flags flags = 0;
  cl_mem in_buffer = nullptr;
  std::uint8_t* host = nullptr;  // with CL_MEM_USE_HOST_PTR
  Layout host_layout;

  size_t texel() const { return test::texel_size(format); }
  bool is_array() const { return type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY; }
  bool has_slices() const { return is_array() || type == CL_MEM_OBJECT_IMAGE3D; }
  unsigned dimensions() const;
  Size3 level_size(cl_uint level) const;
  std::string text() const;

  // An origin as a parameter of commands: the mip level follows the image's dimensions.
  std::array<size_t, 4> origin_of(const Region& region) const;
  // From row and slice pitch as in the API; a layer of a 1D array is a slice of one row.
  Layout layout_of(size_t row_pitch, size_t slice_pitch, size_t base = 0) const;
  // Calls row(offset in the memory, bytes of a row, y, z) for each row of a region.
  template <class Row>
  void for_each_row(const Region& region, Row row) const {
    const Layout& layout = layouts[region.level];
    for (size_t z = 0; z < region.size[2]; ++z)
      for (size_t y = 0; y < region.size[1]; ++y)
        row(layout.at(region.origin[1] + y, region.origin[2] + z) + region.origin[0] * texel(),
            region.size[0] * texel(), y, z);
  }
  // A region's bytes without padding, and the inverse.
  Bytes packed(const Region& region) const;
  void unpack(const Region& region, const std::uint8_t* bytes) const;
};

inline bool same(const cl_image_format& a, const cl_image_format& b) {
  return a.image_channel_order == b.image_channel_order &&
         a.image_channel_data_type == b.image_channel_data_type;
}

// Whether two regions share bytes.
bool share_bytes(const Picture& a, const Region& of_a, const Picture& b, const Region& of_b);
bool share_bytes(const Picture& a, const Region& of_a, const Buffer& b, size_t begin, size_t size);

// The canonical encoding of a texel, which a fill with its colour writes.
void make_canonical(const cl_image_format& format, std::uint8_t* texel);
// A texel with finite values.
Bytes random_texel(const cl_image_format& format);

}  // namespace random_images
