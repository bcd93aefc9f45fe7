// SPDX-License-Identifier: Apache-2.0
#include "host_pipeline.h"

#include <algorithm>
#include <array>

#include "gaussian.h"

namespace photo {
namespace {

using Table = std::array<uint32_t, 256>;

uint32_t luma(const uint8_t* pixel, int channels) {
  return channels < 3 ? pixel[0] : (77u * pixel[0] + 150u * pixel[1] + 29u * pixel[2]) >> 8;
}

Table equalising_table(const Image& image) {
  Table counts{}, table{};
  for (size_t i = 0; i < image.pixels(); ++i)
    ++counts[luma(&image.bytes[i * image.channels], image.channels)];
  const uint64_t lowest =
      *std::find_if(counts.begin(), counts.end(), [](uint32_t count) { return count != 0; });
  const uint64_t range = image.pixels() - lowest;
  uint64_t sum = 0;
  for (uint32_t level = 0; level < 256; ++level) {
    sum += counts[level];
    const uint64_t above = std::max(sum, lowest) - lowest;
    table[level] = range == 0 ? level : uint32_t((above * 255 + range / 2) / range);
  }
  return table;
}

void equalise(Image& image, const Table& table) {
  const int colours = image.channels < 3 ? 1 : 3;
  for (size_t i = 0; i < image.pixels(); ++i) {
    uint8_t* pixel = &image.bytes[i * image.channels];
    const uint32_t level = luma(pixel, image.channels);
    const int shift = int(table[level]) - int(level);
    for (int c = 0; c < colours; ++c) pixel[c] = uint8_t(std::clamp(pixel[c] + shift, 0, 255));
  }
}

// One pass of the blur, along the axis on which neighbours are `step` values apart and `length` of them
// exist.
template <typename From, typename To>
void blur_line(const From* from, To* to, int length, size_t step, const std::vector<uint32_t>& weights,
               int shift) {
  const int radius = radius_of(weights);
  for (int at = 0; at < length; ++at) {
    uint32_t sum = 1u << (shift - 1);
    for (int i = -radius; i <= radius; ++i) {
      sum += from[std::clamp(at + i, 0, length - 1) * step] * weights[size_t(i + radius)];
    }
    to[at * step] = To(std::min<uint32_t>(sum >> shift, To(~To(0))));
  }
}

}  // namespace

Image process_on_host(const Image& image, const std::vector<uint32_t>& weights) {
  Image result = image;
  equalise(result, equalising_table(image));
  std::vector<uint16_t> between(result.bytes.size());
  const size_t row = size_t(image.width) * image.channels;
  for (int y = 0; y < image.height; ++y) {
    for (int c = 0; c < image.channels; ++c) {
      blur_line(&result.bytes[y * row + c], &between[y * row + c], image.width, image.channels, weights, 8);
    }
  }
  for (size_t x = 0; x < row; ++x) blur_line(&between[x], &result.bytes[x], image.height, row, weights, 24);
  return result;
}

}  // namespace photo
