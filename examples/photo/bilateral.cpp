// SPDX-License-Identifier: Apache-2.0
// bilateral [input.png [output.png]] [--device NAME] [--sigma PIXELS] [--color-sigma PART]
//
// Halves a photograph and smooths it without blurring its edges, with OpenCL images and samplers; compares
// the result with the host's.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>

#include "image.h"
#include "support/client.h"

extern "C" const char bilateral_kernels[];
extern "C" const char bilateral_kernels_end[];

namespace {

constexpr int kRadius = 3;

struct Options {
  std::string input = "/usr/share/libjxl-testdata/jxl/flower/flower.png";  // from Debian's libjxl-testdata
  std::string output = "bilateral.png";
  std::string device;
  float sigma = 2.0f, color_sigma = 0.1f;
};

Options parsed(int count, char** words) {
  Options options;
  int paths = 0;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const bool has_value = i + 1 < count;
    if (word == "--device" && has_value) {
      options.device = words[++i];
    } else if (word == "--sigma" && has_value) {
      options.sigma = std::strtof(words[++i], nullptr);
    } else if (word == "--color-sigma" && has_value) {
      options.color_sigma = std::strtof(words[++i], nullptr);
    } else if (word.starts_with("--") || paths == 2) {
      throw std::runtime_error(
          "usage: bilateral [input.png [output.png]] [--device gpu|cpu|NAME] [--sigma PIXELS] [--color-sigma "
          "PART]");
    } else {
      (paths++ == 0 ? options.input : options.output) = word;
    }
  }
  if (!(options.sigma > 0 && options.color_sigma > 0))
    throw std::runtime_error("a sigma must be more than 0");
  return options;
}

// All implementations support images with four channels, few support three.
photo::Image with_four_channels(const photo::Image& image) {
  photo::Image result{image.width, image.height, 4, std::vector<uint8_t>(image.pixels() * 4, 255)};
  const size_t n = size_t(image.channels), colors = n < 3 ? 1 : 3;
  for (size_t i = 0; i < image.pixels(); ++i) {
    for (size_t c = 0; c < 3; ++c) result.bytes[4 * i + c] = image.bytes[n * i + std::min(c, colors - 1)];
    if (n == 2 || n == 4) result.bytes[4 * i + 3] = image.bytes[n * i + n - 1];
  }
  return result;
}

client::Buffer make_image(const client::Session& session, const photo::Image& image, bool with_contents) {
  const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = size_t(image.width);
  desc.image_height = size_t(image.height);
  cl_int error = CL_SUCCESS;
  client::Buffer made(clCreateImage(session.context(), with_contents ? CL_MEM_COPY_HOST_PTR : 0, &format,
                                    &desc, with_contents ? const_cast<uint8_t*>(image.bytes.data()) : nullptr,
                                    &error));
  client::check(error, "clCreateImage");
  return made;
}

// Milliseconds, by the device's profiling times.
double run(const client::Session& session, const client::Kernel& kernel, const photo::Image& result) {
  const size_t global[] = {size_t(result.width), size_t(result.height)};
  cl_event event = nullptr;
  client::check(
      clEnqueueNDRangeKernel(session.queue(), kernel.get(), 2, nullptr, global, nullptr, 0, nullptr, &event),
      "clEnqueueNDRangeKernel");
  const client::Event owned(event);
  client::check(clWaitForEvents(1, &event), "clWaitForEvents");
  cl_ulong start = 0, end = 0;
  client::check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, nullptr),
                "clGetEventProfilingInfo");
  client::check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr),
                "clGetEventProfilingInfo");
  return double(end - start) * 1e-6;
}

photo::Image halved_on_host(const photo::Image& image) {
  photo::Image result{image.width / 2, image.height / 2, 4, {}};
  for (int y = 0; y < result.height; ++y)
    for (int x = 0; x < result.width; ++x)
      for (int c = 0; c < 4; ++c) {
        const auto at = [&](int i, int j) {
          return int(image.bytes[4 * (size_t(2 * y + j) * image.width + 2 * x + i) + c]);
        };
        result.bytes.push_back(uint8_t((at(0, 0) + at(1, 0) + at(0, 1) + at(1, 1) + 2) / 4));
      }
  return result;
}

photo::Image smoothed_on_host(const photo::Image& image, const Options& options) {
  photo::Image result = image;
  const float near = -0.5f / (options.sigma * options.sigma),
              alike = -0.5f / (options.color_sigma * options.color_sigma) / (255.0f * 255.0f);
  const auto texel = [&](int x, int y) {
    return &image.bytes[4 * (size_t(std::clamp(y, 0, image.height - 1)) * image.width +
                             std::clamp(x, 0, image.width - 1))];
  };
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      const uint8_t* here = texel(x, y);
      float sums[4] = {}, weights = 0;
      for (int j = -kRadius; j <= kRadius; ++j)
        for (int i = -kRadius; i <= kRadius; ++i) {
          const uint8_t* there = texel(x + i, y + j);
          int distance = 0;
          for (int c = 0; c < 3; ++c) distance += (there[c] - here[c]) * (there[c] - here[c]);
          const float weight = std::exp(near * float(i * i + j * j) + alike * float(distance));
          for (int c = 0; c < 4; ++c) sums[c] += weight * there[c];
          weights += weight;
        }
      for (int c = 0; c < 4; ++c)
        result.bytes[4 * (size_t(y) * image.width + x) + c] = uint8_t(std::lround(sums[c] / weights));
    }
  }
  return result;
}

// The number of bytes that differ by more than one: ties may be rounded either way, and sums have another order.
size_t count_different(const photo::Image& a, const photo::Image& b) {
  size_t different = 0;
  for (size_t i = 0; i < a.bytes.size(); ++i) different += std::abs(a.bytes[i] - b.bytes[i]) > 1;
  return different;
}

// The part of the image with even width and height, so that each mean has four texels.
photo::Image even_part(const photo::Image& image) {
  photo::Image even{image.width / 2 * 2, image.height / 2 * 2, 4, {}};
  for (int y = 0; y < even.height; ++y) {
    const auto row = image.bytes.begin() + 4L * y * image.width;
    even.bytes.insert(even.bytes.end(), row, row + 4L * even.width);
  }
  return even;
}

// The contents of an image on the device with the size of `like`.
photo::Image read_back(const client::Session& session, const client::Buffer& image, photo::Image like) {
  const size_t origin[3] = {0, 0, 0}, region[3] = {size_t(like.width), size_t(like.height), 1};
  client::check(clEnqueueReadImage(session.queue(), image.get(), CL_TRUE, origin, region, 0, 0,
                                   like.bytes.data(), 0, nullptr, nullptr),
                "clEnqueueReadImage");
  return like;
}

struct Smoothed {
  photo::Image half, smooth;
};

Smoothed process_on_device(const client::Session& session, const photo::Image& even, const Options& options) {
  photo::Image half{even.width / 2, even.height / 2, 4, {}};
  half.bytes.resize(half.pixels() * 4);
  const client::Program program =
      session.build({bilateral_kernels, size_t(bilateral_kernels_end - bilateral_kernels)},
                    "-DRADIUS=" + std::to_string(kRadius));
  const client::Kernel halve = session.kernel(program, "halve"),
                       bilateral = session.kernel(program, "bilateral");
  const client::Buffer whole = make_image(session, even, true), small = make_image(session, half, false),
                       smooth = make_image(session, half, false);
  client::set_arguments(halve, whole, small);
  client::set_arguments(bilateral, small, smooth, options.sigma, options.color_sigma);
  std::printf("  %-10s %10.3f ms\n", "halve", run(session, halve, half));
  std::printf("  %-10s %10.3f ms\n", "bilateral", run(session, bilateral, half));
  return {read_back(session, small, half), read_back(session, smooth, half)};
}

int run(const Options& options) {
  const photo::Image image = with_four_channels(photo::read_png(options.input));
  if (image.width < 2 || image.height < 2) throw std::runtime_error("the picture is smaller than 2 x 2");
  const client::Session session(options.device, CL_QUEUE_PROFILING_ENABLE);
  std::printf("bilateral: %s, %d x %d\n", options.input.c_str(), image.width, image.height);
  std::printf("device: %s (platform %s)\n", session.device_name().c_str(), session.platform_name().c_str());

  const photo::Image even = even_part(image);
  const auto [half, smooth] = process_on_device(session, even, options);
  const size_t different =
      count_different(half, halved_on_host(even)) + count_different(smooth, smoothed_on_host(half, options));
  std::printf("check: %zu of %zu bytes are more than one step from the host's\n", different,
              half.bytes.size() + smooth.bytes.size());
  photo::write_png(options.output, smooth);
  std::printf("written: %s\n", options.output.c_str());
  return different == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int count, char** words) {
  try {
    return run(parsed(count, words));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bilateral: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
