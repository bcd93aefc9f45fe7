// SPDX-License-Identifier: Apache-2.0
// ../kernels.cl and ../kernel_cases.cpp in CUDA.
#include <cstdio>
#include <exception>
#include <vector>

#include "check.h"
#include "harness/measure.h"
#include "harness/reference.h"
#include "harness/sizes.h"

namespace {

using bench::expect_near, bench::group, bench::random_values, bench::reduction_groups, bench::tile;
using cuda_bench::allocate, cuda_bench::check, cuda_bench::upload;

__global__ void triad(float* a, const float* b, const float* c, float scale) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = b[i] + scale * c[i];
}

__global__ __launch_bounds__(tile* tile) void sgemm(const float* a, const float* b, float* c, unsigned n) {
  __shared__ float tile_a[tile][tile];
  __shared__ float tile_b[tile][tile];
  const unsigned x = threadIdx.x, y = threadIdx.y;
  const unsigned column = blockIdx.x * tile + x, row = blockIdx.y * tile + y;
  float sum = 0;
  for (unsigned k = 0; k < n; k += tile) {
    tile_a[y][x] = a[row * n + k + x];
    tile_b[y][x] = b[(k + y) * n + column];
    __syncthreads();
    for (unsigned i = 0; i < tile; ++i) sum += tile_a[y][i] * tile_b[i][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

__global__ __launch_bounds__(group) void nbody(const float4* bodies, float4* forces, unsigned count) {
  __shared__ float4 others[group];
  const unsigned id = blockIdx.x * group + threadIdx.x;
  const float4 body = bodies[id];
  float4 force{};
  for (unsigned first = 0; first < count; first += group) {
    others[threadIdx.x] = bodies[first + threadIdx.x];
    __syncthreads();
    for (unsigned i = 0; i < group; ++i) {
      const float x = others[i].x - body.x, y = others[i].y - body.y, z = others[i].z - body.z;
      const float inverse = rsqrtf(x * x + y * y + z * z + 1e-3f);
      const float pull = others[i].w * inverse * inverse * inverse;
      force.x += x * pull;
      force.y += y * pull;
      force.z += z * pull;
    }
    __syncthreads();
  }
  forces[id] = force;
}

__global__ __launch_bounds__(group) void reduction(const float* values, float* sums, unsigned count) {
  __shared__ float partial[group];
  const unsigned lane = threadIdx.x;
  float sum = 0;
  for (unsigned i = blockIdx.x * group + lane; i < count; i += gridDim.x * group) sum += values[i];
  partial[lane] = sum;
  for (unsigned distance = group / 2; distance > 0; distance /= 2) {
    __syncthreads();
    if (lane < distance) partial[lane] += partial[lane + distance];
  }
  if (lane == 0) sums[blockIdx.x] = partial[0];
}

__global__ void transcendental(const float* values, float* results) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = values[i];
  results[i] = sinf(x) + expf(x) + powf(x, 1.7f) + logf(x);
}

constexpr bench::Sizes sizes = bench::gpu;

template <typename Launch>
bench::Batch batch(const Launch& launch) {
  return [&launch](size_t n) {
    while (n--) launch();
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
  };
}

std::vector<float> download(const void* memory, size_t count) {
  std::vector<float> values(count);
  check(cudaMemcpy(values.data(), memory, count * sizeof(float), cudaMemcpyDeviceToHost));
  return values;
}

void run_triad(bench::Report& report) {
  constexpr size_t n = sizes.elements;
  const std::vector<float> b = random_values(n, 1), c = random_values(n, 2);
  auto device_a = allocate<float>(n), device_b = upload(b), device_c = upload(c);
  const auto launch = [&] {
    triad<<<n / group, group>>>(device_a.get(), device_b.get(), device_c.get(), 3.0f);
  };
  launch();
  expect_near("triad", download(device_a.get(), n)[n / 3], double(b[n / 3]) + 3.0 * c[n / 3], 1e-6);
  report.run("triad", batch(launch), double(n) * 3 * sizeof(float) * 1e-9, "GB/s");
}

void run_sgemm(bench::Report& report) {
  constexpr size_t n = sizes.matrix, row = n / 3, column = n / 5;
  const std::vector<float> a = random_values(n * n, 3), b = random_values(n * n, 4);
  auto device_a = upload(a), device_b = upload(b), device_c = allocate<float>(n * n);
  const auto launch = [&] {
    sgemm<<<dim3(n / tile, n / tile), dim3(tile, tile)>>>(device_a.get(), device_b.get(), device_c.get(), n);
  };
  launch();
  expect_near("sgemm", download(device_c.get(), n * n)[row * n + column],
              bench::sgemm_element(a, b, n, row, column), 1e-4);
  report.run("sgemm_16x16", batch(launch), 2.0 * double(n) * double(n) * double(n) * 1e-9, "GFLOP/s");
}

void run_nbody(bench::Report& report) {
  constexpr size_t n = sizes.bodies;
  const std::vector<float> bodies = random_values(n * 4, 5);
  auto device_bodies = upload<float4>(bodies), forces = allocate<float4>(n);
  const auto launch = [&] { nbody<<<n / group, group>>>(device_bodies.get(), forces.get(), n); };
  launch();
  expect_near("nbody", download(forces.get(), n * 4)[n / 3 * 4], bench::nbody_force_x(bodies, n / 3), 1e-2);
  report.run("nbody", batch(launch), 20.0 * double(n) * double(n) * 1e-9, "GFLOP/s");
}

void run_reduction(bench::Report& report) {
  constexpr size_t n = sizes.elements;
  const std::vector<float> values = random_values(n, 6);
  auto device_values = upload(values), sums = allocate<float>(reduction_groups);
  const auto launch = [&] { reduction<<<reduction_groups, group>>>(device_values.get(), sums.get(), n); };
  launch();
  expect_near("reduction", bench::sum(download(sums.get(), reduction_groups)), bench::sum(values), 1e-4);
  report.run("reduction", batch(launch), double(n) * sizeof(float) * 1e-9, "GB/s");
}

void run_transcendental(bench::Report& report) {
  constexpr size_t n = sizes.transcendental;
  const std::vector<float> values = random_values(n, 7);
  auto device_values = upload(values), results = allocate<float>(n);
  const auto launch = [&] { transcendental<<<n / group, group>>>(device_values.get(), results.get()); };
  launch();
  expect_near("transcendental", download(results.get(), n)[n / 3], bench::transcendental(values[n / 3]),
              1e-5);
  report.run("transcendental", batch(launch), 4.0 * double(n) * 1e-9, "Gcalls/s");
}

}  // namespace

int main(int count, char** words) {
  try {
    bench::Report report("kernels", bench::parse_options(count, words), "CUDA", cuda_bench::device_name());
    run_triad(report);
    run_sgemm(report);
    run_nbody(report);
    run_reduction(report);
    run_transcendental(report);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "cuda kernels: %s\n", error.what());
    return 1;
  }
}
