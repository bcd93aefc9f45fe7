// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "harness/cases.h"

namespace bench {
namespace {

size_t clamped(long i, size_t size) { return size_t(std::clamp(i, 0L, long(size) - 1)); }

// An image on the host, with four bytes per texel.
struct Picture {
  size_t width;
  std::vector<unsigned> texels = random_words(width * width, 31);

  double channel(long x, long y, int which) const {
    return double(texels[clamped(y, width) * width + clamped(x, width)] >> 8 * which & 255) / 255.0;
  }
};

// The first of two neighbours and their weights, for an unnormalized coordinate.
struct Between {
  explicit Between(double place)
      : first(long(std::floor(place - 0.5))), second(place - 0.5 - double(first)) {}
  double weight(int i) const { return i ? second : 1 - second; }
  long first;
  double second;
};

void expect_channels(unsigned texel, double (*expected)(const Picture&, size_t, size_t, int),
                     const Picture& picture, size_t x, size_t y, double tolerance) {
  for (int i = 0; i < 4; ++i)
    expect_near(double(texel >> 8 * i & 255) / 255.0, expected(picture, x, y, i), tolerance);
}

double blurred(const Picture& picture, size_t x, size_t y, int which) {
  static constexpr double kBell[] = {0.0625, 0.25, 0.375, 0.25, 0.0625};
  double sum = 0;
  for (int dy = -2; dy <= 2; ++dy)
    for (int dx = -2; dx <= 2; ++dx)
      sum += kBell[dy + 2] * kBell[dx + 2] * picture.channel(long(x) + dx, long(y) + dy, which);
  return sum;
}

void image_blur(Bench& bench, Kernel& kernel) {
  const unsigned n = bench.size(8192, 512);
  const Picture picture{n};
  const ImageShape shape{n, n};
  const Memory from = bench.device().image(shape, ImageUse::texels, picture.texels.data()),
               to = bench.device().image(shape, ImageUse::written, nullptr);
  set_arguments(kernel, from, to);
  const auto check = [&] {
    std::vector<unsigned> results(size_t(n) * n);
    bench.device().read_image(to, shape, results.data());
    at_some_places(results.size(),
                   [&](size_t i) { expect_channels(results[i], blurred, picture, i % n, i / n, 0.6 / 255); });
  };
  bench.measure({n / 32, n / 8}, {32, 8}, check, 1e-6 * double(n) * n, "Mpixel/s");
}

constexpr double kShrunk = 0.625;

double resized(const Picture& picture, size_t x, size_t y, int which) {
  const Between u((double(x) + 0.5) / kShrunk), v((double(y) + 0.5) / kShrunk);
  double sum = 0;
  for (int j = 0; j < 2; ++j)
    for (int i = 0; i < 2; ++i)
      sum += u.weight(i) * v.weight(j) * picture.channel(u.first + i, v.first + j, which);
  return sum;
}

void image_resize(Bench& bench, Kernel& kernel) {
  const unsigned n = bench.size(8192, 1024), m = unsigned(kShrunk * n);
  const Picture picture{n};
  const ImageShape shape{m, m};
  const Memory from = bench.device().image({n, n}, ImageUse::smooth, picture.texels.data()),
               to = bench.device().image(shape, ImageUse::written, nullptr);
  set_arguments(kernel, from, to, 1.0f / float(m), 1.0f / float(m));
  const auto check = [&] {
    std::vector<unsigned> results(size_t(m) * m);
    bench.device().read_image(to, shape, results.data());
    // Texture units have weights of eight bits.
    at_some_places(results.size(),
                   [&](size_t i) { expect_channels(results[i], resized, picture, i % m, i / m, 2.1 / 255); });
  };
  bench.measure({m / 32, m / 8}, {32, 8}, check, 1e-6 * double(m) * m, "Mpixel/s");
}

void volume_slice(Bench& bench, Kernel& kernel) {
  const unsigned n = bench.size(512, 64), m = bench.size(4096, 512);
  const std::vector<float> volume = random_values(size_t(n) * n * n, 32);
  const Memory from = bench.device().image({n, n, n}, ImageUse::smooth, volume.data()),
               to = bench.device().allocate(size_t(m) * m * sizeof(float));
  set_arguments(kernel, from, to, 1.0f / float(m));
  const auto check = [&] {
    const auto results = bench.device().download<float>(to);
    at_some_places(results.size(), [&](size_t i) {
      const double s = (double(i % m) + 0.5) / m, t = (double(i / m) + 0.5) / m;
      const Between u(s * n), v(t * n), w((0.25 * s + 0.5 * t) * n);
      double sum = 0;
      for (int corner = 0; corner < 8; ++corner) {
        const int x = corner & 1, y = corner >> 1 & 1, z = corner >> 2;
        sum += u.weight(x) * v.weight(y) * w.weight(z) *
               volume[(clamped(w.first + z, n) * n + clamped(v.first + y, n)) * n + clamped(u.first + x, n)];
      }
      expect_near(results[i], sum, 0.01);
    });
  };
  bench.measure({m / 32, m / 8}, {32, 8}, check, 1e-6 * double(m) * m, "Mpixel/s");
}

}  // namespace

const std::vector<Case> kImageCases = {{"image_blur", "images", image_blur},
                                       {"image_resize", "images", image_resize},
                                       {"volume_slice", "images", volume_slice}};

}  // namespace bench
