// SPDX-License-Identifier: Apache-2.0
// cl_clcuda_cuda_interop (docs/cl_clcuda_cuda_interop.md), as our examples use it.
//
//   const client::CudaInterop cuda(session.device());
//   CUstream_st* stream = client::CudaInterop::stream(session.queue());
//   cuda.acquire(session.queue(), {{a.get(), CL_MEM_READ_ONLY}}, stream);
//   …                                              // work in the stream, on cuda.pointer(a)
//   cuda.release_without_event(session.queue(), {{a.get()}}, stream);
#pragma once

#include <CL/cl_clcuda.h>

#include <vector>

#include "support/client.h"

namespace client {

// A memory object, and how work in a stream accesses it: CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY or both.
struct CudaUse {
  cl_mem object;
  cl_mem_flags access = CL_MEM_READ_WRITE;
};

class CudaInterop {
 public:
  static bool supported(cl_device_id device);
  // Throws std::runtime_error if the device does not have the extension.
  explicit CudaInterop(cl_device_id device);

  // Work that is enqueued in the stream from now on waits for the queue's commands, and for `after`.
  void acquire(cl_command_queue queue, const std::vector<CudaUse>& uses, CUstream_st* stream,
               const Event& after = {}) const;
  // Commands that are enqueued from now on wait for the stream's work; so does the event.
  Event release(cl_command_queue queue, const std::vector<CudaUse>& uses, CUstream_st* stream) const;
  // The same where only the queue's own commands have to wait. In the queue's own stream this takes the device no time; an event does.
  void release_without_event(cl_command_queue queue, const std::vector<CudaUse>& uses,
                             CUstream_st* stream) const;
  // The buffer's CUdeviceptr.
  void* pointer(const Buffer& buffer) const;
  // The queue must be in-order.
  static CUstream_st* stream(cl_command_queue queue);
  // The device's number in CUDA.
  int ordinal() const;
  // Makes the device's primary context current in the calling thread, as CUDA's libraries require.
  void make_current() const;

 private:
  void release(cl_command_queue queue, const std::vector<CudaUse>& uses, CUstream_st* stream,
               cl_event* event) const;

  cl_device_id device_;
  clGetCudaFunctionCLCUDA_fn function_;
  clEnqueueAcquireCudaObjectsCLCUDA_fn acquire_;
  clEnqueueReleaseCudaObjectsCLCUDA_fn release_;
  clGetMemObjectCudaPointerCLCUDA_fn pointer_;
};

}  // namespace client
