// SPDX-License-Identifier: Apache-2.0
// cl_clcuda_cuda_interop (docs/cl_clcuda_cuda_interop.md), as our examples use it.
//
//   const client::CudaInterop cuda(session.device());
//   CUstream_st* stream = client::CudaInterop::stream(session.queue());
//   cuda.acquire(session.queue(), {{a.get(), CL_MEM_READ_ONLY}}, stream);
//   …                                              // work in the stream, on cuda.pointer(a)
//   cuda.release(session.queue(), {{a.get()}}, stream);
#pragma once

#include <CL/cl_clcuda.h>

#include <vector>

#include "support/client.h"

namespace client {

// A memory object, and what the work of a stream does with it: CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY or both.
struct CudaUse {
  cl_mem object;
  cl_mem_flags access = CL_MEM_READ_WRITE;
};

class CudaInterop {
 public:
  static bool supported(cl_device_id device);
  // Throws std::runtime_error if the device does not have the extension.
  explicit CudaInterop(cl_device_id device);

  // What is put into the stream from now on comes behind the queue's commands, and behind `after`.
  void acquire(cl_command_queue queue, const std::vector<CudaUse>& uses, CUstream_st* stream,
               const Event& after = {}) const;
  // What is enqueued from now on comes behind what the stream holds; so does the event.
  Event release(cl_command_queue queue, const std::vector<CudaUse>& uses, CUstream_st* stream) const;
  // The buffer's CUdeviceptr.
  void* pointer(const Buffer& buffer) const;
  // Of an in-order queue.
  static CUstream_st* stream(cl_command_queue queue);
  // The device's number in CUDA.
  int ordinal() const;
  // Makes the device's primary context the calling thread's, as CUDA's libraries expect it.
  void make_current() const;

 private:
  cl_device_id device_;
  clGetCudaFunctionCLCUDA_fn function_;
  clEnqueueAcquireCudaObjectsCLCUDA_fn acquire_;
  clEnqueueReleaseCudaObjectsCLCUDA_fn release_;
  clGetMemObjectCudaPointerCLCUDA_fn pointer_;
};

}  // namespace client
