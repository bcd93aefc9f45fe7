// SPDX-License-Identifier: Apache-2.0
// One of the GPUs whose arrays are summed: as used by OpenCL, and for comparison by a plain CUDA program.
#pragma once

#include <cuda_runtime.h>
#include <nccl.h>

#include <cstddef>

#include "support/client.h"
#include "support/cuda_interop.h"

namespace all_reduce {

// A GPU's array for the sum, and an array for the result: buffers that OpenCL kernels fill and check.
class OpenclGpu {
 public:
  OpenclGpu(cl_device_id device, unsigned number, size_t max_values);

  int ordinal() const { return cuda_.ordinal(); }
  void fill(size_t values) const;
  // To be called before and after NCCL's work in stream().
  void acquire() const { cuda_.acquire(session_.queue(), uses_, stream_); }
  void release() const { cuda_.release_without_event(session_.queue(), uses_, stream_); }
  const void* given() const { return given_pointer_; }
  void* sum() const { return sum_pointer_; }
  cudaStream_t stream() const { return stream_; }
  void finish() const { client::check(clFinish(session_.queue()), "clFinish"); }
  size_t count_wrong(size_t values, unsigned gpus) const;
  std::string name() const { return session_.device_name(); }

 private:
  void launch(const client::Kernel& kernel, size_t items) const;

  unsigned number_;
  client::Session session_;
  client::CudaInterop cuda_;
  client::Program program_;
  client::Kernel fill_, count_wrong_;
  client::Buffer given_, sum_, wrong_;
  void *given_pointer_, *sum_pointer_;  // stay the same as long as the buffers exist
  std::vector<client::CudaUse> uses_;
  cudaStream_t stream_;
};

// The same with the CUDA runtime alone.
class CudaGpu {
 public:
  CudaGpu(int ordinal, size_t max_values);
  ~CudaGpu();
  CudaGpu(CudaGpu&& other) = delete;

  void* given() const { return given_; }
  void* sum() const { return sum_; }
  cudaStream_t stream() const { return stream_; }
  void finish() const;
  // Copies an array that OpenCL has filled; and whether the sum equals OpenCL's in each bit.
  void copy_from(const void* values, size_t bytes) const;
  bool same_sum(const void* values, size_t bytes) const;

 private:
  int ordinal_;
  void *given_ = nullptr, *sum_ = nullptr;
  cudaStream_t stream_ = nullptr;
};

}  // namespace all_reduce
