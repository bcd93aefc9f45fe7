// SPDX-License-Identifier: Apache-2.0
// cublas [N]
//
// A layer of a neural network, C = max(A·B + bias, 0), for N × N matrices: OpenCL makes A and B and adds the bias, cuBLAS multiplies, on
// the same buffers, by cl_clcuda_cuda_interop. Nothing is copied, and the host waits once, at the end. Checks some elements against sums of
// its own.
#include <cublas_v2.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/client.h"
#include "support/cuda_interop.h"

extern "C" const char cublas_kernels[], cublas_kernels_end[];

namespace {

using client::check;

void check(cublasStatus_t status, const char* call) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw std::runtime_error(std::string(call) + ": " + cublasGetStatusString(status));
}

// cuBLAS on the device and the stream of a queue.
class Blas {
 public:
  Blas(const client::Session& session, const client::CudaInterop& cuda)
      : stream_(client::CudaInterop::stream(session.queue())) {
    if (cudaSetDevice(cuda.ordinal()) != cudaSuccess) throw std::runtime_error("cudaSetDevice");
    check(cublasCreate(&handle_), "cublasCreate");
    check(cublasSetStream(handle_, stream_), "cublasSetStream");
  }
  ~Blas() { cublasDestroy(handle_); }
  Blas(const Blas&) = delete;
  Blas& operator=(const Blas&) = delete;
  cudaStream_t stream() const { return stream_; }
  // c = a · b, all n × n, column by column.
  void multiply(const float* a, const float* b, float* c, int n) const {
    const float one = 1, zero = 0;
    check(cublasSgemm(handle_, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, b, n, &zero, c, n),
          "cublasSgemm");
  }

 private:
  cublasHandle_t handle_ = nullptr;
  cudaStream_t stream_;
};

void launch(const client::Session& session, const client::Kernel& kernel, size_t items) {
  check(
      clEnqueueNDRangeKernel(session.queue(), kernel.get(), 1, nullptr, &items, nullptr, 0, nullptr, nullptr),
      "clEnqueueNDRangeKernel");
}

std::vector<float> read(const client::Session& session, const client::Buffer& buffer, size_t count) {
  std::vector<float> values(count);
  check(clEnqueueReadBuffer(session.queue(), buffer.get(), CL_TRUE, 0, count * sizeof(float), values.data(),
                            0, nullptr, nullptr),
        "clEnqueueReadBuffer");
  return values;
}

// The largest difference from sums in double precision, at some elements.
double largest_error(const std::vector<float>& a, const std::vector<float>& b, const std::vector<float>& c,
                     size_t n) {
  std::mt19937_64 engine(1);
  double largest = 0;
  for (int i = 0; i < 1000; ++i) {
    const size_t row = engine() % n, column = engine() % n;
    double sum = static_cast<double>(row);
    for (size_t k = 0; k < n; ++k) sum += double{a[k * n + row]} * double{b[column * n + k]};
    largest = std::max(largest, std::abs(std::max(sum, 0.0) - double{c[column * n + row]}));
  }
  return largest;
}

int run(size_t n) {
  const client::Session session("clcuda");
  const client::CudaInterop cuda(session.device());
  const client::Program program = session.build({cublas_kernels, cublas_kernels_end});
  const client::Kernel fill = session.kernel(program, "fill"), bias = session.kernel(program, "add_bias");
  const size_t count = n * n;
  const client::Buffer a = session.buffer(count * sizeof(float)), b = session.buffer(count * sizeof(float)),
                       c = session.buffer(count * sizeof(float));
  const Blas blas(session, cuda);
  const std::vector<client::CudaUse> uses = {
      {a.get(), CL_MEM_READ_ONLY}, {b.get(), CL_MEM_READ_ONLY}, {c.get(), CL_MEM_WRITE_ONLY}};
  const auto elements = [&cuda](const client::Buffer& buffer) {
    return static_cast<float*>(cuda.pointer(buffer));
  };

  const auto start = std::chrono::steady_clock::now();
  client::set_arguments(fill, a, b);
  launch(session, fill, count);
  cuda.acquire(session.queue(), uses, blas.stream());
  blas.multiply(elements(a), elements(b), elements(c), static_cast<int>(n));
  cuda.release_without_event(session.queue(), uses, blas.stream());
  client::set_arguments(bias, c, static_cast<cl_uint>(n));
  launch(session, bias, count);
  const std::chrono::duration<double, std::milli> enqueued = std::chrono::steady_clock::now() - start;
  check(clFinish(session.queue()), "clFinish");
  const std::chrono::duration<double, std::milli> done = std::chrono::steady_clock::now() - start;

  const double error =
      largest_error(read(session, a, count), read(session, b, count), read(session, c, count), n);
  std::printf("%s: %zu x %zu, enqueued in %.3f ms, done after %.3f ms, largest error %.3g\n",
              session.device_name().c_str(), n, n, enqueued.count(), done.count(), error);
  return error < 1e-4 * static_cast<double>(n) ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int count, char** words) try {
  const size_t n = count > 1 ? std::strtoull(words[1], nullptr, 10) : 1024;
  if (n == 0 || n > 16384) throw std::runtime_error("usage: cublas [N], N up to 16384");
  return run(n);
} catch (const std::exception& error) {
  std::fprintf(stderr, "cublas: %s\n", error.what());
  return EXIT_FAILURE;
}
