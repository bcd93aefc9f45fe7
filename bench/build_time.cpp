// SPDX-License-Identifier: Apache-2.0
// What it costs to build programs: source that nobody has seen, and the same source again. Microseconds for a program.
#include <cstdio>
#include <exception>
#include <random>
#include <string>

#include "harness/measure.h"
#include "support/client.h"

namespace {

// Seven kernels of the kind that programs have.
constexpr const char* seven_kernels = R"(
kernel void triad(global float* a, global const float* b, global const float* c, float s) {
  const size_t i = get_global_id(0);
  a[i] = b[i] + s * c[i];
}
kernel void transcendental(global float* a) {
  const size_t i = get_global_id(0);
  a[i] = sin(a[i]) + exp(a[i]) + pow(a[i], 1.5f) + log(a[i]);
}
kernel void reduction(global const float* a, global float* sums, local float* part) {
  const size_t i = get_local_id(0);
  part[i] = a[get_global_id(0)];
  for (size_t half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < half_size) part[i] += part[i + half_size];
  }
  if (i == 0) sums[get_group_id(0)] = part[0];
}
kernel void product(global const float* a, global const float* b, global float* c, int n) {
  local float tile_a[16][16], tile_b[16][16];
  const int x = get_local_id(0), y = get_local_id(1), column = get_global_id(0), row = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    tile_a[y][x] = a[row * n + k + x];
    tile_b[y][x] = b[(k + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 16; ++i) sum += tile_a[y][i] * tile_b[i][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}
kernel void bodies(global const float4* places, global float4* forces, int n) {
  const float4 here = places[get_global_id(0)];
  float4 sum = 0;
  for (int i = 0; i < n; ++i) {
    const float4 away = places[i] - here;
    const float inverse = rsqrt(dot(away.xyz, away.xyz) + 0.01f);
    sum += away * (inverse * inverse * inverse);
  }
  forces[get_global_id(0)] = sum;
}
kernel void stencil(global const float* a, global float* b, int width) {
  const int i = get_global_id(1) * width + get_global_id(0);
  b[i] = a[i - 1] + a[i + 1] + a[i - width] + a[i + width] - 4 * a[i];
}
kernel void mandelbrot(global int* counts, int width) {
  const float cx = get_global_id(0) * 0.01f, cy = get_global_id(1) * 0.01f;
  float x = 0, y = 0;
  int i = 0;
  for (; i < 1000 && x * x + y * y < 4; ++i) {
    const float next = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = next;
  }
  counts[get_global_id(1) * width + get_global_id(0)] = i;
}
)";

std::string many_kernels(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    text += "kernel void k" + number +
            "(global float* a, float b) { const size_t i = get_global_id(0); a[i] = a[i] * b + " + number +
            "; }\n";
  }
  return text;
}

// Source that no cache of anybody's has.
std::string unseen(const std::string& source) {
  static std::mt19937_64 engine{std::random_device{}()};
  return source + "kernel void unseen(global ulong* a) { a[0] = " + std::to_string(engine()) + "ul; }\n";
}

void run(const bench::Options& options) {
  const client::Session session(options.device);
  bench::Report report("build_time", options, session.platform_name(), session.device_name());
  const auto builds = [&](const std::string& name, const auto& source) {
    report.run(name, [&](size_t n) {
      while (n--) session.build(source());
    });
  };
  builds("seven_kernels_unseen", [] { return unseen(seven_kernels); });
  builds("seven_kernels_again", [] { return std::string(seven_kernels); });
  const std::string many = many_kernels(535);
  builds("535_kernels_unseen", [&] { return unseen(many); });
  builds("535_kernels_again", [&] { return many; });
}

}  // namespace

int main(int count, char** words) try {
  run(bench::parse_options(count, words));
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "build_time: %s\n", error.what());
  return 1;
}
