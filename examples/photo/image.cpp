// SPDX-License-Identifier: Apache-2.0
#include "image.h"

#include <png.h>

#include <stdexcept>

namespace photo {
namespace {

constexpr png_uint_32 kFormatOf[] = {0, PNG_FORMAT_GRAY, PNG_FORMAT_GA, PNG_FORMAT_RGB, PNG_FORMAT_RGBA};

// libpng's simplified interface. The image must be freed on each return path.
struct PngImage : png_image {
  PngImage() : png_image{} { version = PNG_IMAGE_VERSION; }
  ~PngImage() { png_image_free(this); }
  PngImage(const PngImage&) = delete;
  PngImage& operator=(const PngImage&) = delete;

  void require(int done, const std::string& path) const {
    if (!done) throw std::runtime_error(path + ": " + message);
  }
};

}  // namespace

Image read_png(const std::string& path) {
  PngImage png;
  png.require(png_image_begin_read_from_file(&png, path.c_str()), path);
  png.format &= PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA;
  Image image{int(png.width), int(png.height), int(PNG_IMAGE_SAMPLE_CHANNELS(png.format)), {}};
  image.bytes.resize(PNG_IMAGE_SIZE(png));
  png.require(png_image_finish_read(&png, nullptr, image.bytes.data(), 0, nullptr), path);
  return image;
}

void write_png(const std::string& path, const Image& image) {
  PngImage png;
  png.width = png_uint_32(image.width);
  png.height = png_uint_32(image.height);
  png.format = kFormatOf[image.channels];
  png.require(png_image_write_to_file(&png, path.c_str(), 0, image.bytes.data(), 0, nullptr), path);
}

}  // namespace photo
