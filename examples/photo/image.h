// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace photo {

// 8 bits for each of 1 (grey), 2 (grey, alpha), 3 (RGB) or 4 (RGBA) channels, interleaved, rows from the top
// without padding.
struct Image {
  int width = 0;
  int height = 0;
  int channels = 0;
  std::vector<uint8_t> bytes;

  size_t pixels() const { return size_t(width) * height; }
};

// Any PNG file: palettes become RGB, 16 bits become 8. Throws std::runtime_error.
Image read_png(const std::string& path);
void write_png(const std::string& path, const Image& image);

}  // namespace photo
