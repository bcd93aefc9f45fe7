// SPDX-License-Identifier: Apache-2.0
#include "kernel_cases.h"

#include <string>

#include "harness/reference.h"

extern "C" const char bench_kernel_source[];
extern "C" const char bench_kernel_source_end[];

namespace bench {

KernelCases::KernelCases(const Options& options)
    : session_(options.device),
      report_("kernels", options, session_.platform_name(), session_.device_name()),
      sizes_(session_.is_gpu() ? gpu : cpu),
      program_(session_.build({bench_kernel_source, size_t(bench_kernel_source_end - bench_kernel_source)},
                              "-DTILE=" + std::to_string(tile) + " -DGROUP=" + std::to_string(group))) {}

void KernelCases::run() {
  triad();
  sgemm();
  nbody();
  reduction();
  transcendental();
}

void KernelCases::triad() {
  const size_t n = sizes_.elements;
  const std::vector<float> b = random_values(n, 1), c = random_values(n, 2);
  const client::Buffer device_a = session_.buffer(n * sizeof(float)), device_b = upload(b),
                       device_c = upload(c);
  const client::Kernel kernel = session_.kernel(program_, "triad");
  client::set_arguments(kernel, device_a, device_b, device_c, 3.0f);
  launch(kernel, {n}, {group});
  expect_near("triad", download(device_a, n)[n / 3], double(b[n / 3]) + 3.0 * c[n / 3], 1e-6);
  report_.run("triad", batch(kernel, {n}, {group}), double(n) * 3 * sizeof(float) * 1e-9, "GB/s");
}

void KernelCases::sgemm() {
  const size_t n = sizes_.matrix;
  const std::vector<float> a = random_values(n * n, 3), b = random_values(n * n, 4);
  const client::Buffer device_a = upload(a), device_b = upload(b),
                       device_c = session_.buffer(n * n * sizeof(float));
  const client::Kernel kernel = session_.kernel(program_, "sgemm");
  client::set_arguments(kernel, device_a, device_b, device_c, cl_uint(n));
  launch(kernel, {n, n}, {tile, tile});
  const size_t row = n / 3, column = n / 5;
  expect_near("sgemm", download(device_c, n * n)[row * n + column], sgemm_element(a, b, n, row, column),
              1e-4);
  report_.run("sgemm_16x16", batch(kernel, {n, n}, {tile, tile}),
              2.0 * double(n) * double(n) * double(n) * 1e-9, "GFLOP/s");
}

void KernelCases::nbody() {
  const size_t n = sizes_.bodies;
  const std::vector<float> bodies = random_values(n * 4, 5);
  const client::Buffer device_bodies = upload(bodies), forces = session_.buffer(n * 4 * sizeof(float));
  const client::Kernel kernel = session_.kernel(program_, "nbody");
  client::set_arguments(kernel, device_bodies, forces, cl_uint(n));
  launch(kernel, {n}, {group});
  expect_near("nbody", download(forces, n * 4)[n / 3 * 4], nbody_force_x(bodies, n / 3), 1e-2);
  // 20 operations for a pair of bodies, as this kernel is usually counted.
  report_.run("nbody", batch(kernel, {n}, {group}), 20.0 * double(n) * double(n) * 1e-9, "GFLOP/s");
}

void KernelCases::reduction() {
  const size_t n = sizes_.elements;
  const std::vector<float> values = random_values(n, 6);
  const client::Buffer device_values = upload(values),
                       sums = session_.buffer(reduction_groups * sizeof(float));
  const client::Kernel kernel = session_.kernel(program_, "reduction");
  client::set_arguments(kernel, device_values, sums, cl_uint(n));
  launch(kernel, {reduction_groups * group}, {group});
  expect_near("reduction", sum(download(sums, reduction_groups)), sum(values), 1e-4);
  report_.run("reduction", batch(kernel, {reduction_groups * group}, {group}),
              double(n) * sizeof(float) * 1e-9, "GB/s");
}

void KernelCases::transcendental() {
  const size_t n = sizes_.transcendental;
  const std::vector<float> values = random_values(n, 7);
  const client::Buffer device_values = upload(values), results = session_.buffer(n * sizeof(float));
  const client::Kernel kernel = session_.kernel(program_, "transcendental");
  client::set_arguments(kernel, device_values, results);
  launch(kernel, {n}, {group});
  expect_near("transcendental", download(results, n)[n / 3], bench::transcendental(values[n / 3]), 1e-5);
  report_.run("transcendental", batch(kernel, {n}, {group}), 4.0 * double(n) * 1e-9, "Gcalls/s");
}

client::Buffer KernelCases::upload(const std::vector<float>& values) const {
  client::Buffer buffer = session_.buffer(values.size() * sizeof(float));
  client::check(clEnqueueWriteBuffer(session_.queue(), buffer.get(), CL_TRUE, 0,
                                     values.size() * sizeof(float), values.data(), 0, nullptr, nullptr),
                "clEnqueueWriteBuffer");
  return buffer;
}

std::vector<float> KernelCases::download(const client::Buffer& buffer, size_t count) const {
  std::vector<float> values(count);
  client::check(clEnqueueReadBuffer(session_.queue(), buffer.get(), CL_TRUE, 0, count * sizeof(float),
                                    values.data(), 0, nullptr, nullptr),
                "clEnqueueReadBuffer");
  return values;
}

void KernelCases::launch(const client::Kernel& kernel, std::vector<size_t> global,
                         std::vector<size_t> local) const {
  client::check(clEnqueueNDRangeKernel(session_.queue(), kernel.get(), cl_uint(global.size()), nullptr,
                                       global.data(), local.data(), 0, nullptr, nullptr),
                "clEnqueueNDRangeKernel");
}

Batch KernelCases::batch(const client::Kernel& kernel, std::vector<size_t> global,
                         std::vector<size_t> local) const {
  return [this, &kernel, global, local](size_t n) {
    while (n--) launch(kernel, global, local);
    client::check(clFinish(session_.queue()), "clFinish");
  };
}

}  // namespace bench
