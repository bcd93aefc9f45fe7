// SPDX-License-Identifier: Apache-2.0
#include "model.h"

#include <algorithm>

namespace random_images {
namespace {

std::string text_of(const Size3& size) {
  return std::to_string(size[0]) + "x" + std::to_string(size[1]) + "x" + std::to_string(size[2]);
}

template <class T>
T load(const std::uint8_t* at) {
  T value{};
  std::memcpy(&value, at, sizeof value);
  return value;
}

}  // namespace

std::string Region::text() const {
  return text_of(size) + " at " + text_of(origin) + (level ? " of level " + std::to_string(level) : "");
}

bool overlap(const Region& a, const Region& b) {
  for (unsigned d = 0; d < 3; ++d)
    if (a.origin[d] >= b.origin[d] + b.size[d] || b.origin[d] >= a.origin[d] + a.size[d]) return false;
  return a.level == b.level;
}

unsigned Picture::dimensions() const {
  switch (type) {
    case CL_MEM_OBJECT_IMAGE1D:
    case CL_MEM_OBJECT_IMAGE1D_BUFFER:
      return 1;
    case CL_MEM_OBJECT_IMAGE1D_ARRAY:
    case CL_MEM_OBJECT_IMAGE2D:
      return 2;
    default:
      return 3;
  }
}

Size3 Picture::level_size(cl_uint level) const {
  Size3 smaller = size;
  for (unsigned d = 0; d < 3; ++d)
    if (!is_array() || d + 1 != dimensions()) smaller[d] = std::max<size_t>(size[d] >> level, 1);
  return smaller;
}

std::string Picture::text() const {
  return "type " + std::to_string(type - CL_MEM_OBJECT_BUFFER) + " order " +
         std::to_string(format.image_channel_order - CL_R) + " of " +
         std::to_string(format.image_channel_data_type - CL_SNORM_INT8) + " " + text_of(size) + " levels " +
         std::to_string(levels) + " flags " + std::to_string(flags) + (in_buffer ? " in a buffer" : "");
}

std::array<size_t, 4> Picture::origin_of(const Region& region) const {
  std::array<size_t, 4> origin{region.origin[0], region.origin[1], region.origin[2], 0};
  if (levels > 1) origin[dimensions()] = region.level;
  return origin;
}

Layout Picture::layout_of(size_t row_pitch, size_t slice_pitch, size_t base) const {
  if (type == CL_MEM_OBJECT_IMAGE1D_ARRAY) return {base, slice_pitch, slice_pitch};
  return {base, row_pitch, slice_pitch};
}

Bytes Picture::packed(const Region& region) const {
  Bytes bytes;
  for_each_row(region, [&](size_t at, size_t count, size_t, size_t) {
    const auto row = memory->bytes.begin() + static_cast<std::ptrdiff_t>(at);
    bytes.insert(bytes.end(), row, row + static_cast<std::ptrdiff_t>(count));
  });
  return bytes;
}

void Picture::unpack(const Region& region, const std::uint8_t* bytes) const {
  for_each_row(region, [&](size_t at, size_t count, size_t, size_t) {
    std::copy_n(bytes, count, memory->bytes.begin() + static_cast<std::ptrdiff_t>(at));
    bytes += count;
  });
}

bool share_bytes(const Picture& a, const Region& of_a, const Picture& b, const Region& of_b) {
  if (a.memory != b.memory) return false;
  std::vector<bool> taken(a.memory->bytes.size());
  a.for_each_row(of_a, [&](size_t at, size_t count, size_t, size_t) {
    std::fill_n(taken.begin() + static_cast<std::ptrdiff_t>(at), count, true);
  });
  bool shared = false;
  b.for_each_row(of_b, [&](size_t at, size_t count, size_t, size_t) {
    const auto row = taken.begin() + static_cast<std::ptrdiff_t>(at);
    shared |= std::find(row, row + static_cast<std::ptrdiff_t>(count), true) !=
              row + static_cast<std::ptrdiff_t>(count);
  });
  return shared;
}

bool share_bytes(const Picture& a, const Region& of_a, const Buffer& b, size_t begin, size_t size) {
  if (a.memory != b.memory) return false;
  bool shared = false;
  a.for_each_row(of_a, [&](size_t at, size_t count, size_t, size_t) {
    shared |= at < b.base + begin + size && b.base + begin < at + count;
  });
  return shared;
}

void make_canonical(const cl_image_format& format, std::uint8_t* texel) {
  if (const test::Packed* packed = test::packed_format(format)) {
    cl_uint number = 0;
    std::memcpy(&number, texel, packed->bytes);
    number = test::defined(*packed, number);
    std::memcpy(texel, &number, packed->bytes);
    return;
  }
  // -1 has two encodings.
  for (size_t i = 0; i < test::texel_size(format); ++i) {
    if (format.image_channel_data_type == CL_SNORM_INT8 && texel[i] == 0x80) texel[i] = 0x81;
    if (format.image_channel_data_type == CL_SNORM_INT16 && i % 2 == 0 &&
        load<std::int16_t>(texel + i) == -32768)
      texel[i] = 1;
  }
}

Bytes random_texel(const cl_image_format& format) {
  const size_t channels = test::is_packed(format) ? 0 : test::channels_of(format.image_channel_order);
  Bytes texel = test::random_values<std::uint8_t>(test::texel_size(format));
  std::uniform_real_distribution<float> distribution(-100.0f, 100.0f);
  for (size_t i = 0; i < channels; ++i) {
    const float value = distribution(test::random_engine());
    const auto half = static_cast<_Float16>(value);
    if (format.image_channel_data_type == CL_FLOAT) std::memcpy(&texel[4 * i], &value, 4);
    if (format.image_channel_data_type == CL_HALF_FLOAT) std::memcpy(&texel[2 * i], &half, 2);
  }
  return texel;
}

}  // namespace random_images
