// SPDX-License-Identifier: Apache-2.0
#include "gpu.h"

#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

extern "C" const char nccl_kernels[], nccl_kernels_end[];

namespace all_reduce {
namespace {

void check(cudaError_t error, const char* call) {
  if (error != cudaSuccess) throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(error));
}

std::vector<char> on_host(const void* values, size_t bytes) {
  std::vector<char> copy(bytes);
  check(cudaMemcpy(copy.data(), values, bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
  return copy;
}

}  // namespace

OpenclGpu::OpenclGpu(cl_device_id device, unsigned number, size_t max_values)
    : number_(number),
      session_(device),
      cuda_(device),
      program_(session_.build({nccl_kernels, nccl_kernels_end})),
      fill_(session_.kernel(program_, "fill")),
      count_wrong_(session_.kernel(program_, "count_wrong")),
      given_(session_.buffer(max_values * sizeof(float))),
      sum_(session_.buffer(max_values * sizeof(float))),
      wrong_(session_.buffer(sizeof(cl_uint))),
      given_pointer_(cuda_.pointer(given_)),
      sum_pointer_(cuda_.pointer(sum_)),
      uses_{{given_.get(), CL_MEM_READ_ONLY}, {sum_.get(), CL_MEM_WRITE_ONLY}},
      stream_(client::CudaInterop::stream(session_.queue())) {}

void OpenclGpu::launch(const client::Kernel& kernel, size_t items) const {
  client::check(clEnqueueNDRangeKernel(session_.queue(), kernel.get(), 1, nullptr, &items, nullptr, 0,
                                       nullptr, nullptr),
                "clEnqueueNDRangeKernel");
}

void OpenclGpu::fill(size_t values) const {
  client::set_arguments(fill_, given_, cl_uint{number_});
  launch(fill_, values);
}

size_t OpenclGpu::count_wrong(size_t values, unsigned gpus) const {
  cl_uint wrong = 0;
  client::check(clEnqueueWriteBuffer(session_.queue(), wrong_.get(), CL_TRUE, 0, sizeof wrong, &wrong, 0,
                                     nullptr, nullptr),
                "clEnqueueWriteBuffer");
  client::set_arguments(count_wrong_, sum_, cl_uint{gpus}, wrong_);
  launch(count_wrong_, values);
  client::check(clEnqueueReadBuffer(session_.queue(), wrong_.get(), CL_TRUE, 0, sizeof wrong, &wrong, 0,
                                    nullptr, nullptr),
                "clEnqueueReadBuffer");
  return wrong;
}

CudaGpu::CudaGpu(int ordinal, size_t max_values) : ordinal_(ordinal) {
  check(cudaSetDevice(ordinal_), "cudaSetDevice");
  check(cudaMalloc(&given_, max_values * sizeof(float)), "cudaMalloc");
  check(cudaMalloc(&sum_, max_values * sizeof(float)), "cudaMalloc");
  check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
}

CudaGpu::~CudaGpu() {
  cudaSetDevice(ordinal_);
  cudaStreamDestroy(stream_);
  cudaFree(sum_);
  cudaFree(given_);
}

void CudaGpu::finish() const { check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize"); }

// OpenCL's memory is in a pool that only its own device has access to, which must be the current one.
void CudaGpu::copy_from(const void* values, size_t bytes) const {
  check(cudaSetDevice(ordinal_), "cudaSetDevice");
  check(cudaMemcpy(given_, values, bytes, cudaMemcpyDeviceToDevice), "cudaMemcpy");
  check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
}

bool CudaGpu::same_sum(const void* values, size_t bytes) const {
  check(cudaSetDevice(ordinal_), "cudaSetDevice");
  return std::memcmp(on_host(sum_, bytes).data(), on_host(values, bytes).data(), bytes) == 0;
}

}  // namespace all_reduce
